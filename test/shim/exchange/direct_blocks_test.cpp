// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks above a limit travel by themselves; ends that disagree about that are told so, and nothing is waited for.
#include "test/catch.hpp"

#include "shim/exchange/direct_blocks.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"
#include "test/allocated.hpp"
#include "test/processes.hpp"

#include <chrono>
#include <iterator>
#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

constexpr int displacements[] = {0, 10, 20};

BlockLayout layout(std::vector<int>& ints, const int* counts)
{
    return BlockLayout::varying(ints.data(), counts, displacements, MPI_INT, 3);
}

/// Two parallel edges to the next process, and the matching two from the previous one.
schedules::Edges ring()
{
    const int size = world().size;
    const int right = (world().rank + 1) % size;
    const int left = (world().rank + size - 1) % size;
    return {world().rank, {right, right, schedules::no_rank}, {left, left, schedules::no_rank}, {0, 1, 0}, {1, 0, 0}};
}

/// Lets the MPI library make progress for a while.
void let_messages_come(const ProcessGroup& group)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int flag = 0; std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(100); give_way())
        check(MPI_Iprobe(0, ProcessGroup::unused_tag, group.communicator(), &flag, MPI_STATUS_IGNORE));
}

int complete(DirectBlocks& direct)
{
    int error = MPI_SUCCESS;
    while (!direct.complete(error))
        give_way();
    return error;
}

} // namespace

TEST_CASE("Large blocks of parallel edges arrive in their order, small ones do not travel")
{
    if (world().size == 1)
        return;
    const TestGroup test = test_group();
    DirectBlocks direct(test.group, test.tags.first, ring(), 8);
    const int counts[] = {3, 5, 4};
    const int crossed[] = {5, 3, 4}; // slot 0 receives the second of the edges
    for (int call = 0; call < 5; ++call) {
        std::vector<int> sent(30, 1000 * call + world().rank);
        std::vector<int> received(30, -1);
        const BlockLayout from = layout(sent, counts);
        const BlockLayout to = layout(received, crossed);
        CHECK(direct.direct(from[0]));
        const SentMessages messages = direct.start(from, to);
        CHECK(messages.messages == 2);
        CHECK(messages.bytes == 12 + 20);
        CHECK(messages.payload_bytes == messages.bytes);
        CHECK(direct.settle(0, true) == MPI_SUCCESS);
        CHECK(direct.settle(1, true) == MPI_SUCCESS);
        CHECK(direct.settle(2, false) == MPI_SUCCESS);
        CHECK(complete(direct) == MPI_SUCCESS);
        const int said = 1000 * call + (world().rank + world().size - 1) % world().size;
        for (int i = 0; i < 30; ++i) {
            const bool filled = i < 5 || (i >= 10 && i < 13);
            CHECK(received[static_cast<std::size_t>(i)] == (filled ? said : -1));
        }
    }
}

TEST_CASE("Messages that are put together are gone after their call")
{
    if (world().size == 1)
        return;
    const TestGroup test = test_group();
    const CommittedType column(MPI_Type_vector, 1 << 18, 1, 2, MPI_INT);
    DirectBlocks direct(test.group, test.tags.first, ring(), 8);
    const int sends[] = {1, 0, 0};
    const int receives[] = {0, 1, 0};
    const int at_begin[] = {0, 0, 0};
    std::vector<int> sent(1 << 19, 7);
    std::vector<int> received(1 << 19);
    std::size_t before = 0;
    for (int call = 0; call < 6; ++call) {
        const BlockLayout from = BlockLayout::varying(sent.data(), sends, at_begin, column, 3);
        const BlockLayout to = BlockLayout::varying(received.data(), receives, at_begin, column, 3);
        direct.start(from, to);
        CHECK(direct.settle(1, true) == MPI_SUCCESS);
        CHECK(complete(direct) == MPI_SUCCESS);
        before = call == 2 ? allocated_bytes() : before; // by then the MPI library has its buffers
    }
    CHECK(allocated_bytes() < before + 2 * (std::size_t{1} << 20));
    std::vector<int> expected(1 << 19);
    for (std::size_t i = 0; i < expected.size(); i += 2)
        expected[i] = 7;
    CHECK((received == expected));
}

TEST_CASE("Calls take two tags in turn, the given one and the next")
{
    if (world().size == 1)
        return;
    const auto group = std::make_shared<ProcessGroup>(test_group().group->members(), 1, Settings());
    constexpr int tag = 4;
    DirectBlocks direct(group, tag, ring(), 8);
    const int one_large[] = {5, 1, 0};
    const int none_large[] = {1, 1, 0};
    std::vector<int> sent(30);
    std::vector<int> received(30);
    for (int call = 0; call < 4; ++call) {
        direct.start(layout(sent, one_large), layout(received, none_large));
        MPI_Status status;
        check(MPI_Recv(received.data(), 30, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, group->communicator(), &status));
        CHECK(status.MPI_TAG == tag + 1 - call % 2);
        CHECK(complete(direct) == MPI_SUCCESS);
    }
}

