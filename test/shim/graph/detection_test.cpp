// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Detection of a new communicator: lists, degrees, group, tags, memory, and the reason if it stays native.
#include "test/catch.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"
#include "test/shim/report/files.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// The least and the most entries of all lists that are processes.
std::pair<int, int> degrees(const Job& job, std::vector<int> schedules::Edges::*list)
{
    std::vector<int> all;
    for (const schedules::Edges& edges : job.edges)
        all.push_back(static_cast<int>((edges.*list).size()) - schedules::count_of(edges.*list, schedules::no_rank));
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return {*least, *most};
}

} // namespace

TEST_CASE("A random job is seen with its lists, degrees and matching positions")
{
    for (unsigned number = 0; number < 8; ++number) {
        std::mt19937 random(seed() + number);
        const Job job = random_job(random);
        INFO("seed " << seed() + number << ": " << describe(job));
        const JobCommunicator comm(job);
        const Detected detected = detect(comm.get());
        const schedules::Edges& edges = job.edges[static_cast<std::size_t>(world().rank)];
        const Graph& graph = *detected.graph;
        CHECK(graph.edges.sources == edges.sources);
        CHECK(graph.edges.destinations == edges.destinations);
        CHECK(graph.ranks == world().size);
        CHECK(std::pair(graph.out_degree_min, graph.out_degree_max) == degrees(job, &schedules::Edges::destinations));
        CHECK(std::pair(graph.in_degree_min, graph.in_degree_max) == degrees(job, &schedules::Edges::sources));
        if (graph.out_degree_max == 0) {
            CHECK(graph.native_reason == schedules::reason::no_neighbor);
            continue;
        }
        REQUIRE(detected.group != nullptr);
        CHECK(graph.is_ready());
        CHECK(detected.tags.first > 0);
        CHECK((graph.source_orders != nullptr) == graph.parallel_edges);
        CHECK((detected.segment != nullptr) == (detected.group->most_on_node() > 1));
        CHECK((detected.staging != nullptr) == (detected.segment != nullptr && detected.group->nodes() > 1));
        CHECK_FALSE(detected.may_reorder);
        // Every block finds its place at its sender.
        REQUIRE(graph.remote_positions.size() == edges.sources.size());
        for (std::size_t slot = 0; slot < edges.sources.size(); ++slot) {
            const int source = edges.sources[slot];
            if (source == schedules::no_rank)
                continue;
            const std::vector<int>& list = job.edges[static_cast<std::size_t>(source)].destinations;
            const std::vector<int> positions = schedules::positions(list);
            int order = graph.edges.source_order[slot];
            std::size_t sent = 0;
            for (; sent < list.size(); ++sent)
                if (list[sent] == world().rank && order-- == 0)
                    break;
            REQUIRE(sent < list.size());
            CHECK(graph.remote_positions[slot] == positions[sent]);
        }
    }
}

TEST_CASE("Many neighbors, most of them MPI_PROC_NULL, are no obstacle")
{
    const int size = world().size;
    Job job;
    job.topology = schedules::Topology({size}, {true});
    for (int rank = 0; rank < size; ++rank) {
        std::vector<int> sources(40, schedules::no_rank);
        std::vector<int> destinations = sources;
        sources[30] = (rank + size - 1) % size;
        destinations[7] = (rank + 1) % size;
        const std::vector<int> orders(40, 0);
        job.edges.push_back({rank, destinations, sources, orders, orders});
    }
    const JobCommunicator comm(job);
    const Detected detected = detect(comm.get());
    REQUIRE(detected.graph->remote_positions.size() == 40);
    CHECK(detected.graph->remote_positions[30] == 0);
    CHECK(detected.graph->out_degree_max == 1);
}

