// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Entries by call, algorithm and sizes: found again, and served until they are not.
#include "test/catch.hpp"

#include "shim/selection/entry_table.hpp"

using namespace hopscotch::shim;

namespace
{

/// Rank 1 of three, with itself, both others and an edge to nobody.
struct SmallGraph {
    SmallGraph()
    {
        const auto graph = std::make_shared<Graph>();
        graph->ranks = 3;
        graph->edges.rank = 1;
        graph->edges.destinations = {0, 1, 2, hopscotch::schedules::no_rank};
        detected.graph = graph;
    }
    Detected detected;
    EntryTable table{detected};
};

} // namespace

TEST_CASE("An entry is one call, one algorithm and one class of sizes; natives differ by their reasons")
{
    SmallGraph small_graph;
    EntryTable& entries = small_graph.table;
    SelectionEntry& merged =
        entries.find(Call::MPI_Neighbor_alltoall, {Algorithm::merged, hopscotch::schedules::reason::one_node});
    CHECK(&entries.find(Call::MPI_Neighbor_alltoall, {Algorithm::merged, hopscotch::schedules::reason::unshared}) ==
          &merged);
    CHECK(&entries.find(Call::MPI_Neighbor_allgather, {Algorithm::merged, hopscotch::schedules::reason::one_node}) !=
          &merged);
    Choice small{Algorithm::merged, hopscotch::schedules::reason::unshared};
    small.sizes = {0, 100};
    SelectionEntry& of_small = entries.find(Call::MPI_Neighbor_alltoall, small);
    CHECK(&of_small != &merged);
    CHECK(of_small.choice.reason == hopscotch::schedules::reason::one_node); // one line of a report
    CHECK(&entries.find(Call::MPI_Neighbor_alltoall, {Algorithm::native, hopscotch::schedules::reason::waiting}) !=
          &entries.find(Call::MPI_Neighbor_alltoall, {Algorithm::native, hopscotch::schedules::reason::not_set_up}));
    CHECK(entries.entries().size() == 5);
    CHECK(merged.exchange == nullptr);
    CHECK(merged.trivial_messages == 2);
    CHECK(entries.find(Call::MPI_Allgather, {Algorithm::shared, {}}).trivial_messages == 2);
}

TEST_CASE("An entry that serves a size carries it until none serves any")
{
    SmallGraph small_graph;
    EntryTable& entries = small_graph.table;
    Choice small{Algorithm::merged, {}};
    small.sizes = {0, 100};
    SelectionEntry& entry = entries.find(Call::MPI_Neighbor_alltoall, small);
    CHECK(entries.serving(Call::MPI_Neighbor_alltoall, 100) == nullptr);
    entries.serve(entry);
    CHECK(entries.serving(Call::MPI_Neighbor_alltoall, 100) == &entry);
    CHECK(entries.serving(Call::MPI_Neighbor_alltoall, 101) == nullptr);
    CHECK(entries.serving(Call::MPI_Neighbor_allgather, 100) == nullptr);
    CHECK(entries.passing(Call::MPI_Neighbor_alltoall) == nullptr);
    entries.serve_none();
    CHECK(entries.serving(Call::MPI_Neighbor_alltoall, 100) == nullptr);
}

TEST_CASE("Only calls that the library carries for good pass")
{
    SmallGraph small_graph;
    EntryTable& entries = small_graph.table;
    SelectionEntry& entry =
        entries.find(Call::MPI_Neighbor_alltoall, {Algorithm::native, hopscotch::schedules::reason::native_asked_for});
    entries.serve(entry);
    CHECK(entries.passing(Call::MPI_Neighbor_alltoall) == nullptr); // a trial may say more
    entry.settled = true;
    CHECK(entries.passing(Call::MPI_Neighbor_alltoall) == &entry);
    CHECK(entries.passing(Call::MPI_Neighbor_allgather) == nullptr);
}
