// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The entries for one communicator's calls: requested algorithms, calls that stay native with their reasons, and
// results of trials.
#include "test/catch.hpp"

#include "schedules/grid/partial_grid.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/selection/combining_members.hpp"
#include "shim/selection/selection.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// A ring of all processes, with a requested algorithm.
struct RingSelection {
    JobCommunicator comm{ring_job()};
    Detected detected;
    ExchangePool pool;
    Selection selection;

    explicit RingSelection(Algorithm asked_for, bool has_memory = true, bool verify = false)
        : detected(detect(comm.get())), pool(comm.get(), detected),
          selection(detected, settings(asked_for, verify), pool)
    {
        if (!has_memory) {
            detected.staging.reset();
            detected.segment.reset();
        }
    }
    ~RingSelection()
    {
        selection.release();
        pool.release();
    }

    void take_graph(const Graph& graph)
    {
        detected.graph = std::make_shared<Graph>(graph);
        selection.choose_anew();
    }

    SelectionEntry& blocking(std::size_t bytes)
    {
        return selection.entry(Call::MPI_Neighbor_alltoall, Collective::alltoall, Completion::blocking, {bytes, bytes});
    }

  private:
    static Settings settings(Algorithm asked_for, bool verify)
    {
        Settings result;
        result.verify = verify;
        result.baseline = false;
        result.algorithms.fill(asked_for);
        return result;
    }
};

void make_calls_before_trials(RingSelection& ring, std::size_t bytes)
{
    for (std::uint64_t call = 1; call < schedules::Agreements::first_call; ++call)
        ring.blocking(bytes);
}

} // namespace

TEST_CASE("A requested algorithm carries every size, by one entry")
{
    RingSelection ring(Algorithm::merged);
    SelectionEntry& entry = ring.blocking(4);
    CHECK(entry.choice.algorithm == Algorithm::merged);
    CHECK(entry.exchange != nullptr);
    CHECK(&ring.blocking(4000) == &entry);
    CHECK(ring.selection.entries().size() == 1);
    CHECK(ring.selection.calls(Collective::alltoall, Completion::blocking) == 2);
    CHECK(ring.selection.entry_left_to_library(Call::MPI_Neighbor_alltoall) == nullptr);
    CHECK(ring.selection.take_trial() == nullptr);
}

TEST_CASE("Calls that pass are counted by their reason")
{
    RingSelection ring(Algorithm::merged);
    SelectionEntry& one = ring.selection.passed_entry(Call::MPI_Neighbor_alltoallv, schedules::reason::waiting);
    SelectionEntry& other = ring.selection.passed_entry(Call::MPI_Neighbor_alltoallv, schedules::reason::not_set_up);
    CHECK(&one != &other);
    CHECK(one.choice.reason == schedules::reason::waiting);
    CHECK(one.choice.algorithm == Algorithm::native);
    CHECK(&ring.selection.passed_entry(Call::MPI_Neighbor_alltoallv, schedules::reason::waiting) == &one);
}

TEST_CASE("A communicator that is settled to pass says so from its first call on")
{
    RingSelection ring(Algorithm::native);
    SelectionEntry& entry = ring.blocking(4);
    CHECK(entry.choice.algorithm == Algorithm::native);
    CHECK(ring.selection.entry_left_to_library(Call::MPI_Neighbor_alltoall) == &entry);
    ring.selection.choose_anew();
    CHECK(ring.selection.entry_left_to_library(Call::MPI_Neighbor_alltoall) == nullptr);
}

TEST_CASE("Auto tries its candidates in the same calls on all processes and keeps one of them")
{
    if (world().size == 1)
        return;
    RingSelection ring(Algorithm::automatic);
    make_calls_before_trials(ring, 8);
    std::set<Algorithm> tried;
    int calls = 0;
    bool in_trial = true;
    for (; calls < 100 && in_trial; ++calls) {
        SelectionEntry& entry = ring.blocking(8);
        Trial* const trial = ring.selection.take_trial();
        in_trial = trial != nullptr;
        if (in_trial) {
            tried.insert(entry.choice.algorithm);
            trial->note(1e-6);
        }
    }
    CHECK_FALSE(in_trial);
    CHECK(tried.size() > 1);
    if (ring.detected.group->nodes() == 1)
        CHECK(tried.count(Algorithm::native) == 0); // small blocks, and no baseline is wanted
    REQUIRE(ring.selection.trials().size() == 1);
    const Trial& trial = ring.selection.trials().begin()->second.trial;
    CHECK(trial.decided());
    CHECK(trial.candidates().size() == tried.size());
    CHECK(ring.blocking(8).choice.algorithm == trial.best().algorithm);
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    CHECK(consensus.all_equal(calls));
    CHECK(consensus.all_equal(static_cast<int>(trial.best().algorithm)));

    constexpr int most_calls = 4000;
    int later = 0;
    for (; later < most_calls; ++later) {
        ring.blocking(8);
        if (ring.selection.take_trial() != nullptr)
            break;
    }
    CHECK(later < most_calls); // all were equally fast
    CHECK(consensus.all_equal(later));
    CHECK(trial.in_progress());
}

