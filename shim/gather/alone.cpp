// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/gather/alone.hpp"

#include "schedules/selection/agreement.hpp"
#include "schedules/selection/repeated_call.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/call/request_array.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/selection/core_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

namespace hopscotch::shim
{

namespace
{

using schedules::ByteBlocks;

/// A call on a graph that is repeated by this library and by the MPI library. Errors are noted, and all processes stop
/// at the end of a batch. No error leaves others waiting: sizes match at both ends, and no send of ours can fail while
/// the job goes on.
struct Comparison {
    std::shared_ptr<Communicator> record;
    MPI_Comm natively; // has the edges of the graph, without MPI_PROC_NULL
    SelectionEntry& entry;
    char* buffers[2];
    std::uint64_t calls = record->selection().nonblocking_calls(); // the same number on all processes
    int error = MPI_SUCCESS;

    void note(int code) noexcept { error = error != MPI_SUCCESS ? error : code; }
    bool persistent() const noexcept { return entry.sample.completion == Completion::persistent; }
    MPI_Request request_of_ours(Layouts blocks);
    double run(bool ours, const ByteBlocks& blocks, int number);
};

/// use(the nonblocking and the persistent function, the buffers).
template <class Use>
auto with_arguments(Collective collective, const ByteBlocks& blocks, char* out, char* in, Use&& use)
{
    const std::vector<MPI_Datatype> types(std::max(blocks.sends.size(), blocks.receives.size()), MPI_BYTE);
    const SingleBlock first{out, blocks.sends[0], MPI_BYTE};
    const RegularBlocks alike{in, blocks.receives[0], MPI_BYTE};
    const VaryingBlocks received{in, blocks.receives.data(), blocks.receive_at.data(), MPI_BYTE};
    switch (collective) {
    case Collective::alltoallv:
        return use(next.MPI_Ineighbor_alltoallv, next.MPI_Neighbor_alltoallv_init,
                   Buffers{VaryingBlocks{out, blocks.sends.data(), blocks.send_at.data(), MPI_BYTE}, received});
    case Collective::alltoallw:
        return use(next.MPI_Ineighbor_alltoallw, next.MPI_Neighbor_alltoallw_init,
                   Buffers{GeneralBlocks{out, blocks.sends.data(), blocks.send_from.data(), types.data()},
                           GeneralBlocks{in, blocks.receives.data(), blocks.receive_from.data(), types.data()}});
    case Collective::allgather:
        return use(next.MPI_Ineighbor_allgather, next.MPI_Neighbor_allgather_init, Buffers{first, alike});
    case Collective::allgatherv:
        return use(next.MPI_Ineighbor_allgatherv, next.MPI_Neighbor_allgatherv_init, Buffers{first, received});
    default:
        return use(next.MPI_Ineighbor_alltoall, next.MPI_Neighbor_alltoall_init,
                   Buffers{RegularBlocks{out, blocks.sends[0], MPI_BYTE}, alike});
    }
}

/// A persistent one uses an exchange of nonblocking calls, too: its own exchange would agree over the communicator,
/// which may be freed.
MPI_Request Comparison::request_of_ours(Layouts blocks)
{
    record->keep(blocks);
    auto exchange = record->exchanges().nonblocking(entry.sample.collective, entry.choice,
                                                    record->block_bytes(blocks.send, blocks.receive), ++calls);
    return give_request(std::make_shared<OperationRequest>(record, natively, entry, std::move(exchange),
                                                           std::move(blocks), persistent()),
                        ticks());
}

/// Seconds per exchange, after one that is not timed: it ends the initial differences between processes. MPI_Wait
/// completes persistent collectives of all MPI libraries, other functions do not.
double Comparison::run(bool ours, const ByteBlocks& blocks, int number)
{
    const auto repeat = [&](auto nonblocking, auto init, const auto& arguments) {
        MPI_Request request = MPI_REQUEST_NULL;
        const auto make = [&] {
            if (ours)
                request = request_of_ours(record->blocks_of(arguments));
            else
                note(persistent() ? arguments.call(init, natively, MPI_INFO_NULL, &request)
                                  : arguments.call(nonblocking, natively, &request));
        };
        if (persistent()) {
            make();
            if (request == MPI_REQUEST_NULL) // the library has no such function, as Open MPI 4.1
                return 0.0;
        }
        int index = 0;
        const auto exchange = [&] {
            if (persistent())
                note(start_one(&request));
            else
                make();
            note(ours ? RequestArray(1, &request).wait_any(&index, MPI_STATUS_IGNORE)
                      : next.MPI_Wait(&request, MPI_STATUS_IGNORE));
        };
        exchange();
        const std::uint64_t begin = ticks();
        for (int i = 0; i < number; ++i)
            exchange();
        const double each = seconds(ticks() - begin) / number;
        if (persistent() && ours)
            forget(request);
        else if (persistent())
            note(next.MPI_Request_free(&request));
        return each;
    };
    return with_arguments(entry.sample.collective, blocks, buffers[0], buffers[1], repeat);
}

/// The entry of the nonblocking or persistent operation called most often; null if there is none, or a call failed.
SelectionEntry* entry_of(const Communicator& record)
{
    SelectionEntry* most = nullptr;
    for (const auto& entry : record.selection().entries()) {
        if (entry->counters.failed > 0)
            return nullptr;
        if (entry->sample.requests > 0 && (most == nullptr || entry->counters.calls > most->counters.calls))
            most = entry.get();
    }
    return most;
}

/// Of the slowest process: seconds of an exchange of ours and of the library's, and those that are left. Nothing if no
/// time is left or an exchange has failed.
struct AgreedTimes {
    double ours;
    double natively;
    double left;
};

/// Collective: over the graph.
std::optional<AgreedTimes> compare(Comparison& both, const schedules::RepeatedCall& call, int number,
                                   CollectiveConsensus& consensus, double deadline)
{
    double slowest[] = {both.run(true, call.all, number), both.run(false, call.of_processes, number),
                        elapsed_seconds() - deadline, both.error == MPI_SUCCESS ? 0.0 : 1.0};
    consensus.maxima(slowest, std::size(slowest));
    if (slowest[2] > 0.0 || slowest[3] != 0.0)
        return std::nullopt;
    return AgreedTimes{slowest[0], slowest[1], -slowest[2]};
}

/// Leaves the times with the sample, unless there is no time for enough exchanges. A first exchange tells their number.
/// It takes too long at times beside other programs, so it has three tries. Collective: over the graph.
void measure(Comparison& both, const schedules::RepeatedCall& call, CollectiveConsensus& consensus, double deadline)
{
    constexpr int tries = 3;
    const auto largest = consensus.maximum(*std::max_element(call.all.sends.begin(), call.all.sends.end()));
    const Due due{both.record->group()->due_share(), both.record->group()->any_yields()};
    TrialLoad load;
    load.begin();
    int number = 0;
    for (int i = 0; i < tries && number == 0; ++i) {
        const auto first = compare(both, call, 1, consensus, deadline);
        if (!first)
            return;
        number = schedules::calls_in_batch(first->left, first->ours + first->natively);
    }
    std::vector<double> ours;
    std::vector<double> natively;
    for (int batch = 0; batch < schedules::batches; ++batch) {
        const auto times = number > 0 ? compare(both, call, number, consensus, deadline) : std::nullopt;
        if (!times)
            return;
        ours.push_back(times->ours);
        natively.push_back(times->natively);
    }
    both.entry.sample.alone = {name(both.entry.call),
                               name(both.entry.choice),
                               static_cast<std::uint64_t>(largest),
                               static_cast<std::uint64_t>(number * schedules::batches),
                               schedules::median(ours),
                               schedules::median(natively),
                               agreed_share(consensus.maximum(load.value(due)), due)};
}

/// Skipped if processes have made different calls. Collective: over the graph.
void measure_graph(const std::shared_ptr<Communicator>& record, SelectionEntry& entry, double deadline)
{
    CollectiveConsensus consensus(record->group()->communicator());
    std::uint64_t hash = schedules::hash_with(schedules::hash_begin, record->selection().nonblocking_calls());
    for (const std::uint64_t value : {static_cast<std::uint64_t>(entry.call), bit_of(entry.choice),
                                      static_cast<std::uint64_t>(entry.choice.sizes.high), entry.sample.requests})
        hash = schedules::hash_with(hash, value);
    const schedules::Edges& edges = record->graph().edges;
    const schedules::RepeatedCall call =
        schedules::repeated_call(entry.sample.collective, edges, entry.sample.sends, entry.sample.receives);
    const auto bytes = static_cast<std::size_t>(call.is_good ? call.all.bytes : 1);
    const std::unique_ptr<char, decltype(&std::free)> buffers(static_cast<char*>(std::calloc(2, bytes)), std::free);
    const bool alike = consensus.all_equal(schedules::comparable(hash));
    if (!consensus.all(alike && call.is_good && buffers != nullptr))
        return;
    WeightedLists lists;
    lists.sources = schedules::of_processes(edges.sources, edges.sources);
    lists.destinations = schedules::of_processes(edges.destinations, edges.destinations);
    Comparison both{record, MPI_COMM_NULL, entry, {buffers.get(), buffers.get() + bytes}};
    both.note(guarded_by([](int) {},
                         [&] {
                             both.natively =
                                 make_distributed_graph(consensus.communicator(), std::move(lists), MPI_INFO_NULL);
                             return next.MPI_Comm_set_errhandler(both.natively, MPI_ERRORS_RETURN);
                         }));
    if (consensus.all(both.error == MPI_SUCCESS))
        measure(both, call, consensus, deadline);
    if (both.natively != MPI_COMM_NULL)
        next.MPI_Comm_free(&both.natively);
}

} // namespace

/// The graph of this process with most nonblocking calls that is still to be measured.
template <class Graphs>
auto busiest(Graphs& graphs)
{
    auto most = graphs.end();
    for (auto each = graphs.begin(); each != graphs.end(); ++each)
        if (entry_of(*each->second) != nullptr &&
            (most == graphs.end() ||
             each->second->selection().nonblocking_calls() > most->second->selection().nonblocking_calls()))
            most = each;
    return most;
}

/// Graph by graph, those with most calls first, since each takes half of the time that is left: each process takes part
/// in those that it is in.
void measure_alone(double most_seconds)
{
    constexpr double least_seconds = 1e-3;
    std::map<std::uint64_t, std::shared_ptr<Communicator>> graphs = lasting_communicators();
    if (own_world() == MPI_COMM_NULL)
        return;
    const ReturnedErrors returned;
    const bool counted = counting();
    set_counting(false);
    CollectiveConsensus world(own_world());
    double agreed = anything_in_flight() ? 0.0 : -most_seconds;
    world.maxima(&agreed, 1);
    const double deadline = elapsed_seconds() - agreed; // now, since some have waited for others
    while (true) {
        const auto mine = busiest(graphs);
        const bool has_one = mine != graphs.end();
        const auto calls = has_one ? static_cast<std::int64_t>(mine->second->selection().nonblocking_calls()) : -1;
        std::int64_t most[] = {calls, deadline - elapsed_seconds() < least_seconds ? 1 : 0};
        world.maxima(most, std::size(most));
        if (most[0] < 0 || most[1] != 0)
            break;
        const std::int64_t key = has_one && calls == most[0] ? static_cast<std::int64_t>(mine->first) : INT64_MAX;
        const bool takes_part = world.maximum(~key) == ~key && key != INT64_MAX;
        const std::int64_t present = world.sum(takes_part ? 1 : 0);
        if (!takes_part)
            continue;
        if (present == mine->second->graph().ranks) // some may not have kept it
            measure_graph(mine->second, *entry_of(*mine->second), deadline);
        graphs.erase(mine);
    }
    set_counting(counted);
}

} // namespace hopscotch::shim
