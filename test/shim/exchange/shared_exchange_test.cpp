// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive through memory of the node, and by messages beyond it.
#include "test/catch.hpp"

#include "schedules/memory/copy_trials.hpp"
#include "shim/base/log.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/allocated.hpp"
#include "test/shim/exchange/carried.hpp"
#include "test/shim/report/files.hpp"

#include <array>
#include <cerrno>
#include <mpi.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

bool may_read = true;
int given_away = 0; // calls of sched_yield

} // namespace

/// Called in place of the C library's function: a test lets it refuse. The MPI library still calls its own.
extern "C" [[gnu::visibility("hidden")]] ssize_t process_vm_readv(pid_t process, const iovec* to,
                                                                  unsigned long to_count, const iovec* from,
                                                                  unsigned long from_count,
                                                                  unsigned long flags) noexcept
{
    if (may_read)
        return syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
    errno = EPERM;
    return -1;
}

asm(".hidden sched_yield"); // an attribute would contradict the declaration
extern "C" int sched_yield() noexcept
{
    ++given_away;
    return static_cast<int>(syscall(SYS_sched_yield));
}

namespace
{

/// Without a process grid, and with at most one edge between two processes.
std::shared_ptr<Graph> graph_with(std::vector<int> destinations, std::vector<int> sources, int in_degree_max)
{
    auto graph = std::make_shared<Graph>();
    graph->ranks = world().size;
    graph->declined = schedules::reason::not_isomorphic;
    graph->edges.rank = world().rank;
    graph->edges.destination_order.assign(destinations.size(), 0);
    graph->edges.source_order.assign(sources.size(), 0);
    graph->remote_positions.assign(sources.size(), 0);
    graph->edges.destinations = std::move(destinations);
    graph->edges.sources = std::move(sources);
    graph->out_degree_max = 1;
    graph->in_degree_max = in_degree_max;
    return graph;
}

/// Processes 1 and 2 send to each other, and process 0 sends to 2. Process 2 reads the block from 0 first.
std::shared_ptr<Graph> late_source_graph()
{
    switch (world().rank) {
    case 0:
        return graph_with({2}, {}, 2);
    case 1:
        return graph_with({2}, {2}, 2);
    case 2:
        return graph_with({1}, {0, 1}, 2);
    default:
        return graph_with({}, {}, 2);
    }
}

/// Process 0 sends to process 1.
std::shared_ptr<Graph> one_way_graph()
{
    switch (world().rank) {
    case 0:
        return graph_with({1}, {}, 1);
    case 1:
        return graph_with({}, {0}, 1);
    default:
        return graph_with({}, {}, 1);
    }
}

/// Every process sends to every other one.
std::shared_ptr<Graph> graph_of_all()
{
    std::vector<int> others;
    for (int rank = 0; rank < world().size; ++rank)
        if (rank != world().rank)
            others.push_back(rank);
    return graph_with(others, others, world().size - 1);
}

Segment::Made segment_of(const TestGroup& test, std::size_t room = 4096)
{
    return Segment::create(
        {*test.group, MPI_COMM_WORLD, test.tags.set_up()},
        std::vector<std::size_t>(schedules::first_nonblocking_stream + schedules::nonblocking_streams, room));
}

/// A pool whose exchanges have memory of the node.
struct PoolInMemory {
    Detected detected;
    ExchangePool pool;

    PoolInMemory(const TestGroup& test, std::shared_ptr<const Graph> graph, std::size_t room = 4096)
        : detected(detected_as(std::move(graph), test)), pool(MPI_COMM_WORLD, detected)
    {
        const Segment::Made made = segment_of(test, room);
        REQUIRE(made.refusal == Refusal::none);
        detected.segment = made.segment;
    }
    ~PoolInMemory() { pool.release(); }
};

/// The processes of the group lend all blocks.
void lend_all(TestGroup& test)
{
    Settings settings;
    settings.one_copy_bytes = 1;
    test.group = std::make_shared<ProcessGroup>(test.group->members(), 1, settings);
}

/// Messages to other nodes that arrive when the test says so.
struct Beyond final : Exchange {
    bool arrived = world().rank != 1;

