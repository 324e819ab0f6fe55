// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The gain of nonblocking and persistent calls is measured at the end, in any order of freed graphs, unless processes
// differ or a call failed.
#include "shim/gather/alone.hpp"

#include "schedules/selection/repeated_call.hpp"
#include "shim/base/clock.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/call/request_array.hpp"
#include "shim/gather/graph_records.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

constexpr double without_limit = 30.0;

/// A graph with a record, as a program has it.
struct UsedGraph {
    std::unique_ptr<JobCommunicator> comm;
    std::shared_ptr<Communicator> record;

    UsedGraph(const Job& job, std::uint64_t origin) : comm(std::make_unique<JobCommunicator>(job))
    {
        Settings settings;
        settings.yield = Yield::always; // like groups of other tests, which may be the same
        Detected detected = detect(comm->get(), settings);
        detected.origin = origin;
        attach_communicator(comm->get(),
                            std::make_unique<Communicator>(comm->get(), std::move(detected), Settings{}, 0));
        record = share_communicator(comm->get());
    }

    /// A nonblocking or persistent call; blocks of varying size have rank + 1 bytes, others 3. Returns the algorithm.
    Algorithm call(Collective collective, Completion completion)
    {
        const schedules::Edges& edges = record->graph().edges;
        std::vector<int> sends(edges.destinations.size() + 1, world().rank + 1);
        std::vector<int> receives;
        for (const int rank : edges.sources)
            receives.push_back(rank == schedules::no_rank ? 0 : rank + 1);
        receives.push_back(0);
        std::vector<int> from(sends.size()), to(receives.size());
        std::exclusive_scan(sends.begin(), sends.end(), from.begin(), 0);
        std::exclusive_scan(receives.begin(), receives.end(), to.begin(), 0);
        const std::vector<MPI_Aint> far_from(from.begin(), from.end()), far_to(to.begin(), to.end());
        const std::vector<MPI_Datatype> types(sends.size() + receives.size(), MPI_BYTE);
        std::vector<char> out(static_cast<std::size_t>(from.back()) + 3 * sends.size());
        std::vector<char> in(static_cast<std::size_t>(to.back()) + 3 * receives.size());
        const VaryingBlocks received{in.data(), receives.data(), to.data(), MPI_BYTE};
        const auto layouts = [&](const schedules::Edges& of, KeptBlocks& kept) -> Layouts {
            switch (collective) {
            case Collective::alltoall:
                return Buffers{RegularBlocks{out.data(), 3, MPI_BYTE}, RegularBlocks{in.data(), 3, MPI_BYTE}}(of, kept);
            case Collective::allgather:
                return Buffers{SingleBlock{out.data(), 3, MPI_BYTE}, RegularBlocks{in.data(), 3, MPI_BYTE}}(of, kept);
            case Collective::allgatherv:
                return Buffers{SingleBlock{out.data(), sends.back(), MPI_BYTE}, received}(of, kept);
            case Collective::alltoallw:
                return Buffers{GeneralBlocks{out.data(), sends.data(), far_from.data(), types.data()},
                               GeneralBlocks{in.data(), receives.data(), far_to.data(), types.data()}}(of, kept);
            default:
                return Buffers{VaryingBlocks{out.data(), sends.data(), from.data(), MPI_BYTE}, received}(of, kept);
            }
        };
        const Layouts blocks = record->blocks_of(layouts);
        constexpr Call functions[] = {Call::MPI_Ineighbor_alltoall, Call::MPI_Ineighbor_alltoallv,
                                      Call::MPI_Ineighbor_alltoallw, Call::MPI_Ineighbor_allgather,
                                      Call::MPI_Ineighbor_allgatherv};
        MPI_Request request = MPI_REQUEST_NULL;
        const CallForm form{completion, &request};
        const RequestedCall made{
            functions[static_cast<std::size_t>(collective)], collective, form, comm->get(), comm->get(), 0};
        SelectionEntry& entry = entry_of_request(*record, made, blocks);
        const Algorithm algorithm = entry.choice.algorithm;
        if (algorithm == Algorithm::native)
            return algorithm;
        request = make_request(made, entry, blocks, nullptr);
        int index = 0;
        for (int start = 0; start < (completion == Completion::persistent ? 3 : 1); ++start) {
            if (completion == Completion::persistent)
                CHECK(start_one(&request) == MPI_SUCCESS);
            CHECK(RequestArray(1, &request).wait_any(&index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        }
        if (completion == Completion::persistent)
            forget(request);
        return algorithm;
    }
};

/// Of the i-th graph.
Collective collective_of(std::size_t i)
{
    return static_cast<Collective>(i % 5);
}

/// Records are kept for the end of a run as long as one is active; MPI objects in them are freed.
struct Run {
    Run() { mutable_runtime().active = true; }
    ~Run()
    {
        mutable_runtime().active = false;
        lasting_communicators(); // none is kept for the next test
        release_communicators();
    }
};

std::vector<AloneRecord> measured(const Communicator& record)
{
    std::vector<AloneRecord> found;
    for (const auto& entry : record.selection().entries())
        if (entry->sample.alone.exchanges > 0)
            found.push_back(entry->sample.alone);
    return found;
}

std::uint64_t calls_of(const Communicator& record)
{
    std::uint64_t calls = 0;
    for (const auto& entry : record.selection().entries())
        calls += entry->counters.calls;
    return calls;
}

} // namespace

TEST_CASE("An exchange is measured by itself, on graphs freed in any order")
{
    const Run run;
    std::mt19937 random(seed());
    std::vector<std::unique_ptr<UsedGraph>> graphs;
    std::vector<std::shared_ptr<Communicator>> records;
    std::vector<bool> wanted;
    for (std::uint64_t i = 0; i < 8; ++i) {
        graphs.push_back(std::make_unique<UsedGraph>(random_job(random), seed() + 100 + i));
        records.push_back(graphs.back()->record);
        graphs.back()->record.reset();
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        graphs[i]->record = records[i];
        const Completion completion = i % 2 == 0 ? Completion::nonblocking : Completion::persistent;
        const Collective collective = collective_of(i);
        const bool is_ours = graphs[i]->call(collective, completion) != Algorithm::native;
        const bool library_has_it = MPI_VERSION >= 4 || completion == Completion::nonblocking;
        const schedules::Edges& edges = records[i]->graph().edges;
        const int sources = schedules::degree(edges.sources);
        const int destinations = schedules::degree(edges.destinations);
        const bool is_right = collective != Collective::alltoallw || sources == destinations;
        wanted.push_back(is_ours && library_has_it &&
                         CollectiveConsensus(own_world()).all(sources > 0 && destinations > 0 && is_right));
        graphs[i]->record.reset();
    }
    std::vector<std::uint64_t> calls;
    for (const auto& record : records)
        calls.push_back(calls_of(*record));
    for (std::size_t i = 0; i < 6; ++i) // others live on
        graphs[world().rank % 2 == 0 ? i : 5 - i].reset();
    const double began = elapsed_seconds();
    static std::uint64_t native_alltoalls; // nonblocking ones: of the first graph
    static decltype(next.MPI_Ineighbor_alltoall) library;
    native_alltoalls = 0;
    library = next.MPI_Ineighbor_alltoall;
    next.MPI_Ineighbor_alltoall = [](auto... arguments) { return ++native_alltoalls, library(arguments...); };
    measure_alone(without_limit);
    next.MPI_Ineighbor_alltoall = library;
    const bool was_slow = elapsed_seconds() - began > without_limit / 2; // each graph takes half of the time left
    for (std::size_t i = 0; i < records.size(); ++i) {
        CHECK(calls_of(*records[i]) == calls[i]);
        CAPTURE(i);
        CHECK((i >= 6 || records[i].use_count() == 1)); // no request is left
        const auto found = measured(*records[i]);
        CHECK(record_of(*records[i]).alone.size() == (records[i]->graph().edges.rank == 0 ? found.size() : 0));
        if (found.empty() && (!wanted[i] || was_slow))
            continue;
        REQUIRE(found.size() == (wanted[i] ? 1 : 0));
        const bool is_regular = collective_of(i) == Collective::alltoall || collective_of(i) == Collective::allgather;
        CHECK(found[0].block_bytes == static_cast<std::uint64_t>(is_regular ? 3 : world().size));
        CHECK(found[0].exchanges >= 20);
        // One exchange tells the time, at most three do beside load; one more runs before each and before each batch.
        constexpr std::uint64_t not_measured[] = {2 + schedules::batches, 4 + schedules::batches,
                                                  6 + schedules::batches};
        if (i == 0)
            CHECK(std::count(std::begin(not_measured), std::end(not_measured), native_alltoalls - found[0].exchanges) ==
                  1);
        CHECK(found[0].seconds > 0.0);
        CHECK(found[0].native_seconds > 0.0);
        CHECK(found[0].native_seconds != found[0].seconds);
        CHECK(CollectiveConsensus(own_world()).all_equal(static_cast<std::int64_t>(found[0].seconds * 1e12)));
    }
}

TEST_CASE("Exchanges of graphs with more calls are measured first")
{
    const Run run;
    std::mt19937 random(seed());
    const Job ring = shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {1, -1}), random);
    constexpr int calls[] = {1, 3, 2};
    std::vector<std::unique_ptr<UsedGraph>> graphs;
    std::vector<bool> is_ours;
    for (std::uint64_t i = 0; i < 3; ++i) {
        graphs.push_back(std::make_unique<UsedGraph>(ring, seed() + 400 + i));
        bool ours = false;
        for (int call = 0; call < calls[i]; ++call)
            ours = graphs[i]->call(collective_of(i), Completion::nonblocking) != Algorithm::native || ours;
        is_ours.push_back(CollectiveConsensus(own_world()).all(ours));
    }
    std::vector<Collective> wanted;
    for (const std::size_t i : {1, 2, 0})
        if (is_ours[i])
            wanted.push_back(collective_of(i));
    static std::vector<Collective> order;
    static const auto fails = [](Collective collective) { // an error ends a measurement
        order.push_back(collective);
        return MPI_ERR_OTHER;
    };
    order.clear();
    const ReplacedFunctions replaced;
    next.MPI_Ineighbor_alltoall = [](auto...) { return fails(Collective::alltoall); };
    next.MPI_Ineighbor_alltoallv = [](auto...) { return fails(Collective::alltoallv); };
    next.MPI_Ineighbor_alltoallw = [](auto...) { return fails(Collective::alltoallw); };
    measure_alone(without_limit);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    CHECK(order == wanted);
}

