// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process grid is found if there is one, and reported as missing if there is none.
#include "test/catch.hpp"

#include "shim/base/log.hpp"
#include "shim/graph/grid_search.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"
#include "test/shim/report/files.hpp"

#include <tuple>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// True if the detected grid and stencil give every process its neighbors.
bool explains(const Graph& graph)
{
    return schedules::explains(graph.topology, graph.stencil, graph.edges.rank, graph.edges.destinations,
                               graph.edges.sources);
}

/// Process 0 is the neighbor of all.
Job star()
{
    return graph_where(world().size, [](int from, int to) { return from == 0 || to == 0; });
}

} // namespace

TEST_CASE("The grid that is found explains the neighbors of every process; that of a torus is found by a hint")
{
    for (unsigned number = 0; number < 12; ++number) {
        std::mt19937 random(seed() + number);
        const Job job = random_job(random);
        INFO("seed " << seed() + number << ": " << describe(job));
        const JobCommunicator comm(job);
        const Detected inferred = detect(comm.get());
        if (!inferred.graph->is_ready())
            continue;
        const Detected hinted = detect(comm.get(), {}, {{job.topology, schedules::GridOrigin::hint}});
        // A mesh is left alone if each process sees less than half of its stencil and combining would not pay.
        if (job.topology.fully_periodic()) {
            CHECK(hinted.graph->isomorphic());
            CHECK(hinted.graph->found == schedules::GridOrigin::hint);
        }
        if (job.stencil.size() <= 2 * hinted.graph->out_degree_max)
            CHECK(hinted.graph->isomorphic());
        if (hinted.graph->isomorphic())
            CHECK(explains(*hinted.graph));
        if (inferred.graph->isomorphic())
            CHECK(explains(*inferred.graph));
        CollectiveConsensus consensus(MPI_COMM_WORLD);
        CHECK(consensus.all_equal(inferred.graph->isomorphic() ? 1 : 0));
    }
}

TEST_CASE("A mesh of which no process sees the whole stencil is that of a hint, if there is one")
{
    if (world().size != 4)
        return;
    Job job{schedules::Topology({4}, {false}), schedules::Stencil(1, {3, -2}), {}};
    for (int rank = 0; rank < 4; ++rank)
        job.edges.push_back({rank, {}, {}, {}, {}});
    for (const auto& [from, to] : {std::pair{0, 3}, std::pair{2, 0}, std::pair{3, 1}}) {
        job.edges[static_cast<std::size_t>(from)].destinations = {to};
        job.edges[static_cast<std::size_t>(to)].sources = {from};
    }
    const JobCommunicator comm(job);
    CHECK(detect(comm.get()).graph->found == schedules::GridOrigin::inferred);
    const Detected hinted = detect(comm.get(), {}, {{job.topology, schedules::GridOrigin::hint}});
    CHECK(hinted.graph->found == schedules::GridOrigin::hint);
    CHECK(explains(*hinted.graph));
}

TEST_CASE("Hints that differ between processes are not used")
{
    const JobCommunicator comm(ring_job());
    const std::vector<Candidate> hints{
        {schedules::Topology({world().size}, {world().rank == 0}), schedules::GridOrigin::hint}};
    const Detected detected = detect(comm.get(), {}, hints);
    CHECK(detected.graph->isomorphic());
    if (world().size > 1)
        CHECK(detected.graph->found != schedules::GridOrigin::hint);
}

TEST_CASE("A graph without any grid is declined, with the number of grids tried")
{
    if (world().size < 5)
        return;
    const JobCommunicator comm(star());
    const Detected detected = detect(comm.get());
    CHECK(detected.graph->is_ready());
    CHECK_FALSE(detected.graph->isomorphic());
    CHECK_THAT(detected.graph->declined.text(), contains("no process grid explains the neighbors of all processes"));
    CHECK_THAT(detected.graph->declined.text(), contains(" grids tried)"));
    Settings settings;
    settings.infer = false;
    const Detected known =
        detect(comm.get(), settings, {{schedules::Topology({world().size}, {true}), schedules::GridOrigin::hint}});
    CHECK_THAT(known.graph->declined.text(), contains("no process grid that is known explains the neighbors"));
}

