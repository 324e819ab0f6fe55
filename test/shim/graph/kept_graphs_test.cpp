// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The last graphs are kept, found by equal inputs of their set-up alone, and taken over if all processes keep the same.
#include "test/catch.hpp"

#include "shim/graph/kept_graphs.hpp"
#include "shim/graph/known_grids.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"
#include "test/shim/memory/spares.hpp"

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
        const auto graph = std::make_shared<Graph>();
        graph->edges = edges;
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
        keep_graph(inputs.get(), 3000, std::make_shared<const Graph>(partial));
        CHECK(inputs.found() == (processes > most_kept_edges ? 0 : 3000));
    }
}

TEST_CASE("A graph with the lists of an earlier one takes its neighborhood over, if all processes keep the same one")
{
    const int size = world().size;
    Job job;
    for (int rank = 0; rank < size; ++rank) { // two edges, which the library is asked to match
        const int after = (rank + 1) % size;
        const int before = (rank + size - 1) % size;
        job.edges.push_back({rank, {after, after}, {before, before}, {0, 1}, {0, 1}});
    }
    const JobCommunicator ring(job);
    Settings settings;
    settings.parallel_edges = ParallelEdges::library;
    Detected first = detect(ring.get(), settings);
    REQUIRE(first.graph->source_orders != nullptr);
    const JobCommunicator like(job);
    const Detected again = detect(like.get(), settings);
    CHECK(again.graph->source_orders == first.graph->source_orders);
    CHECK(again.graph->remote_positions == first.graph->remote_positions);
    CHECK(again.graph->topology == first.graph->topology);
    CHECK(again.graph->stencil == first.graph->stencil);
    CHECK(again.key != first.key);
    CHECK(again.tags.first != first.tags.first);
    if (again.segment != nullptr)
        CHECK(again.segment != first.segment);
    first.segment.reset(); // the next one needs no other memory, and shares the graph if all asks for the same
    const auto shares = [&](std::string reorder) {
        CollectiveConsensus consensus(like.get());
        Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, nullptr, std::nullopt};
        origin.reorder = std::move(reorder);
        const Detected other = conclude(propose(consensus, origin, hash_of(settings)), consensus, settings).value();
        CHECK(other.graph->source_orders == first.graph->source_orders);
        CHECK(other.graph->reorder == origin.reorder);
        return other.graph == first.graph;
    };
    CHECK(shares("") == (first.group->nodes() == 1));
    CHECK_FALSE(shares("a test"));
    Settings others = settings;
    others.infer = !others.infer;
    CHECK(detect(like.get(), others).graph->source_orders != first.graph->source_orders);
    std::vector<Candidate> hints;
    if (world().rank == 0)
        hints.push_back({schedules::Topology({size}, {false}), schedules::GridOrigin::hint});
    CHECK(detect(like.get(), settings, hints).graph->source_orders != first.graph->source_orders);
    job.edges.front().destinations.push_back(schedules::no_rank);
    job.edges.front().sources.push_back(schedules::no_rank);
    const JobCommunicator other(job);
    const Detected differing = detect(other.get(), settings);
    CHECK(differing.graph->source_orders != first.graph->source_orders);
    CHECK(differing.graph->edges.destinations.size() == (world().rank == 0 ? 3 : 2));
}

TEST_CASE("A kept graph takes no memory that is too small for it")
{
    const JobCommunicator ring(ring_job());
    Detected first = detect(ring.get());
    if (!first.graph->is_ready())
        return;
    const std::shared_ptr<Segment> held = std::move(first.segment);
    const SparesOfOthers others(*first.group);
    const Ground ground{*first.group, ring.get(), first.tags.set_up()};
    Segment::create(ground, {100}, first.group->id() + 1000); // of one stream, and now to spare
    const JobCommunicator like(ring_job());
    const Detected again = detect(like.get());
    CHECK((again.segment != nullptr) == (held != nullptr));
    CHECK(Segment::take_spare(*first.group)->buffer_bytes(0) < 5000);
}