TEST_CASE("Rank 0 of a graph on several nodes has counted the edges between them")
{
    if (world().size == 1)
        return;
    const JobCommunicator comm(ring_job());
    const Detected detected = detect(comm.get());
    REQUIRE(detected.graph->isomorphic());
    const schedules::EdgeCounts& edges = detected.graph->edge_counts;
    const bool counts = world().rank == 0 && detected.group->nodes() > 1;
    CHECK(edges.all == (counts ? 2 * world().size : 0));
    CHECK((edges.now > 0) == counts);
    CHECK(edges.mapped <= edges.now);
    Settings settings;
    settings.report = "off";
    CHECK(detect(comm.get(), settings).graph->edge_counts.all == 0); // nobody asks
}

TEST_CASE("Two communicators never share tags, and processes know them by the same number")
{
    std::mt19937 random(seed());
    const Job job = random_job(random);
    const JobCommunicator first(job);
    const JobCommunicator second(job);
    const Detected one = detect(first.get());
    const Detected other = detect(second.get());
    CHECK(one.key != other.key);
    if (one.group != nullptr && one.group == other.group)
        CHECK(one.tags.first != other.tags.first);
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    CHECK(consensus.all_equal(static_cast<std::int64_t>(one.key)));
    CHECK(one.key >> 32 == 0); // the first process
    CHECK(consensus.all_equal(one.tags.first));
}

TEST_CASE("Lists that disagree are carried by the MPI library")
{
    if (world().size < 2)
        return;
    Job job;
    job.topology = schedules::Topology({world().size}, {true});
    for (int rank = 0; rank < world().size; ++rank) {
        const std::vector<int> next_rank{(rank + 1) % world().size};
        const std::vector<int> previous{(rank + world().size - 1) % world().size};
        job.edges.push_back({rank, next_rank, rank == 0 ? std::vector<int>{} : previous, {0}, {0}});
    }
    const JobCommunicator comm(job);
    Settings settings;
    for (const bool infer : {true, false}) { // true: processes get the lists of all
        settings.infer = infer;
        const Detected detected = detect(comm.get(), settings);
        CHECK(detected.graph->native_reason == schedules::reason::lists_disagree);
        CHECK(detected.group == nullptr);
    }
}

TEST_CASE("Lists that a program gives later are looked at anew")
{
    const bool disagree = GENERATE(true, false);
    const JobCommunicator comm(ring_job());
    const Detected first = detect(comm.get());
    Graph later = *first.graph;
    later.declined = schedules::reason::not_isomorphic;
    if (disagree && world().rank == 0) {
        later.edges.destinations.clear();
        later.edges.destination_order.clear();
    }
    CollectiveConsensus consensus(comm.get());
    const Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, nullptr, std::nullopt, &later, true};
    const Detected detected = conclude(propose(consensus, origin, 1), consensus, Settings()).value();
    CHECK(detected.graph->native_reason == (disagree ? schedules::reason::lists_disagree : schedules::reason::none));
    if (first.graph->node_neighborhood != nullptr && !disagree)
        CHECK(detected.graph->node_neighborhood != first.graph->node_neighborhood);
}

TEST_CASE("All know the values of two processes")
{
    const int size = world().size;
    for (const bool twice : {false, true}) { // rank 0 sends to rank 1 by two edges
        Job job;
        job.topology = schedules::Topology({size}, {true});
        for (int rank = 0; rank < size; ++rank)
            job.edges.push_back({rank, {(rank + 1) % size}, {(rank + size - 1) % size}, {0}, {0}});
        if (twice) {
            job.edges[0].destinations.push_back(1 % size);
            job.edges[static_cast<std::size_t>(1 % size)].sources.push_back(0);
        }
        const JobCommunicator comm(job);
        const Detected detected = detect(comm.get());
        CHECK(detected.graph->is_ready());
        CHECK(detected.graph->parallel_edges == twice);
        CHECK_FALSE((detected.graph->nonstandard_order && world().rank > 1)); // the others have one edge each
        CHECK(detected.graph->unequal_degrees == (twice && size > 1));
    }
}