    void begin(const BlockLayout&, const BlockLayout&) override {}
    bool advance() override { return arrived; }
};

/// So often a process that looks in vain gives its core away; else it sleeps.
int given_away_by(Exchange& exchange, int looks)
{
    given_away = 0;
    for (int look = 0; look < looks; ++look)
        exchange.idle(true);
    return given_away;
}

void complete(Exchange& exchange)
{
    while (!exchange.advance())
        sched_yield();
    CHECK(exchange.error() == MPI_SUCCESS);
}

int occurrences(const std::string& text, const std::string& word)
{
    int number = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++number;
    return number;
}

/// Three calls with a block for each neighbor, by two exchanges that share their places in memory.
class ThreeCalls
{
  public:
    explicit ThreeCalls(ExchangePool& pool)
    {
        Choice shared;
        shared.algorithm = Algorithm::shared;
        exchanges_ = {&pool.blocking(Collective::alltoall, shared), &pool.blocking(Collective::alltoallv, shared)};
        for (std::size_t call = 0; call < 3; ++call) {
            sent_[call] = value(world().rank, call);
            received_[call] = {-1, -1};
            from_[call] = layout(&sent_[call], call, 1);
            to_[call] = layout(received_[call].data(), call, 2);
        }
    }

    static int value(int rank, std::size_t call) { return 100 * rank + static_cast<int>(call); }
    const std::array<int, 2>& received(std::size_t call) const { return received_[call]; }

    void begin(std::size_t call) { of(call).begin(from_[call], to_[call]); }

    /// True if the call completes.
    bool complete(std::size_t call)
    {
        for (const double begin = MPI_Wtime(); MPI_Wtime() - begin < patience(); sched_yield())
            if (of(call).advance())
                return of(call).error() == MPI_SUCCESS;
        return false;
    }

  private:
    /// The first call has one of its own: the last one follows another of the same.
    Exchange& of(std::size_t call) const { return *exchanges_[call == 0 ? 0 : 1]; }

    BlockLayout layout(int* buffer, std::size_t call, std::size_t blocks) const
    {
        return call == 0 ? BlockLayout::regular(buffer, 1, MPI_INT)
                         : BlockLayout::varying(buffer, ones_.data(), places_.data(), MPI_INT, blocks);
    }

    const std::array<int, 2> ones_{1, 1};
    const std::array<int, 2> places_{0, 1};
    std::array<Exchange*, 2> exchanges_{};
    std::array<int, 3> sent_{};
    std::array<std::array<int, 2>, 3> received_{};
    std::array<BlockLayout, 3> from_;
    std::array<BlockLayout, 3> to_;
};

} // namespace

TEST_CASE("Blocks of one size and of many arrive through memory")
{
    carry(Algorithm::shared,
          {Collective::alltoall, Collective::alltoallv, Collective::allgather, Collective::allgatherv}, 16);
}

TEST_CASE("Several blocks from a process to itself arrive each in its place")
{
    const TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    const int own = world().rank;
    const int right = (own + 1) % world().size;
    const int left = (own + world().size - 1) % world().size;
    const std::shared_ptr<Graph> graph = graph_with({own, own, own, right}, {own, own, own, left}, 4);
    graph->out_degree_max = 4;
    graph->parallel_edges = true;
    graph->edges.destination_order = graph->edges.source_order = {0, 1, 2, 0};
    graph->remote_positions = schedules::positions(graph->edges.destinations);
    PoolInMemory memory(test, graph);
    Choice shared;
    shared.algorithm = Algorithm::shared;
    const int counts[] = {1, 2, 3, 1};
    const int from_places[] = {0, 1, 3, 6};
    const int to_places[] = {7, 5, 2, 0};
    for (int call = 0; call < 3; ++call) {
        std::vector<int> sent(7);
        std::iota(sent.begin(), sent.end(), 100 * own + 10 * call);
        std::vector<int> received(8, -1);
        Exchange& exchange = memory.pool.blocking(Collective::alltoallv, shared);
        const BlockLayout from = BlockLayout::varying(sent.data(), counts, from_places, MPI_INT, 4);
        const BlockLayout to = BlockLayout::varying(received.data(), counts, to_places, MPI_INT, 4);
        exchange.begin(from, to);
        complete(exchange);
        const int first = sent.front();
        CHECK(received == std::vector<int>{100 * left + 10 * call + 6, -1, first + 3, first + 4, first + 5, first + 1,
                                           first + 2, first});
    }
}