TEST_CASE("Calls that are verified are not tried: the comparison would be measured")
{
    RingSelection ring(Algorithm::automatic, true, true);
    for (int calls = 0; calls < 100; ++calls) {
        ring.blocking(8);
        CHECK(ring.selection.take_trial() == nullptr);
    }
    CHECK(ring.selection.trials().empty());
}

TEST_CASE("Nonblocking calls are tried on several nodes whose processes have cores, if the library makes progress")
{
    RingSelection ring(Algorithm::automatic);
    if (world().size == 1)
        return;
    for (const Yield yield : {Yield::never, Yield::always}) {
        Settings settings;
        settings.yield = yield;
        const auto group = std::make_shared<ProcessGroup>(ring.detected.group->members(), 1, settings);
        Detected detected = detected_as(ring.detected.graph, {group, ring.detected.tags});
        detected.segment = ring.detected.segment;
        detected.staging = ring.detected.staging;
        for (int others = 0; others < 8; ++others) {
            const bool settled = (others & 1) != 0;
            const bool verify = (others & 2) != 0;
            const bool drives = (others & 4) != 0;
            settings.trial_calls = settled ? std::nullopt : Settings().trial_calls;
            settings.verify = verify;
            mutable_runtime().library_drives = drives;
            Selection selection(detected, settings, ring.pool);
            const SelectionEntry& entry =
                selection.entry(Call::MPI_Ineighbor_alltoall, Collective::alltoall, Completion::nonblocking, {8, 8});
            const bool tries = group->nodes() > 1 && yield == Yield::never && !settled && !verify && drives;
            CAPTURE(group->nodes(), yield == Yield::never, settled, verify, drives);
            CHECK((entry.tried != nullptr) == tries);
            selection.release();
        }
    }
    mutable_runtime().library_drives = false;
}

TEST_CASE("A process that wrongly passes another size uses the algorithm of the others on its node")
{
    RingSelection ring(Algorithm::automatic);
    if (world().size == 1 || ring.detected.group->nodes() > 1)
        return;
    constexpr std::size_t bytes = 100'000;
    make_calls_before_trials(ring, bytes);
    bool in_trial = true;
    for (int calls = 0; calls < 100 && in_trial; ++calls) {
        const SelectionEntry& entry = ring.blocking(bytes);
        Trial* const trial = ring.selection.take_trial();
        in_trial = trial != nullptr;
        if (in_trial)
            trial->note(entry.choice.algorithm == Algorithm::merged ? 1e-6 : 1e-2);
    }
    CHECK(ring.blocking(bytes).choice.algorithm == Algorithm::merged);
    CHECK(ring.blocking(8).choice.algorithm == Algorithm::merged);
}

TEST_CASE("Blocks above the limit of HOPSCOTCH_DEVICE are left to the library, whatever won for smaller ones")
{
    RingSelection ring(Algorithm::automatic);
    if (world().size == 1 || ring.detected.group->nodes() > 1)
        return;
    Graph graph = *ring.detected.graph;
    graph.most_staged_bytes = 1000;
    ring.take_graph(graph);
    make_calls_before_trials(ring, 8);
    for (bool in_trial = true; in_trial;) {
        ring.blocking(8);
        Trial* const trial = ring.selection.take_trial();
        in_trial = trial != nullptr;
        if (in_trial)
            trial->note(1e-6);
    }
    CHECK(ring.blocking(1000).choice.algorithm == Algorithm::shared);
    CHECK(ring.blocking(1001).choice.algorithm == Algorithm::native);
    CHECK(ring.blocking(1001).choice.reason == schedules::reason::large_on_devices);
}

