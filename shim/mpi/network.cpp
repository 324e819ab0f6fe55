// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures the network between nodes once, for predictions.
#include "shim/mpi/network.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/mpi/collective_consensus.hpp"
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

/// Of block 0, which no graph has: beside ProcessGroup::unused_tag.
constexpr int message_tag = 1;
constexpr int end_tag = 2;

constexpr std::size_t small_bytes = 8;
constexpr std::size_t large_bytes = 65536;
constexpr int messages_of_burst = 16;

/// What a pair measures: latency, overheads of sending and receiving, gap per byte. Units: femtoseconds, so that sums
/// over many pairs are those of integers, the same everywhere.
using Measured = std::array<std::int64_t, 4>;
constexpr double unit = 1e-15;

struct Known {
    std::mutex mutex;
    Measured values = {}; // all 0: nothing yet
};

/// Messages between this process and another one.
struct Wire {
    MPI_Comm comm;
    int partner;

    void send(std::vector<char>& bytes, std::size_t count, int tag) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        check(next.Isend(bytes.data(), static_cast<int>(count), MPI_BYTE, partner, tag, comm, &request));
        check(next.Wait(&request, MPI_STATUS_IGNORE));
    }
    void receive(std::vector<char>& bytes, std::size_t count, int tag) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        check(next.Irecv(bytes.data(), static_cast<int>(count), MPI_BYTE, partner, tag, comm, &request));
        check(next.Wait(&request, MPI_STATUS_IGNORE));
    }
};

/// Repeats `once(last)`, which gives seconds, for about so long or so often. The least it gave.
template <class Once>
double least(double most_seconds, int most_times, Once&& once)
{
    const std::uint64_t begin = ticks();
    double result = std::numeric_limits<double>::max();
    for (bool last = false; !last;) {
        last = --most_times <= 0 || seconds(ticks() - begin) > most_seconds;
        result = std::min(result, once(last));
    }
    return result;
}

/// Half of what a message of `bytes` takes there and back. The first byte tells the partner which message is the last.
double one_way(const Wire& wire, std::size_t bytes, double most_seconds)
{
    std::vector<char> message(bytes);
    return least(most_seconds, 20, [&](bool last) {
        message[0] = last ? 1 : 0;
        const std::uint64_t begin = ticks();
        wire.send(message, bytes, message_tag);
        wire.receive(message, bytes, message_tag);
        return seconds(ticks() - begin) / 2;
    });
}

void answer(const Wire& wire, std::size_t bytes)
{
    std::vector<char> message(bytes);
    do {
        wire.receive(message, bytes, message_tag);
        wire.send(message, bytes, message_tag);
    } while (message[0] == 0);
}

/// What starting one of several messages takes.
double send_overhead(const Wire& wire, double most_seconds)
{
    std::vector<char> message(small_bytes);
    std::array<MPI_Request, messages_of_burst> requests;
    return least(most_seconds, 8, [&](bool last) {
        const std::uint64_t begin = ticks();
        for (MPI_Request& request : requests)
            check(next.Isend(message.data(), small_bytes, MPI_BYTE, wire.partner, message_tag, wire.comm, &request));
        const std::uint64_t end = ticks();
        for (MPI_Request& request : requests)
            check(next.Wait(&request, MPI_STATUS_IGNORE));
        message[0] = last ? 1 : 0;
        wire.send(message, small_bytes, end_tag);
        return seconds(end - begin) / messages_of_burst;
    });
}

/// What receiving one of several messages that have arrived takes.
double receive_overhead(const Wire& wire)
{
    std::vector<char> message(small_bytes);
    double result = std::numeric_limits<double>::max();
    for (bool last = false; !last;) {
        wire.receive(message, small_bytes, end_tag);
        last = message[0] != 0;
        const std::uint64_t begin = ticks();
        for (int i = 0; i < messages_of_burst; ++i)
            wire.receive(message, small_bytes, message_tag);
        result = std::min(result, seconds(ticks() - begin) / messages_of_burst);
    }
    return result;
}

std::int64_t in_units(double seconds)
{
    constexpr double most_seconds = 1.0;
    return static_cast<std::int64_t>(std::clamp(seconds, 0.0, most_seconds) / unit);
}

/// The part of the process that begins, and of its partner. The latency is that of a whole message, as yet.
Measured as_first(const Wire& wire)
{
    constexpr double part_seconds = 0.004;
    const double small = one_way(wire, small_bytes, part_seconds);
    const double large = one_way(wire, large_bytes, 2 * part_seconds);
    const double overhead = send_overhead(wire, part_seconds);
    return {in_units(small), in_units(overhead), 0, in_units((large - small) / (large_bytes - small_bytes))};
}

Measured as_partner(const Wire& wire)
{
    answer(wire, small_bytes);
    answer(wire, large_bytes);
    return {0, 0, in_units(receive_overhead(wire)), 0};
}

/// What this process measures with its partner; all 0 where it has none.
Measured measure_own(MPI_Comm comm, const schedules::Nodes& nodes)
{
    int rank = 0;
    check(next.Comm_rank(comm, &rank));
    for (std::size_t node = 0; node + 1 < nodes.ranks.size(); node += 2) {
        if (nodes.ranks[node].front() == rank)
            return as_first({comm, nodes.ranks[node + 1].front()});
        if (nodes.ranks[node + 1].front() == rank)
            return as_partner({comm, nodes.ranks[node].front()});
    }
    return {};
}

/// Means over all pairs. What is measured is never 0: that would mean it is not known.
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
    const LockAmongThreads lock(immortal<Known>().mutex);
    return immortal<Known>().values;
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
    const LockAmongThreads lock(immortal<Known>().mutex);
    immortal<Known>().values = values;
    return network_of(values);
}

std::optional<Network> measured_network()
{
    const Measured values = known_here();
    return is_known(values) ? std::optional(network_of(values)) : std::nullopt;
}

} // namespace hopscotch::shim
