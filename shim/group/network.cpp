// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/network.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <vector>

namespace hopscotch::shim
{

namespace
{

using schedules::assumed_network;
using schedules::Network;

/// Tags of block 0, which no graph has, next to ProcessGroup::unused_tag.
constexpr int message_tag = 1;
constexpr int end_tag = 2;

constexpr std::size_t small_bytes = 8;
constexpr std::size_t large_bytes = 65536;
constexpr int repetitions = 16;
constexpr int messages_of_burst = 16;

/// The measurements of a pair: latency, overheads of sending and receiving, gap per byte. Units: femtoseconds, so that
/// sums over many pairs are those of integers, the same everywhere.
using Measured = std::array<std::int64_t, 4>;
constexpr double unit = 1e-15;

struct MeasuredNetwork {
    std::mutex mutex;
    Measured values = {}; // all 0: nothing yet
};

/// Messages between this process and another one; one of the two is the first.
struct Wire {
    MPI_Comm comm;
    int partner;
    bool is_first;

    void send(const std::vector<char>& bytes, int tag) const
    {
        send_message(comm, bytes.data(), bytes.size(), partner, tag);
    }
    void receive(std::vector<char>& bytes, int tag) const
    {
        receive_message(comm, bytes.data(), bytes.size(), partner, tag);
    }
};

/// Half the time of a message there and back, on the first process of the two: the least of some times.
double one_way(const Wire& wire, std::size_t bytes)
{
    std::vector<char> message(bytes);
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < repetitions; ++i) {
        const std::uint64_t begin = ticks();
        if (wire.is_first)
            wire.send(message, message_tag);
        wire.receive(message, message_tag);
        if (!wire.is_first)
            wire.send(message, message_tag);
        least = std::min(least, seconds(ticks() - begin) / 2);
    }
    return least;
}

/// The time to start one of several messages on the first process, and to receive one of several arrived messages on
/// the second: the least of some times.
double overhead(const Wire& wire)
{
    std::vector<char> message(small_bytes);
    std::array<MPI_Request, messages_of_burst> requests;
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < repetitions; ++i) {
        if (!wire.is_first)
            wire.receive(message, end_tag);
        const std::uint64_t begin = ticks();
        for (MPI_Request& request : requests)
            if (wire.is_first)
                check(start_send(wire.comm, message.data(), message.size(), wire.partner, message_tag, request));
            else
                wire.receive(message, message_tag);
        least = std::min(least, seconds(ticks() - begin) / messages_of_burst);
        if (wire.is_first) {
            check(next.MPI_Waitall(messages_of_burst, requests.data(), MPI_STATUSES_IGNORE));
            wire.send(message, end_tag);
        }
    }
    return least;
}

/// The part of one process of a pair. The latency is that of a whole message, as yet.
Measured measure_pair(const Wire& wire)
{
    const auto in_units = [](double seconds) { return static_cast<std::int64_t>(seconds / unit); };
    const double small = one_way(wire, small_bytes);
    const double large = one_way(wire, large_bytes);
    const std::int64_t own_overhead = in_units(overhead(wire));
    if (!wire.is_first)
        return {0, 0, own_overhead, 0};
    return {in_units(small), own_overhead, 0, in_units((large - small) / (large_bytes - small_bytes))};
}

/// The measurements of this process with its partner; all 0 if it has none.
Measured measure_own(MPI_Comm comm, const schedules::Nodes& nodes)
{
    const int rank = rank_in(comm);
    for (std::size_t node = 0; node + 1 < nodes.ranks.size(); node += 2) {
        if (nodes.ranks[node].front() == rank)
            return measure_pair({comm, nodes.ranks[node + 1].front(), true});
        if (nodes.ranks[node + 1].front() == rank)
            return measure_pair({comm, nodes.ranks[node].front(), false});
    }
    return {};
}

/// Means over all pairs. A measured value is never 0, which would mean that it is not known.
Measured measure(MPI_Comm comm, const schedules::Nodes& nodes)
{
    Measured result = measure_own(comm, nodes);
    CollectiveConsensus(comm).sums(result.data(), result.size());
    const auto pairs = static_cast<std::int64_t>(nodes.ranks.size() / 2);
    for (std::int64_t& each : result)
        each /= pairs;
    auto& [latency, sending, receiving, gap] = result;
    latency = std::max<std::int64_t>(latency - sending - receiving, 1);
    gap = std::max<std::int64_t>(gap, 1);
    return result;
}

Network network_of(const Measured& values)
{
    Network network = assumed_network;
    network.latency = static_cast<double>(values[0]) * unit;
    network.send_overhead = static_cast<double>(values[1]) * unit;
    network.receive_overhead = static_cast<double>(values[2]) * unit;
    network.gap_per_byte = static_cast<double>(values[3]) * unit;
    return network;
}

bool is_known(const Measured& values) noexcept
{
    return values[0] > 0;
}

Measured known_here()
{
    const LockAmongThreads lock(immortal<MeasuredNetwork>().mutex);
    return immortal<MeasuredNetwork>().values;
}

} // namespace

Network agree_on_network(MPI_Comm comm, const schedules::Nodes& nodes, bool measures)
{
    Measured values = known_here();
    CollectiveConsensus(comm).maxima(values.data(), values.size());
    if (!is_known(values) && !measures)
        return assumed_network;
    if (!is_known(values))
        values = measure(comm, nodes);
    const LockAmongThreads lock(immortal<MeasuredNetwork>().mutex);
    immortal<MeasuredNetwork>().values = values;
    return network_of(values);
}

std::optional<Network> measured_network()
{
    const Measured values = known_here();
    return is_known(values) ? std::optional(network_of(values)) : std::nullopt;
}

} // namespace hopscotch::shim
