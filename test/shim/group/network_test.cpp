// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The network is measured once, and known to all processes in a group with one that knows it.
#include "shim/group/network.hpp"

#include "shim/base/clock.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"

#include <cstring>
#include <limits>

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

/// While it lives, the begins of all sends are kept, and for each the end of the last wait before the next one.
struct KeptTimes : ReplacedFunctions {
    static std::vector<std::uint64_t> begins;
    static std::vector<std::uint64_t> ends;

    KeptTimes()
    {
        begins.clear();
        ends.clear();
        next.MPI_Isend = [](const void* from, int bytes, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                            MPI_Request* request) {
            begins.push_back(ticks());
            return library.MPI_Isend(from, bytes, type, to, tag, comm, request);
        };
        next.MPI_Wait = [](MPI_Request* request, MPI_Status* status) {
            const int code = library.MPI_Wait(request, status);
            ends.resize(begins.size(), 0);
            if (!ends.empty())
                ends.back() = ticks();
            return code;
        };
    }

    /// The fastest of some parts of a measurement took no longer: between the sends before and behind each of them.
    static double most(std::size_t before, std::size_t behind, std::size_t step, int parts)
    {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (int part = 0; part < parts; ++part, before += step, behind += step)
            least = std::min(least, begins.at(behind) - ends.at(before));
        return 1.1 * seconds(least); // the clock goes on being calibrated
    }
};
std::vector<std::uint64_t> KeptTimes::begins;
std::vector<std::uint64_t> KeptTimes::ends;

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
    const Network measured = [&] {
        const KeptTimes kept;
        return agree_among(first_two ? 1 : 0, first_two);
    }();
    CHECK(measured_network().has_value() == first_two);
    if (first_two) {
        CHECK(measured.latency > 0.0);
        CHECK(measured.latency < 1.0);
        CHECK(measured.gap_per_byte > 0.0);
        CHECK(measured.copy_per_byte == assumed_network.copy_per_byte);
    }
    if (world().rank == 0) { // there and back: 16 messages of 8 bytes, 16 of 65536; then 16 times 16 and their end
        const double small = measured.latency + measured.send_overhead + measured.receive_overhead;
        const double large = small + 65528 * measured.gap_per_byte;
        if (measured.latency > 2e-15) // else it is the least that is not 0
            CHECK(2 * small < KeptTimes::most(0, 2, 1, 15));
        if (measured.latency > 2e-15 && measured.gap_per_byte > 2e-15)
            CHECK(2 * large < KeptTimes::most(16, 18, 1, 15));
        CHECK(16 * measured.send_overhead < KeptTimes::most(31, 48, 17, 16));
    }
    const Network known = agree_among(0, true);
    REQUIRE(measured_network());
    CHECK(measured_network()->latency == known.latency);
    if (first_two)
        CHECK(known.latency == measured.latency);
    for (const double value : {known.latency, known.send_overhead, known.receive_overhead, known.gap_per_byte})
        CHECK(all_equal(value));
}