TEST_CASE("A neighbor that shows its next blocks may not have read ours of the turn before")
{
    const TestGroup test = test_group();
    if (world().size < 3 || test.group->nodes() > 1)
        return;
    PoolInMemory memory(test, late_source_graph());
    ExchangePool& pool = memory.pool;
    ThreeCalls calls(pool);
    if (world().rank == 0)
        check(MPI_Recv(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    calls.begin(0); // process 2 cannot read the block from 1 before the block from 0 has arrived,
    calls.begin(1); // yet shows its next blocks
    CHECK(calls.complete(0));
    CHECK(calls.complete(1));
    calls.begin(2); // on process 1 into the place of call 0
    if (world().rank == 1)
        check(MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD));
    CHECK(calls.complete(2));
    for (std::size_t call = 0; call < 3; ++call) {
        if (world().rank == 1)
            CHECK(calls.received(call)[0] == ThreeCalls::value(2, call));
        if (world().rank == 2)
            CHECK(calls.received(call) == std::array<int, 2>{ThreeCalls::value(0, call), ThreeCalls::value(1, call)});
    }
}

TEST_CASE("A block was read if the next one but one is in its place, though its sender looks no earlier")
{
    TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    lend_all(test);
    PoolInMemory memory(test, one_way_graph());
    ExchangePool& pool = memory.pool;
    ThreeCalls calls(pool);
    for (std::size_t call = 0; call < 3; ++call) {
        calls.begin(call);
        if (world().rank != 0 || call > 0)
            CHECK(calls.complete(call));
    }
    CHECK(calls.complete(0)); // on process 0: now for the first time
    for (std::size_t call = 0; call < 3; ++call)
        if (world().rank == 1)
            CHECK(calls.received(call)[0] == ThreeCalls::value(0, call));
}

TEST_CASE("Large blocks are right while calls try one copy and two, and afterwards")
{
    TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    constexpr std::size_t room = std::size_t{1} << 17;
    test.group = std::make_shared<ProcessGroup>(test.group->members(), 1, Settings());
    PoolInMemory memory(test, one_way_graph(), room);
    ExchangePool& pool = memory.pool;
    Choice shared;
    shared.algorithm = Algorithm::shared;
    constexpr std::size_t block = room / 2 / sizeof(int);
    const auto carry = [&](unsigned call, Exchange& exchange) {
        const std::vector<int> sent(block, static_cast<int>(call) + 1);
        std::vector<int> received(block, -1);
        const BlockLayout from = BlockLayout::regular(sent.data(), block, MPI_INT);
        const BlockLayout to = BlockLayout::regular(received.data(), block, MPI_INT);
        exchange.begin(from, to);
        complete(exchange);
        if (world().rank == 1)
            CHECK(received == sent);
    };
    const auto carry_all = [&] {
        for (unsigned call = 0; call < 2 * schedules::CopyTrials::calls_of_trial; ++call)
            carry(call, pool.blocking(Collective::alltoall, shared));
        for (unsigned call = 0; call < 2 * schedules::CopyTrials::calls_of_trial; ++call)
            carry(call, *pool.nonblocking(Collective::alltoall, shared, block * sizeof(int), call));
    };
    set_log_level(LogLevel::debug);
    const std::string lines = stderr_of(carry_all);
    set_log_level(LogLevel::warn);
    CHECK(occurrences(lines, "two copies take") == (world().rank == 0 ? 2 : 0)); // all nonblocking ones learn together
}

TEST_CASE("Blocks that a process may not copy are sent to it, and to no other")
{
    TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    lend_all(test);
    if (!test.group->one_copy())
        return;
    PoolInMemory memory(test, graph_of_all());
    ExchangePool& pool = memory.pool;
    Choice shared;
    shared.algorithm = Algorithm::shared;
    Exchange& exchange = pool.blocking(Collective::alltoall, shared);
    constexpr std::size_t block = 50000;
    const auto others = static_cast<std::size_t>(world().size) - 1;
    may_read = world().rank % 2 == 0;
    const int refused = world().size / 2 - (may_read ? 0 : 1);
    for (int call = 0; call < 6; ++call) {
        const std::vector<int> sent(others * block, 100 * world().rank + call);
        std::vector<int> received(others * block, -1);
        const BlockLayout from = BlockLayout::regular(sent.data(), block, MPI_INT);
        const BlockLayout to = BlockLayout::regular(received.data(), block, MPI_INT);
        exchange.begin(from, to);
        complete(exchange);
        CHECK(exchange.sent().messages == static_cast<std::uint64_t>(refused));
        CHECK(exchange.sent().payload_bytes == sent.size() * sizeof(int));
        CHECK(exchange.sent().saved_bytes == 0);
        for (std::size_t i = 0; i < others; ++i) {
            const int sender = static_cast<int>(i) + (static_cast<int>(i) >= world().rank ? 1 : 0);
            CHECK(std::vector<int>(received.begin() + static_cast<std::ptrdiff_t>(i * block),
                                   received.begin() + static_cast<std::ptrdiff_t>((i + 1) * block)) ==
                  std::vector<int>(block, 100 * sender + call));
        }
    }
    may_read = true;
}

TEST_CASE("Copies of lent blocks with gaps are gone after their call")
{
    TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    lend_all(test);
    PoolInMemory memory(test, graph_of_all());
    Choice shared;
    shared.algorithm = Algorithm::shared;
    Exchange& exchange = memory.pool.blocking(Collective::alltoall, shared);
    const CommittedType column(MPI_Type_vector, 1 << 16, 1, 2, MPI_INT);
    const auto others = static_cast<std::size_t>(world().size) - 1;
    const std::vector<int> sent(others << 17, world().rank);
    std::vector<int> received(others << 17, -1);
    std::size_t before = 0;
    for (int call = 0; call < 6; ++call) {
        const BlockLayout from = BlockLayout::regular(sent.data(), 1, column);
        const BlockLayout to = BlockLayout::regular(received.data(), 1, column);
        exchange.begin(from, to);
        complete(exchange);
        before = call == 2 ? allocated_bytes() : before;
    }
    CHECK(allocated_bytes() < before + (std::size_t{1} << 18));
}

TEST_CASE("A process that waits for blocks in memory lets the MPI library make progress")
{
    const TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    PoolInMemory memory(test, one_way_graph());
    ExchangePool& pool = memory.pool;
    Choice shared;
    shared.algorithm = Algorithm::shared;
    Exchange& exchange = pool.blocking(Collective::alltoall, shared);
    const std::vector<int> sent{7};
    std::vector<int> received{-1};
    const BlockLayout from = BlockLayout::regular(sent.data(), 1, MPI_INT);
    const BlockLayout to = BlockLayout::regular(received.data(), 1, MPI_INT);
    exchange.begin(from, to);
    static int polls;
    static decltype(next.MPI_Iprobe) library;
    polls = 0;
    library = next.MPI_Iprobe;
    next.MPI_Iprobe = [](int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
        ++polls;
        return library(source, tag, comm, flag, status);
    };
    for (int looks = 0; looks < 500; ++looks)
        exchange.idle(true);
    next.MPI_Iprobe = library;
    CHECK(polls > 0);
    complete(exchange);
}

TEST_CASE("A process that waits for messages, too, does not sleep until blocks are in memory")
{
    const TestGroup test = test_group();
    if (world().size < 2 || test.group->nodes() > 1)
        return;
    const Segment::Made made = segment_of(test);
    REQUIRE(made.refusal == Refusal::none);
    const std::shared_ptr<Graph> graph = one_way_graph();
    for (const bool direct : {false, true}) {
        schedules::MemoryPlan plan = schedules::memory_plan(
            graph->edges, schedules::Blocks::individual, [](int) { return true; }, graph->remote_positions);
        if (direct)
            plan.cutoff_bytes = 1;
        auto messages = std::make_unique<Beyond>();
        Beyond& beyond = *messages;
        SharedExchange exchange(std::move(plan), std::make_shared<Stream>(Stream{made.segment, 0}), test.group,
                                test.tags.first, std::move(messages));
        const int sent = world().rank + 7;
        int received = -1;
        const BlockLayout from = BlockLayout::regular(&sent, 1, MPI_INT);
        const BlockLayout to = BlockLayout::regular(&received, 1, MPI_INT);
        if (world().rank == 1) {
            exchange.begin(from, to);
            CHECK(given_away_by(exchange, 1200) == 1200);
            beyond.arrived = true;
            CHECK_FALSE(exchange.advance());
            CHECK(given_away_by(exchange, 10) == (direct ? 10 : 0));
        }
        check(MPI_Barrier(MPI_COMM_WORLD));
        if (world().rank != 1)
            exchange.begin(from, to);
        complete(exchange);
        if (world().rank == 1)
            CHECK(received == 7);
    }
}
