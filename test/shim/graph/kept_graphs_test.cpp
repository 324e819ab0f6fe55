// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The last graphs are kept, and found by equal inputs of their set-up alone.
#include "test/catch.hpp"

#include "shim/graph/kept_graphs.hpp"
#include "shim/graph/known_grids.hpp"
#include "test/processes.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Inputs that a test changes.
struct Inputs {
    TestGroup test = test_group();
    std::uint64_t settings_hash = 1;
    int topology_kind = MPI_DIST_GRAPH;
    schedules::Edges edges;
    std::vector<Candidate> hints;
    std::optional<schedules::Topology> grid;
    std::optional<Algorithms> algorithms;

    explicit Inputs(int neighbor) : edges{world().rank, {neighbor}, {neighbor}, {0}, {0}} {}

    SetUpInputs get() const { return {settings_hash, test.group, topology_kind, edges, hints, grid, algorithms}; }
    void keep(std::int64_t id) const
    {
        Graph graph;
        graph.edges = edges;
        keep_graph(get(), id, graph);
    }
    std::int64_t found() const
    {
        const auto kept = find_kept_graph(get());
        return kept != nullptr ? kept->id : 0;
    }
};

} // namespace

TEST_CASE("A graph is found by all inputs of its set-up, and no other")
{
    Inputs inputs(1000);
    CHECK(inputs.found() == 0);
    inputs.keep(7);
    CHECK(inputs.found() == 7);
    const auto found_after = [&inputs](auto&& change) {
        Inputs changed = inputs;
        change(changed);
        return changed.found();
    };
    const schedules::Topology line({1000}, {false});
    CHECK(found_after([](Inputs&) {}) == 7);
    CHECK(found_after([](Inputs& changed) { changed.settings_hash = 2; }) == 0);
    CHECK(found_after([](Inputs& changed) { changed.topology_kind = MPI_GRAPH; }) == 0);
    CHECK(found_after([](Inputs& changed) { changed.edges.rank += 1; }) == 0);
    CHECK(found_after([](Inputs& changed) { changed.edges.sources = {1001}; }) == 0);
    CHECK(found_after([](Inputs& changed) { changed.edges.destinations = {1001}; }) == 0);
    CHECK(found_after([&](Inputs& changed) { changed.hints = {{line, schedules::GridOrigin::hint}}; }) == 0);
    CHECK(found_after([&](Inputs& changed) { changed.grid = line; }) == 0);
    CHECK(found_after([](Inputs& changed) { changed.algorithms.emplace().fill(Algorithm::merged); }) == 0);
    CHECK(found_after([](Inputs& changed) {
              changed.test.group = std::make_shared<ProcessGroup>(changed.test.group->members(), 4711, Settings());
          }) == 0);
    inputs.hints = {{line, schedules::GridOrigin::hint}};
    inputs.keep(8);
    CHECK(inputs.found() == 8);
    CHECK(found_after([&](Inputs& changed) { changed.hints = {{line, schedules::GridOrigin::recorded}}; }) == 0);
    CHECK(found_after([&](Inputs& changed) { changed.hints.clear(); }) == 7);
    inputs.keep(9); // in place of 8
    CHECK(inputs.found() == 9);
    const int processes = world().size;
    record_grid({processes + 1}, {false}, 0); // a search for a partial grid would begin there
    CHECK(inputs.found() == 0);
}

TEST_CASE("The graphs that were found last stay, and no very large ones")
{
    constexpr int most = static_cast<int>(most_kept_graphs);
    const Inputs first(2000);
    first.keep(1);
    for (int i = 1; i < most; ++i)
        Inputs(2000 + i).keep(1 + i);
    CHECK(first.found() == 1);
    Inputs(2000 + most).keep(1 + most);
    CHECK(first.found() == 1);
    CHECK(Inputs(2001).found() == 0);
    CHECK(Inputs(2002).found() == 3);
    Inputs large(0);
    large.edges.destinations.resize(most_kept_edges);
    large.keep(5000);
    CHECK(large.found() == 0);
    large.edges.sources.clear();
    large.keep(5000);
    CHECK(large.found() == 5000);
    Graph partial;
    partial.edges = {world().rank, {3000}, {3000}, {0}, {0}};
    partial.partial = std::make_shared<const schedules::PartialGrid>();
    Inputs inputs(3000);
    for (const std::size_t processes : {most_kept_edges + 1, most_kept_edges}) {
        partial.ranks = static_cast<int>(processes);
        keep_graph(inputs.get(), 3000, partial);
        CHECK(inputs.found() == (processes > most_kept_edges ? 0 : 3000));
    }
}