TEST_CASE("A request does not wait for the progress of processes that forward")
{
    RingSelection ring(Algorithm::automatic);
    if (ring.detected.segment == nullptr)
        return;
    mutable_runtime().library_drives = true;
    CHECK(ring.selection.persistent_entry(Call::MPI_Neighbor_alltoall_init, Collective::alltoall, 8).choice.algorithm ==
          Algorithm::shared);
    mutable_runtime().library_drives = false;
}

TEST_CASE("If processes of one node alone give cores away, all choose as if they did")
{
    RingSelection ring(Algorithm::automatic);
    Settings settings;
    settings.baseline = false;
    settings.algorithms.fill(Algorithm::automatic);
    settings.yield = world().rank == 0 ? Yield::always : Yield::never;
    const auto group = std::make_shared<ProcessGroup>(ring.detected.group->members(), 1, settings);
    CHECK(group->yields() == (world().rank == 0));
    Detected detected = detected_as(ring.detected.graph, {group, ring.detected.tags});
    detected.segment = ring.detected.segment;
    Selection selection(detected, settings, ring.pool);
    for (int call = 0; call < 10 && group->nodes() == 1; ++call) {
        selection.entry(Call::MPI_Allgather, Collective::global_allgather, Completion::blocking, {8, 8});
        CHECK(selection.take_trial() == nullptr); // the library's function is no candidate
    }
    selection.release();
}

TEST_CASE("Blocks of their own and common blocks are aggregated up to limits of their own")
{
    RingSelection ring(Algorithm::automatic);
    if (ring.detected.group->nodes() == 1)
        return;
    Graph graph = *ring.detected.graph;
    graph.aggregated_up_to = {0, std::size_t{1} << 20};
    ring.take_graph(graph);
    const SelectionEntry& own = ring.blocking(8);
    const SelectionEntry& common =
        ring.selection.entry(Call::MPI_Neighbor_allgather, Collective::allgather, Completion::blocking, {8, 8});
    CHECK(own.choice.algorithm != Algorithm::aggregated);
    CHECK(common.choice.algorithm == Algorithm::aggregated);
}

TEST_CASE("A graph that a grid explains in part is combined, another one is not")
{
    RingSelection ring(Algorithm::merged);
    const auto graph = std::make_shared<Graph>(*ring.detected.graph);
    graph->declined = schedules::reason::not_isomorphic;
    Settings settings;
    settings.algorithms.fill(Algorithm::combining);
    const auto chosen = [&] {
        const Detected detected = detected_as(graph, {ring.detected.group, ring.detected.tags});
        Selection selection(detected, settings, ring.pool);
        const Choice choice =
            selection.persistent_entry(Call::MPI_Neighbor_alltoall_init, Collective::alltoall, 8).choice;
        selection.release();
        return choice.algorithm;
    };
    mutable_runtime().library_drives = true; // so that blocks may be forwarded
    CHECK(chosen() != Algorithm::combining);
    graph->partial = std::make_shared<schedules::PartialGrid>();
    CHECK(chosen() == Algorithm::combining);
    mutable_runtime().library_drives = false;
}

TEST_CASE("A combined call travels by the groups for its own kind of blocks")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(shuffled_job(schedules::Topology({world().size}, {true}),
                                            schedules::Stencil(1, {1, 2, 3, 4, 5, 6, 7}), random));
    const Detected detected = detect(comm.get());
    ExchangePool pool(comm.get(), detected);
    Settings settings;
    settings.algorithms.fill(Algorithm::combining);
    Selection selection(detected, settings, pool);
    mutable_runtime().library_drives = true; // so that blocks may be forwarded
    for (std::size_t bytes = 1; bytes < 100000; bytes += bytes / 2 + 1)
        for (const auto& [call, collective] : {std::pair(Call::MPI_Neighbor_alltoall_init, Collective::alltoall),
                                               std::pair(Call::MPI_Neighbor_allgather_init, Collective::allgather)}) {
            std::vector<schedules::Group> expected;
            for (const auto& member : combining_members(blocks_of(collective), *detected.graph, *detected.group)) {
                expected = member.groups;
                if (bytes <= member.most_bytes)
                    break;
            }
            CHECK(selection.persistent_entry(call, collective, bytes).choice.groups == expected);
        }
    mutable_runtime().library_drives = false;
    selection.release();
    pool.release();
}