TEST_CASE("A rank that does not exist is no neighbor")
{
    Job job;
    job.edges.resize(static_cast<std::size_t>(world().size));
    for (schedules::Edges& edges : job.edges)
        edges.destinations = edges.sources = {world().size};
    std::optional<JobCommunicator> comm;
    try {
        const ReturningErrors returned(MPI_COMM_WORLD);
        comm.emplace(job);
    } catch (const MpiError&) {
        SUCCEED("the library, as Open MPI, makes no such communicator");
        return;
    }
    const Detected detected = detect(comm->get());
    CHECK(detected.group == nullptr);
    CHECK(detected.graph->native_reason == schedules::reason::no_such_rank);
}

TEST_CASE("A graph made from a grid is looked at, unless the library takes it for a grid, too")
{
    const int extent = world().size, periodic = 0, none = 0;
    MPI_Comm grid = MPI_COMM_NULL, graph = MPI_COMM_NULL;
    check(MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, &grid));
    check(MPI_Dist_graph_create_adjacent(grid, 0, &none, MPI_UNWEIGHTED, 0, &none, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                         &graph));
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(graph, &kind));
    if (kind == MPI_DIST_GRAPH)
        CHECK(detect(graph).graph != nullptr);
    else // Open MPI 5.0.7, which ends the program if it is asked for the neighbors
        CHECK_THROWS_AS(detect(graph), MpiError);
    for (MPI_Comm* comm : {&graph, &grid})
        check(MPI_Comm_free(comm));
}

TEST_CASE("A communicator without wanted messages has none")
{
    const JobCommunicator comm(ring_job());
    Settings settings;
    settings.algorithms.fill(Algorithm::native);
    CHECK(detect(comm.get(), settings).graph->native_reason == schedules::reason::native_asked_for);
    CHECK(detect(comm.get()).graph->is_ready());
    settings.algorithms.fill(Algorithm::merged);
    const Detected merged = detect(comm.get(), settings);
    CHECK(merged.graph->is_ready());
    CHECK(merged.staging == nullptr);
}

TEST_CASE("A process that cannot look at a communicator tells the others")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    if (world().rank == world().size - 1) {
        CollectiveConsensus consensus(comm.get());
        give_up(consensus);
        return;
    }
    CHECK_FALSE(detect_if_possible(comm.get()));
}

TEST_CASE("All processes of this job are in its world")
{
    CHECK(is_within_world(MPI_COMM_WORLD));
    CHECK(is_within_world(MPI_COMM_SELF));
}

TEST_CASE("Graphs of the same processes use the same memory in turn, if all of them have it to spare")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(ring_job());
    Detected first = detect(comm.get());
    if (first.segment == nullptr)
        return;
    const std::int64_t id = first.segment->id();
    const Detected beside = detect(comm.get());
    CHECK(beside.segment->id() != id);
    first.segment.reset();
    Detected next = detect(comm.get());
    CHECK(next.segment->id() == id);
    next.segment.reset();
    const auto withheld = world().rank == 0 ? Segment::take_spare(*first.group) : nullptr;
    Detected after = detect(comm.get());
    REQUIRE(after.segment != nullptr);
    CHECK(after.segment->id() != id);
    after.segment.reset();
    const JobCommunicator wide(
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {1, -1, 2, -2}), random));
    const Detected larger = detect(wide.get());
    CHECK(larger.segment->has_rooms(
        schedules::rooms_of_streams(larger.group->most_on_node(), larger.graph->out_degree_max)));
}