TEST_CASE("A search that was broken off says so, on the graph of all and once in the log")
{
    if (world().size < 5)
        return;
    const JobCommunicator comm(star());
    const Graph graph = *detect(comm.get()).graph;
    CollectiveConsensus consensus(comm.get());
    const int degree = world().size - 1;
    const std::size_t most = schedules::most_covered(static_cast<std::size_t>(world().size * degree));
    const Candidate ring{schedules::Topology({world().size}, {true}), schedules::GridOrigin::hint};
    for (const std::size_t more : {0, 1}) {
        Graph searched = graph;
        const ShownGrids shown{std::vector<Candidate>(most + more, ring), {}};
        set_log_level(LogLevel::info);
        const std::string words = stderr_of([&] {
            CHECK(search_grid(consensus, searched, shown, false, false, 0, degree)); // the lists agree
        });
        set_log_level(LogLevel::warn);
        CHECK(words.empty() == (world().rank != 0 || more == 0));
        // They are tried one by one, then together.
        CHECK_THAT(searched.declined.text(), contains(" (" + std::to_string(2 * most + more) + " grids tried" +
                                                      (more == 0 ? ")" : ", not all that may be)")));
    }
}

TEST_CASE("Nothing is inferred if that is switched off")
{
    const JobCommunicator comm(ring_job());
    Settings settings;
    settings.infer = false;
    const Detected detected = detect(comm.get(), settings);
    CHECK_FALSE(detected.graph->isomorphic());
    CHECK(detected.graph->is_ready());
    if (world().size > 1)
        CHECK(detected.graph->declined == schedules::reason::no_grid_known);
}

TEST_CASE("A graph that is almost a grid is combined in part, on places that all processes have shown")
{
    if (world().size != 4)
        return;
    Settings settings;
    settings.algorithms.fill(Algorithm::combining);
    const auto partial = [&settings] { // all edges but one
        const JobCommunicator comm(graph_where(4, [](int from, int to) { return from != 0 || to != 1; }));
        const Detected detected = detect(comm.get(), settings);
        CHECK_FALSE(detected.graph->isomorphic());
        return detected.graph->partial;
    };
    const auto guessed = partial();
    REQUIRE(guessed != nullptr);
    CHECK(guessed->messages < guessed->merged_messages);
    CHECK(guessed->merged_messages == 11);
    settings.grid = ProcessGrid{{2, 2}, {true, true}};
    const auto given = partial();
    REQUIRE(given != nullptr);
    CHECK(given->found != guessed->found);
    settings.grid = ProcessGrid{{4}, {true}};
    const auto better = partial();
    settings.infer = false; // with the same lists and the same grid
    const auto known = partial();
    REQUIRE(better != nullptr);
    CHECK(better->found != schedules::GridOrigin::hint);
    CHECK(known == nullptr);
    settings.infer = true;
    settings.grid.reset();
    // Ranks 0 and 1 lie on a diagonal.
    const int cell_of_rank[] = {0, 3, 1, 2};
    record_grid({2, 2}, {true, true}, cell_of_rank[world().rank]);
    const auto shown = partial();
    REQUIRE(shown != nullptr);
    CHECK(shown->found == schedules::GridOrigin::recorded);
    CHECK(shown->cell_of_rank == std::vector<int>(std::begin(cell_of_rank), std::end(cell_of_rank)));
    record_grid({2, world().rank == 0 ? 3 : 2}, {false, false}, cell_of_rank[world().rank]);
    const auto differing = partial();
    REQUIRE(differing != nullptr);
    CHECK(differing->found != schedules::GridOrigin::recorded);
    settings.algorithms.fill(Algorithm::merged);
    CHECK(partial() == nullptr);
    settings.algorithms.fill(Algorithm::automatic);
    CHECK((partial() != nullptr) == (test_group().group->nodes() > 1));
}

TEST_CASE("The grid of a Cartesian communicator, or of a parent of that kind, is known")
{
    const int extent = world().size, periodic = 1;
    MPI_Comm grid = MPI_COMM_NULL;
    check(MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, &grid));
    Settings settings;
    settings.infer = false;
    const schedules::Topology ring({extent}, {true});
    Job job;
    for (int rank = 0; rank < extent; ++rank)
        job.edges.push_back({rank, {(rank + 1) % extent}, {(rank + extent - 1) % extent}, {0}, {0}});
    const JobCommunicator graph(job);
    for (const auto& [comm, parent, call] : {std::tuple(grid, MPI_COMM_NULL, Call::MPI_Cart_create),
                                             std::tuple(graph.get(), grid, Call::MPI_Dist_graph_create_adjacent)}) {
        CollectiveConsensus consensus(comm);
        const Detected detected =
            conclude(propose(consensus, {call, parent, {}, nullptr, std::nullopt}, hash_of(settings)), consensus,
                     settings)
                .value();
        CHECK(detected.graph->isomorphic());
        CHECK(detected.graph->topology == ring);
        CHECK(detected.graph->edges.destinations.size() == (comm == grid ? 2 : 1));
    }
    check(MPI_Comm_free(&grid));
}