TEST_CASE("The library is known to differ in the order of parallel edges, and for unequal degrees")
{
    Graph graph;
    Settings settings;
    settings.parallel_edges = ParallelEdges::standard;
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoall));
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallw));
    graph.unequal_degrees = true;
    CHECK(library_differs(graph, settings, Collective::alltoallw));
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallv));
    graph.parallel_edges = true;
    CHECK(library_differs(graph, settings, Collective::alltoallv));
    CHECK_FALSE(library_differs(graph, settings, Collective::global_allgather));
    settings.parallel_edges = ParallelEdges::library;
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallv));
    graph.created_by = Call::MPI_Alltoallv;
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallw));
}

TEST_CASE("The result of a trial serves the next communicator alike from its third use on")
{
    if (world().size == 1)
        return;
    RingSelection first(Algorithm::automatic);
    make_calls_before_trials(first, 4000);
    bool in_trial = true;
    for (int calls = 0; calls < 100 && in_trial; ++calls) {
        first.blocking(4000);
        Trial* const trial = first.selection.take_trial();
        in_trial = trial != nullptr;
        if (in_trial)
            trial->note(1e-6);
    }
    REQUIRE_FALSE(in_trial);
    RingSelection second(Algorithm::automatic);
    make_calls_before_trials(second, 4000);
    const SelectionEntry& entry = second.blocking(4000);
    CHECK(second.selection.take_trial() == nullptr);
    CHECK(entry.choice.algorithm == first.blocking(4000).choice.algorithm);
    REQUIRE(second.selection.trials().size() == 1);
    CHECK(second.selection.trials().begin()->second.trial.decided());
}

TEST_CASE("The result of a trial of blocks that vary serves calls whose largest block is alike")
{
    if (world().size == 1)
        return;
    const auto tried_calls_on = [](RingSelection& ring, std::size_t largest) {
        int tried = 0;
        for (int calls = 0; calls < 100; ++calls) {
            ring.selection.entry(Call::MPI_Neighbor_alltoallv, Collective::alltoallv, Completion::blocking,
                                 {0, world().rank == 0 ? largest : 8});
            if (Trial* const trial = ring.selection.take_trial()) {
                trial->note(1e-6);
                ++tried;
            }
        }
        return tried;
    };
    const auto tried_calls = [&](std::size_t largest) {
        RingSelection ring(Algorithm::automatic);
        return tried_calls_on(ring, largest);
    };
    CHECK(tried_calls(1'000'000) > 0);
    CHECK(tried_calls(30'000) > 0);
    CHECK(tried_calls(900'000) == 0);
    RingSelection changing(Algorithm::automatic);
    CHECK(tried_calls_on(changing, 5'000'000) > 0);
    CHECK(tried_calls_on(changing, 70'000) > 0); // the trial again
    CHECK(tried_calls(70'000) == 0);
}

TEST_CASE("The result of a trial does not serve a communicator that cannot carry it")
{
    if (world().size == 1)
        return;
    const auto blocking = [](RingSelection& ring) -> SelectionEntry& {
        return ring.selection.entry(Call::MPI_Neighbor_alltoallv, Collective::alltoallv, Completion::blocking, {});
    };
    RingSelection rich(Algorithm::automatic);
    for (int calls = 0; calls < 100; ++calls) {
        blocking(rich);
        if (Trial* const trial = rich.selection.take_trial())
            trial->note(1e-6);
    }
    RingSelection poor(Algorithm::automatic, false);
    CHECK(blocking(poor).choice.algorithm != Algorithm::shared);
}

TEST_CASE("Persistent requests are merged if processes would choose differently")
{
    if (world().size == 1)
        return;
    const JobCommunicator comm(ring_job());
    Detected detected = detect(comm.get());
    Settings settings;
    settings.algorithms.fill(Algorithm::combining);
    settings.cutoff_bytes = 100;
    ExchangePool pool(comm.get(), detected);
    Selection selection(detected, settings, pool);
    const auto entry = [&selection](std::size_t bytes) -> SelectionEntry& {
        return selection.persistent_entry(Call::MPI_Neighbor_alltoall_init, Collective::alltoall, bytes);
    };
    mutable_runtime().library_drives = true; // so that blocks may be forwarded
    CHECK(entry(40).choice.algorithm == Algorithm::combining);
    CHECK(entry(400).choice.algorithm == Algorithm::merged);
    CHECK(entry(world().rank == 0 ? 40 : 400).choice.algorithm == Algorithm::merged);
    mutable_runtime().library_drives = false;
    selection.release();
    pool.release();
}
