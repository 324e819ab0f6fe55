// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges under way at once never share tags or memory.
#include "test/catch.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "test/readable.hpp"
#include "test/shim/selection/ring_pool.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// While it lives, the tags of all messages are kept.
struct KeptTags {
    static std::set<int> tags;
    const decltype(next.MPI_Isend) library = next.MPI_Isend;

    KeptTags()
    {
        tags.clear();
        static decltype(next.MPI_Isend) send;
        send = library;
        next.MPI_Isend = [](const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                            MPI_Request* request) {
            tags.insert(tag);
            return send(from, count, type, to, tag, comm, request);
        };
    }
    ~KeptTags() { next.MPI_Isend = library; }
    KeptTags(const KeptTags&) = delete;
    KeptTags& operator=(const KeptTags&) = delete;
};
std::set<int> KeptTags::tags;

/// The exchange of a blocking call, in the pool's possession.
std::shared_ptr<Exchange> lasting(Exchange& exchange)
{
    return std::shared_ptr<Exchange>(std::shared_ptr<void>(), &exchange);
}

/// Those of a collective by an algorithm that may be in flight at once.
std::vector<std::shared_ptr<Exchange>> exchanges_of(RingPool& ring, Collective collective, Algorithm algorithm)
{
    std::vector<std::shared_ptr<Exchange>> all{lasting(ring.pool.blocking(collective, by(algorithm)))};
    const int in_flight =
        algorithm == Algorithm::aggregated ? StagingBuffers::nonblocking_lanes : schedules::nonblocking_streams;
    for (int number = 0; number < in_flight; ++number)
        all.push_back(
            ring.pool.nonblocking(collective, by(algorithm), sizeof(int), static_cast<std::uint64_t>(number)));
    Choice choice = by(algorithm);
    all.push_back(ring.pool.persistent(collective, choice));
    return all;
}

} // namespace

TEST_CASE("Every exchange sends with tags of its own, in the block of its communicator")
{
    RingPool ring;
    const int first = ring.detected.tags.first;
    std::set<int> places;
    for (const Collective collective : {Collective::alltoall, Collective::allgather})
        for (const Algorithm algorithm :
             {Algorithm::trivial, Algorithm::merged, Algorithm::combining, Algorithm::shared, Algorithm::aggregated}) {
            if ((algorithm == Algorithm::shared && ring.detected.segment == nullptr) ||
                (algorithm == Algorithm::aggregated && ring.pool.aggregated_bytes(collective) == 0))
                continue;
            for (const std::shared_ptr<Exchange>& exchange : exchanges_of(ring, collective, algorithm)) {
                RingCall call(ring, exchange, 7);
                const KeptTags kept;
                call.begin();
                CHECK(call.ends_well());
                std::set<int> own;
                for (const int tag : kept.tags) {
                    CHECK(tag >= first);
                    CHECK(tag < first + TagBlock::count - TagBlock::of_no_exchange);
                    own.insert((tag - first) / schedules::tags_per_exchange);
                }
                CHECK(own.size() <= 1);
                for (const int place : own)
                    CHECK(places.insert(place).second);
            }
        }
    for (int own = 0; own < schedules::own_tags; ++own) {
        CHECK(ring.pool.first_own_tag() >= first);
        CHECK(places.count((ring.pool.first_own_tag() + own - first) / schedules::tags_per_exchange) == 0);
    }
}

TEST_CASE("Blocking calls by different groups, or cut-offs, have exchanges of their own")
{
    RingPool ring;
    Choice grouped = by(Algorithm::combining);
    grouped.groups = schedules::parse_groups("0");
    Choice limited = by(Algorithm::combining);
    limited.cutoff_bytes = 100;
    std::set<Exchange*> exchanges;
    for (const Choice& choice : {by(Algorithm::combining), grouped, limited}) {
        Exchange& made = ring.pool.blocking(Collective::alltoallv, choice);
        CHECK(&ring.pool.blocking(Collective::alltoallv, choice) == &made);
        exchanges.insert(&made);
    }
    CHECK(exchanges.size() == 3);
}

TEST_CASE("A call that overtakes an earlier one has its tag")
{
    RingPool ring;
    if (world().size == 1)
        return;
    std::vector<std::set<int>> tags;
    const auto usual = ring.pool.nonblocking(Collective::alltoall, by(Algorithm::merged), sizeof(int), 0);
    for (int call = 0; call < 2; ++call) {
        RingCall made(ring, ring.pool.nonblocking(Collective::alltoall, by(Algorithm::merged), sizeof(int), 0), 3);
        const KeptTags kept;
        made.begin();
        CHECK(made.ends_well());
        tags.push_back(kept.tags);
        usual->acquire();
    }
    usual->release();
    CHECK(tags[0] == tags[1]);
}