TEST_CASE("No exchange is measured if a call failed, processes differ, or time is short")
{
    const Run run;
    std::mt19937 random(seed());
    const Job job = random_job(random);
    enum { good, failed, different, kinds };
    std::vector<std::unique_ptr<UsedGraph>> graphs;
    for (std::uint64_t i = 0; i < kinds; ++i) {
        graphs.push_back(std::make_unique<UsedGraph>(job, seed() + 200 + i));
        graphs.back()->call(Collective::alltoallv, Completion::nonblocking);
    }
    const bool last = world().rank == world().size - 1;
    for (const auto& entry : graphs[failed]->record->selection().entries())
        entry->counters.failed = last ? 1 : 0;
    for (const auto& entry : graphs[different]->record->selection().entries())
        entry->sample.requests += last && world().size > 1 ? 1 : 0;
    measure_alone(last ? 5e-4 : without_limit);
    CHECK(measured(*graphs[good]->record).empty());
    measure_alone(without_limit);
    CHECK(measured(*graphs[failed]->record).empty());
    if (world().size > 1)
        CHECK(measured(*graphs[different]->record).empty());
}

TEST_CASE("No sample is kept if nothing is to be measured")
{
    const Run run;
    std::mt19937 random(seed());
    UsedGraph graph(random_job(random), seed() + 300);
    mutable_runtime().settings.baseline = false;
    graph.call(Collective::alltoallv, Completion::nonblocking);
    mutable_runtime().settings.baseline = true;
    measure_alone(without_limit);
    CHECK(measured(*graph.record).empty());
}
