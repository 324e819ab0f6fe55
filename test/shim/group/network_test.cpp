// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The network is measured once, and known to all processes in a group with one that knows it.
#include "shim/group/network.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"

#include <cstring>
#include <numeric>
#include <vector>

using namespace hopscotch::shim;
using hopscotch::schedules::assumed_network;
using hopscotch::schedules::Network;

namespace
{

/// A communicator of the processes of this one's color, each on a node of its own.
Network agree_among(int color, bool measures)
{
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_split(MPI_COMM_WORLD, color, world().rank, &comm));
    int size = 0;
    check(MPI_Comm_size(comm, &size));
    std::vector<int> leaders(static_cast<std::size_t>(size));
    std::iota(leaders.begin(), leaders.end(), 0);
    const Network result =
        size > 1 ? agree_on_network(comm, hopscotch::schedules::nodes_of(leaders), measures) : assumed_network;
    check(MPI_Comm_free(&comm));
    return result;
}

bool all_equal(double value)
{
    std::int64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return CollectiveConsensus(MPI_COMM_WORLD).all_equal(bits);
}

} // namespace

TEST_CASE("A network is assumed, then measured by some, then known to all")
{
    if (world().size < 2 || !CollectiveConsensus(MPI_COMM_WORLD).all(!measured_network().has_value()))
        return;
    CHECK(agree_among(0, false).latency == assumed_network.latency);
    CHECK_FALSE(measured_network());
    const bool first_two = world().rank < 2;
    const Network measured = agree_among(first_two ? 1 : 0, first_two);
    CHECK(measured_network().has_value() == first_two);
    if (first_two) {
        CHECK(measured.latency > 0.0);
        CHECK(measured.latency < 1.0);
        CHECK(measured.gap_per_byte > 0.0);
        CHECK(measured.copy_per_byte == assumed_network.copy_per_byte);
    }
    const Network known = agree_among(0, true);
    REQUIRE(measured_network());
    CHECK(measured_network()->latency == known.latency);
    if (first_two)
        CHECK(known.latency == measured.latency);
    for (const double value : {known.latency, known.send_overhead, known.receive_overhead, known.gap_per_byte})
        CHECK(all_equal(value));
}