TEST_CASE("A message that is not expected is taken, and one that does not come is not waited for")
{
    if (world().size == 1)
        return;
    const TestGroup test = test_group();
    DirectBlocks direct(test.group, test.tags.first, ring(), 8);
    const int counts[] = {5, 1, 0};
    const int others[] = {3, 1, 0}; // slot 0 receives the small block, slot 1 the large one, which is longer
    std::vector<int> sent(30, world().rank);
    std::vector<int> received(30, -1);
    const BlockLayout from = layout(sent, counts);
    const BlockLayout to = layout(received, others);
    direct.start(from, to);
    let_messages_come(*test.group); // before a receive can be cancelled
    CHECK(direct.settle(0, false) == MPI_ERR_TRUNCATE);
    CHECK(direct.settle(1, true) == MPI_ERR_TRUNCATE);
    complete(direct);
    CHECK(received[10] == -1);
    for (int again = 0; again < 2; ++again) { // and later calls are as ever
        const int right[] = {1, 5, 0};
        const BlockLayout good = layout(received, right);
        direct.start(from, good);
        CHECK(direct.settle(1, true) == MPI_SUCCESS);
        CHECK(complete(direct) == MPI_SUCCESS);
        CHECK(received[12] == (world().rank + world().size - 1) % world().size);
    }
}

namespace
{

enum Sizes { small, large, larger };
constexpr int counts_of[][3] = {{1, 1, 0}, {5, 4, 0}, {7, 6, 0}};
constexpr std::size_t calls = 5; // calls with an even number share one tag

int element(int rank, std::size_t call)
{
    return 1000 * static_cast<int>(call) + rank;
}

/// Makes all calls to the next process, which has not yet made the first.
void send_ahead(DirectBlocks& direct, const Sizes (&sizes)[calls])
{
    for (std::size_t call = 0; call < calls; ++call) {
        std::vector<int> sent(30, element(world().rank, call));
        std::vector<int> none(30);
        direct.start(layout(sent, counts_of[sizes[call]]), layout(none, counts_of[small]));
        CHECK(complete(direct) == MPI_SUCCESS);
    }
}

/// Takes one call from the process before. The class of its error.
int take(DirectBlocks& direct, std::size_t call, Sizes expected, bool announced)
{
    std::vector<int> none(30);
    std::vector<int> received(30, -1);
    const BlockLayout to = layout(received, counts_of[expected]);
    direct.start(layout(none, counts_of[small]), to);
    const int codes[] = {direct.settle(0, announced), direct.settle(1, announced), complete(direct)};
    int code = MPI_SUCCESS;
    check(MPI_Error_class(*std::max_element(std::begin(codes), std::end(codes)), &code));
    const int said = element((world().rank + world().size - 1) % world().size, call);
    if (code == MPI_SUCCESS && expected != small)
        for (int i = 0; i < 20; ++i) {
            const bool filled = i < 10 ? i < counts_of[expected][0] : i - 10 < counts_of[expected][1];
            CHECK(received[static_cast<std::size_t>(i)] == (filled ? said : -1));
        }
    return code;
}

} // namespace

TEST_CASE("A receive that no message comes for is cancelled, and later calls are as ever")
{
    if (world().size == 1)
        return;
    const TestGroup test = test_group();
    DirectBlocks direct(test.group, test.tags.first, ring(), 8);
    CHECK(take(direct, 0, large, false) == MPI_ERR_TRUNCATE);
    check(MPI_Barrier(MPI_COMM_WORLD)); // before any message
    for (std::size_t call = 1; call < calls; ++call) {
        std::vector<int> sent(30, element(world().rank, call));
        std::vector<int> received(30, -1);
        const BlockLayout from = layout(sent, counts_of[large]);
        const int crossed[] = {counts_of[large][1], counts_of[large][0], 0};
        const BlockLayout to = layout(received, crossed);
        direct.start(from, to);
        CHECK(direct.settle(0, true) == MPI_SUCCESS);
        CHECK(direct.settle(1, true) == MPI_SUCCESS);
        CHECK(complete(direct) == MPI_SUCCESS);
        CHECK(received[0] == element((world().rank + world().size - 1) % world().size, call));
    }
}

TEST_CASE("A call that no message comes for leaves those of later calls to them")
{
    if (world().size == 1)
        return;
    struct Case {
        Sizes sent[calls];
        Sizes expected[calls];
        bool wrong[calls];
    };
    const Case cases[] = {
        {{small, small, large, small, large}, {large, small, large, small, large}, {true}},
        {{small, small, large, small, large}, {larger, small, large, small, large}, {true}},
        {{small, small, small, small, large}, {large, small, large, small, large}, {true, false, true}},
        {{small, small, large, small, large}, {large, small, small, small, large}, {true, false, true}},
        {{small, small, larger, small, large}, {large, small, larger, small, large}, {true, false, true}}, // cut off
        {{small, large, large, large, large}, {large, large, large, large, large}, {true}}, // of the other tag, too
        {{large, small, large, small, large}, {small, small, large, small, large}, {true}}, // taken, and dropped
    };
    for (const Case& each : cases) {
        INFO("case " << &each - cases);
        const TestGroup test = test_group();
        schedules::Edges out = ring();
        schedules::Edges in = ring();
        out.sources.assign(out.sources.size(), schedules::no_rank);
        in.destinations.assign(in.destinations.size(), schedules::no_rank);
        in.source_order = out.destination_order;
        DirectBlocks sends(test.group, test.tags.first, out, 8);
        DirectBlocks receives(test.group, test.tags.first, in, 8);
        send_ahead(sends, each.sent);
        check(MPI_Barrier(MPI_COMM_WORLD));
        let_messages_come(*test.group);
        for (std::size_t call = 0; call < calls; ++call) {
            INFO("call " << call);
            CHECK(take(receives, call, each.expected[call], each.sent[call] != small) ==
                  (each.wrong[call] ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
        }
    }
}
