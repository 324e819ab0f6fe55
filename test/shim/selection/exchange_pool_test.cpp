// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges under way at once never share tags or memory.
#include "test/catch.hpp"

#include "shim/selection/exchange_pool.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>
#include <set>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

Choice by(Algorithm algorithm)
{
    Choice choice;
    choice.algorithm = algorithm;
    return choice;
}

/// The pool of a communicator of the MPI library whose graph is a ring.
struct RingPool {
    std::mt19937 random{seed()};
    JobCommunicator comm{
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {1, -1}), random)};
    Detected detected = detect(comm.get());
    ExchangePool pool{comm.get(), detected.graph, detected.group, detected.tags};

    RingPool() { pool.take_memory(std::move(detected.staging), detected.segment); }
    ~RingPool() { pool.release(); }
};

} // namespace

TEST_CASE("Blocking calls have one exchange for each collective and algorithm")
{
    RingPool ring;
    Exchange& merged = ring.pool.blocking(Collective::alltoall, by(Algorithm::merged));
    CHECK(&ring.pool.blocking(Collective::alltoall, by(Algorithm::merged)) == &merged);
    CHECK(&ring.pool.blocking(Collective::alltoall, by(Algorithm::trivial)) != &merged);
    CHECK(&ring.pool.blocking(Collective::allgather, by(Algorithm::merged)) != &merged);
}

TEST_CASE("Nonblocking calls take turns; one that only sends gets an exchange of its own where that one is busy")
{
    RingPool ring;
    const Choice merged = by(Algorithm::merged);
    const auto first = ring.pool.nonblocking(Collective::alltoall, merged, 4, 0);
    const auto second = ring.pool.nonblocking(Collective::alltoall, merged, 4, 1);
    CHECK(first != second);
    CHECK(ring.pool.nonblocking(Collective::alltoall, merged, 4, schedules::nonblocking_streams) == first);
    REQUIRE(first->acquire());
    CHECK(ring.pool.nonblocking(Collective::alltoall, merged, 4, schedules::nonblocking_streams) != first);
    first->release();
    const Choice combining = by(Algorithm::combining);
    const auto forwarding = ring.pool.nonblocking(Collective::alltoall, combining, 4, 0);
    REQUIRE(forwarding->acquire());
    CHECK(ring.pool.nonblocking(Collective::alltoall, combining, 4, schedules::nonblocking_streams) == forwarding);
    forwarding->release();
}

TEST_CASE("Persistent requests never share a tag, and the memory of one that is gone is used again")
{
    RingPool ring;
    std::set<int> tags;
    for (int i = 0; i < 300; ++i)
        CHECK(tags.insert(ring.pool.persistent_tag()).second);
    if (ring.pool.segment() == nullptr)
        return;
    Choice shared = by(Algorithm::shared);
    std::vector<std::shared_ptr<Exchange>> made;
    for (int i = 0; i < schedules::persistent_streams; ++i) {
        made.push_back(ring.pool.persistent(Collective::alltoall, shared));
        CHECK(shared.algorithm == Algorithm::shared);
    }
    Choice one_more = shared;
    CHECK(ring.pool.persistent(Collective::alltoall, one_more) != nullptr);
    CHECK(one_more.algorithm == Algorithm::merged);
    made.pop_back();
    Choice again = shared;
    made.push_back(ring.pool.persistent(Collective::alltoall, again));
    CHECK(again.algorithm == Algorithm::shared);
}

TEST_CASE("Only the bits of all processes are common")
{
    RingPool ring;
    const std::uint64_t own = ~(std::uint64_t{1} << world().rank);
    CHECK(~ring.pool.common_bits(own) == (std::uint64_t{1} << world().size) - 1);
}

TEST_CASE("Large blocks of nonblocking calls go through memory of their own")
{
    RingPool ring;
    if (ring.pool.segment() == nullptr)
        return;
    const std::size_t most = ring.pool.shared_bytes(Collective::alltoall);
    CHECK(most > 0);
    CHECK_FALSE(ring.pool.is_large(Collective::alltoall, Algorithm::shared, 8));
    CHECK(ring.pool.is_large(Collective::alltoall, Algorithm::shared, most));
    CHECK_FALSE(ring.pool.is_large(Collective::alltoall, Algorithm::merged, most));
}