TEST_CASE("A graph from a place whose graphs went away unused waits, unless the library would carry it differently")
{
    static int place = 0;
    const std::vector<void*> call_site{&place};
    const auto made = [&](MPI_Comm comm, Reordering reordering, const Graph* duplicate_of, ParallelEdges edges) {
        CollectiveConsensus consensus(comm);
        Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, &call_site, std::nullopt, duplicate_of};
        origin.reordering = reordering;
        Settings settings;
        settings.parallel_edges = edges;
        return conclude(propose(consensus, std::move(origin), hash_of(settings)), consensus, settings).value();
    };
    const auto waits = [&](const JobCommunicator& comm, Reordering reordering = Reordering::not_allowed,
                           const Graph* duplicate_of = nullptr, ParallelEdges edges = ParallelEdges::library) {
        const Detected detected = made(comm.get(), reordering, duplicate_of, edges);
        CHECK(detected.may_reorder == (reordering == Reordering::wanted));
        return detected.set_up_later != nullptr;
    };
    const int size = world().size;
    Job job;
    for (int rank = 0; rank < size; ++rank)
        job.edges.push_back({rank, {(rank + 1) % size}, {(rank + size - 1) % size}, {0}, {0}});
    const JobCommunicator ring(job);
    for (schedules::Edges& edges : job.edges) {
        edges.destinations.resize(2, edges.destinations.front());
        edges.sources.resize(2, edges.sources.front());
    }
    const JobCommunicator doubled(job);
    for (schedules::Edges& edges : job.edges)
        edges = {edges.rank, {edges.destinations.front()}, {edges.sources.front()}, {0}, {0}};
    job.edges.front().sources.push_back(schedules::no_rank);
    const JobCommunicator unequal(job);
    const Detected used = made(ring.get(), Reordering::not_allowed, nullptr, ParallelEdges::library);
    for (std::int64_t gone = 1; gone < unused_before_lazy; ++gone)
        note_end(used.site, Use::none);
    CHECK_FALSE(waits(ring));
    if (world().rank == 0)
        note_end(used.site, Use::none);
    CHECK(waits(ring) == (size == 1)); // a record may live longer on one process than on another
    if (world().rank != 0)
        note_end(used.site, Use::none);
    CHECK(waits(ring));
    CHECK_FALSE(waits(ring, Reordering::wanted));
    CHECK_FALSE(waits(ring, Reordering::not_allowed, used.graph.get()));
    CHECK(waits(ring, Reordering::not_allowed, nullptr, ParallelEdges::standard));
    CHECK(waits(doubled));
    CHECK_FALSE(waits(doubled, Reordering::not_allowed, nullptr, ParallelEdges::standard));
    CHECK_FALSE(waits(unequal));
    Detected later = made(ring.get(), Reordering::not_allowed, nullptr, ParallelEdges::library);
    const std::shared_ptr<const Graph> not_set_up = later.graph;
    CHECK(not_set_up->state == GraphState::waiting);
    CHECK(not_set_up->native_reason == schedules::reason::waiting);
    REQUIRE(later.set_up_later != nullptr);
    CHECK(later.set_up_later->spare == nullptr); // others may use it meanwhile
    set_up(later, *later.set_up_later, {});
    CHECK(later.graph->is_ready());
    CHECK(not_set_up->state == GraphState::waiting); // a set-up makes another graph
    CHECK(later.graph->remote_positions == std::vector<int>{0});
    if (Detected before = detect(ring.get()); before.segment != nullptr) { // no memory is kept for one that waits
        const std::int64_t id = before.segment->id();
        before.segment.reset();
        const Detected waiting = made(ring.get(), Reordering::not_allowed, nullptr, ParallelEdges::library);
        CHECK(waiting.set_up_later != nullptr);
        CHECK(detect(ring.get()).segment->id() == id);
    }
    note_use(used.site);
    CHECK_FALSE(waits(ring));
    for (std::int64_t gone = 0; gone < brief_before_lazy; ++gone) // on all processes but one
        if (world().rank != 0)
            note_end(used.site, Use::brief);
    CHECK_FALSE(waits(ring));
    for (std::int64_t gone = 0; gone < brief_before_lazy; ++gone)
        note_end(used.site, Use::brief);
    CHECK(waits(ring) == (used.group->nodes() > 1)); // its set-up sends no message on one node
    CHECK_FALSE(waits(unequal));
    for (schedules::Edges& edges : job.edges) { // lists that no other test has, even with one process
        edges.destinations.resize(10, schedules::no_rank);
        edges.sources.resize(10, schedules::no_rank);
    }
    const JobCommunicator other(job);
    CHECK(made(other.get(), Reordering::not_allowed, nullptr, ParallelEdges::library).rented_calls == few_calls);
}