TEST_CASE("Exchanges of all kinds that share memory may be in flight at once")
{
    RingPool ring;
    if (ring.detected.segment == nullptr)
        return;
    for (const Algorithm algorithm : {Algorithm::shared, Algorithm::aggregated}) {
        if (algorithm == Algorithm::aggregated && ring.pool.aggregated_bytes(Collective::alltoall) == 0)
            continue;
        std::vector<Collective> collectives{Collective::alltoall};
        if (algorithm == Algorithm::aggregated)
            collectives.push_back(Collective::allgather);
        std::vector<RingCall> calls;
        for (const Collective collective : collectives)
            for (const std::shared_ptr<Exchange>& exchange : exchanges_of(ring, collective, algorithm))
                calls.emplace_back(ring, exchange, static_cast<int>(calls.size()) * 100, 200);
        for (RingCall& call : calls)
            call.begin();
        for (RingCall& call : calls)
            CHECK(call.ends_well());
    }
}

TEST_CASE("Combined blocks above the cut-off travel by themselves, with a tag for such blocks")
{
    if (world().size == 1)
        return;
    RingPool ring;
    constexpr int first_direct_tag = 2; // of the tags of an exchange
    constexpr std::size_t ints = 100;
    for (const std::size_t cutoff_bytes : {ints * sizeof(int) - 1, ints * sizeof(int)}) {
        Choice limited = by(Algorithm::combining);
        limited.cutoff_bytes = cutoff_bytes;
        RingCall call(ring, lasting(ring.pool.blocking(Collective::alltoallv, limited)), 5, ints);
        const KeptTags kept;
        call.begin();
        CHECK(call.ends_well());
        const auto direct = std::count_if(kept.tags.begin(), kept.tags.end(), [&ring](int tag) {
            return (tag - ring.detected.tags.first) % schedules::tags_per_exchange >= first_direct_tag;
        });
        CHECK(direct == (cutoff_bytes < ints * sizeof(int) ? 1 : 0));
    }
}

TEST_CASE("Combined blocks of one known size travel without headers")
{
    RingPool ring;
    Exchange& exchange = ring.pool.blocking(Collective::alltoall, by(Algorithm::combining));
    RingCall call(ring, lasting(exchange), 5);
    call.begin();
    CHECK(call.ends_well());
    CHECK(exchange.sent().bytes == exchange.sent().payload_bytes);
}

TEST_CASE("Blocks are combined by the groups of dimensions that were chosen")
{
    if (world().size != 4)
        return;
    const auto messages = [](const char* groups) {
        SquarePool grid;
        Choice choice = by(Algorithm::combining);
        choice.groups = schedules::parse_groups(groups);
        Exchange& exchange = grid.pool.blocking(Collective::alltoall, choice);
        RingCall call(grid, lasting(exchange), 5);
        call.begin();
        CHECK(call.ends_well());
        return exchange.sent().messages;
    };
    CHECK(messages("0/1") == 2); // both offsets of a dimension lead to one process
    CHECK(messages("0+1") == 3);
}