TEST_CASE("Processes with another version of the protocol, or with other settings, are left to the MPI library")
{
    const JobCommunicator comm(ring_job());
    CollectiveConsensus consensus(comm.get());
    const auto proposed = [&consensus](std::uint64_t settings_hash) {
        return propose(consensus, {Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, nullptr, std::nullopt},
                       settings_hash);
    };
    auto proposal = proposed(1);
    const std::int64_t version = proposal->agreement[Field::version_max];
    CHECK(version > 0);
    if (world().rank == 0)
        proposal->agreement.set_range(Field::version_max, Field::version_min, version + 1);
    const Detected detected = conclude(std::move(proposal), consensus, {}).value();
    CHECK((detected.graph->native_reason == schedules::reason::other_version) == (world().size > 1));
    const Detected others = conclude(proposed(world().rank == 0 ? 2 : 1), consensus, {}).value();
    CHECK((others.graph->native_reason == schedules::reason::other_settings) == (world().size > 1));
}

TEST_CASE("The first process gives the number of a communicator, its tags and its place in the program")
{
    static int place = 0;
    const std::vector<void*> call_site{&place};
    const JobCommunicator comm(ring_job());
    const Detected before = detect(comm.get());
    CollectiveConsensus consensus(comm.get());
    const auto proposal = propose(consensus,
                                  {Call::MPI_Dist_graph_create_adjacent,
                                   MPI_COMM_NULL,
                                   {{schedules::Topology({world().size}, {true}), schedules::GridOrigin::hint}},
                                   &call_site,
                                   std::nullopt},
                                  1);
    REQUIRE(proposal->group == before.group);
    const bool is_first = world().rank == 0;
    CHECK((proposal->agreement[Field::serial] != 0) == is_first);
    CHECK((proposal->agreement[Field::tag_block] != 0) == is_first);
    CHECK((proposal->agreement[Field::call_site] != 0) == is_first);
    CHECK(proposal->agreement[Field::group_max] == before.group->id());
    CHECK(proposal->agreement.equal(Field::group_max, Field::group_min));
    CHECK(proposal->agreement[Field::hints_max] != 0);
}

TEST_CASE("Algorithms and the reason for ranks as they are hold if all processes give them")
{
    const JobCommunicator comm(ring_job());
    CollectiveConsensus consensus(comm.get());
    const auto detected = [&consensus](Algorithm algorithm, Reordering reordering, std::string reorder) {
        Algorithms algorithms;
        algorithms.fill(algorithm);
        Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, nullptr, algorithms};
        origin.reordering = reordering;
        origin.reorder = std::move(reorder);
        return conclude(propose(consensus, std::move(origin), 1), consensus, Settings()).value();
    };
    const Detected alike = detected(Algorithm::merged, Reordering::not_wanted, "");
    REQUIRE(alike.graph->algorithms.has_value());
    CHECK(alike.graph->algorithms->front() == Algorithm::merged);
    CHECK(alike.graph->reorder == reordering_not_asked_for);
    CHECK(detected(Algorithm::merged, Reordering::not_wanted, "a test").graph->reorder == "a test");
    const std::string words = stderr_of([&] {
        const Detected other =
            detected(world().rank == 0 ? Algorithm::trivial : Algorithm::merged, Reordering::not_allowed, "");
        CHECK(other.graph->algorithms.has_value() == (world().size == 1));
        CHECK(other.graph->reorder.empty());
    });
    const bool warns = world().rank == 0 && world().size > 1;
    CHECK((words.find("different values of the info key hopscotch_algorithm") != std::string::npos) == warns);
}

TEST_CASE("A graph that is left to the library gives back the memory of its calls")
{
    const JobCommunicator comm(ring_job());
    Detected detected = detect(comm.get());
    const std::weak_ptr<StagingBuffers> staging = detected.staging;
    const std::weak_ptr<Segment> segment = detected.segment;
    CHECK(segment.expired() == (detected.group->most_on_node() == 1));
    CHECK(staging.expired() == (segment.expired() || detected.group->nodes() == 1));
    leave_to_library(detected, schedules::reason::native_asked_for);
    CHECK(staging.expired());
    CHECK(segment.expired());
    CHECK(detected.graph->native_reason == schedules::reason::native_asked_for);
}