TEST_CASE("Of a graph that a grid explains in part, combined blocks alone travel along the grid")
{
    if (world().size != 4)
        return;
    const JobCommunicator comm(graph_where(4, [](int from, int to) { return from != 0 || to != 1; }));
    Settings settings;
    settings.algorithms.fill(Algorithm::combining);
    const Detected detected = detect(comm.get(), settings);
    REQUIRE(detected.graph->partial != nullptr);
    ExchangePool pool(comm.get(), detected);
    const auto messages = [&](Algorithm algorithm) {
        Exchange& exchange = pool.blocking(Collective::alltoall, by(algorithm));
        RingCall call(detected.graph->edges, lasting(exchange), 5, 1);
        call.begin();
        CHECK(call.ends_well());
        auto sent = static_cast<std::int64_t>(exchange.sent().messages);
        check(MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
        return sent;
    };
    CHECK(messages(Algorithm::merged) == detected.graph->partial->merged_messages);
    CHECK(messages(Algorithm::combining) == detected.graph->partial->messages);
    pool.release();
}

TEST_CASE("The error of a process reaches those for which it forwards, even if all blocks are empty")
{
    if (world().size != 4)
        return;
    SquarePool grid;
    Exchange& exchange = grid.pool.blocking(Collective::alltoall, by(Algorithm::combining));
    std::vector<int> received(grid.detected.graph->edges.sources.size());
    const BlockLayout from = BlockLayout::regular(received.data(), 0, MPI_INT);
    const BlockLayout to = BlockLayout::regular(received.data(), world().rank == 0 ? 1 : 0, MPI_INT);
    exchange.begin(from, to);
    wait(exchange, true, [] {});
    if (world().rank == 0)
        CHECK(exchange.error() == MPI_ERR_TRUNCATE);
    int failed = exchange.error() != MPI_SUCCESS ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(failed > 1);
}

TEST_CASE("A pool without memory says that there is no room")
{
    const RingPool ring;
    const Detected detected = detected_as(ring.detected.graph, {ring.detected.group, ring.detected.tags});
    const ExchangePool pool(ring.comm.get(), detected);
    CHECK(pool.shared_bytes(Collective::alltoall) == 0);
    CHECK(pool.aggregated_bytes(Collective::alltoall) == 0);
}

TEST_CASE("Blocking calls have one exchange for each collective and algorithm")
{
    RingPool ring;
    Exchange& merged = ring.pool.blocking(Collective::alltoall, by(Algorithm::merged));
    CHECK(&ring.pool.blocking(Collective::alltoall, by(Algorithm::merged)) == &merged);
    CHECK(&ring.pool.blocking(Collective::alltoall, by(Algorithm::trivial)) != &merged);
    CHECK(&ring.pool.blocking(Collective::allgather, by(Algorithm::merged)) != &merged);
}

TEST_CASE("Nonblocking calls take turns; one that only sends gets an exchange of its own if that one is busy")
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

TEST_CASE("Nonblocking calls through memory end in any order")
{
    RingPool ring;
    if (ring.detected.segment == nullptr)
        return;
    for (const std::size_t ints : {1, 2500}) { // in the front, and in a buffer
        std::vector<RingCall> calls;
        for (unsigned number = 0; number < 4; ++number)
            calls.emplace_back(
                ring, ring.pool.nonblocking(Collective::alltoall, by(Algorithm::shared), ints * sizeof(int), number),
                static_cast<int>(number) * 100, ints);
        for (RingCall& call : calls)
            call.begin();
        for (auto call = calls.rbegin(); call != calls.rend(); ++call)
            CHECK(call->ends_well());
    }
}

TEST_CASE("A pool that is released holds no memory")
{
    RingPool ring;
    if (ring.detected.segment == nullptr)
        return;
    Choice shared = by(Algorithm::shared);
    ring.pool.persistent(Collective::alltoall, shared);
    ring.pool.blocking(Collective::alltoall, shared);
    ring.pool.nonblocking(Collective::alltoall, shared, sizeof(int), 0);
    ring.pool.release();
    CHECK(ring.detected.segment.use_count() == 1);
    CHECK(ring.detected.staging.use_count() <= 1); // 0 on one node
}

TEST_CASE("Only the bits of all processes are common")
{
    RingPool ring;
    const std::uint64_t own = ~(std::uint64_t{1} << world().rank);
    CHECK(~ring.pool.common_bits(own) == (std::uint64_t{1} << world().size) - 1);
}

TEST_CASE("Large blocks of nonblocking calls go through memory of their own, unless they are lent")
{
    RingPool ring;
    if (ring.detected.segment == nullptr)
        return;
    Settings settings;
    settings.one_copy_bytes.reset();
    const auto group = std::make_shared<ProcessGroup>(ring.detected.group->members(), 1, settings);
    Detected detected = detected_as(ring.detected.graph, {group, ring.detected.tags});
    detected.segment = ring.detected.segment;
    ExchangePool pool(ring.comm.get(), detected);
    const std::size_t most = pool.shared_bytes(Collective::alltoall);
    CHECK(most > 0);
    CHECK_FALSE(pool.is_large(Collective::alltoall, Algorithm::shared, 8));
    CHECK(pool.is_large(Collective::alltoall, Algorithm::shared, most));
    CHECK_FALSE(pool.is_large(Collective::alltoall, Algorithm::merged, most));
    pool.release();
    const auto no_grid = std::make_shared<Graph>(*ring.detected.graph);
    no_grid->declined = schedules::reason::not_isomorphic;
    no_grid->stencil = {};
    detected.graph = no_grid;
    ExchangePool without_grid(ring.comm.get(), detected);
    CHECK(without_grid.is_large(Collective::alltoall, Algorithm::shared, most));
    without_grid.release();
    const auto idle = std::make_shared<Graph>(*no_grid); // a process of it without neighbors knows no size
    idle->in_degree_min = idle->out_degree_min = 0;
    detected.graph = idle;
    ExchangePool with_idle(ring.comm.get(), detected);
    CHECK_FALSE(with_idle.is_large(Collective::alltoall, Algorithm::shared, most));
    with_idle.release();
    if (!memory_is_readable())
        return;
    CHECK(ring.pool.shared_bytes(Collective::alltoall) > most);
    CHECK_FALSE(ring.pool.is_large(Collective::alltoall, Algorithm::shared, most));
}
