// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An operation in flight is advanced until it is complete, used by one call at a time, and counts its messages.
#include "test/catch.hpp"

#include "shim/exchange/exchange.hpp"
#include "test/shim/report/files.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

/// Complete after some looks.
class CountingExchange final : public Exchange
{
  public:
    explicit CountingExchange(int looks) : looks_(looks) {}

    void begin(const BlockLayout& send, const BlockLayout& receive) override
    {
        start_counting();
        count({1, send.block_bytes(), 0, 0});
        count({0, 1, 5, 2});
        if (send.block_bytes() != receive.block_bytes())
            fail_for_sizes(send.block_bytes(), receive.block_bytes());
        fail(MPI_ERR_OTHER); // kept unless another error came before
    }
    bool advance() override { return looks_-- == 0; }
    void idle(bool) noexcept override { ++idle_; }

    int idle_ = 0;

  private:
    int looks_;
};

} // namespace

TEST_CASE("Waiting looks until the operation is complete, and does other work")
{
    CountingExchange exchange(3);
    int looked = 0;
    wait(exchange, true, [&looked] { ++looked; });
    CHECK(looked == 3);
    CHECK(exchange.idle_ == 3);
}

TEST_CASE("The messages of a call are counted from its beginning, and its first error is kept")
{
    CountingExchange exchange(0);
    int buffer[4] = {};
    const BlockLayout two = BlockLayout::single(buffer, 2, MPI_INT);
    const BlockLayout four = BlockLayout::single(buffer, 4, MPI_INT);
    for (int call = 0; call < 2; ++call) {
        exchange.begin(two, four);
        CHECK(exchange.sent().messages == 1);
        CHECK(exchange.sent().bytes == 9);
        CHECK(exchange.sent().payload_bytes == 5);
        CHECK(exchange.sent().saved_bytes == 2);
        CHECK(exchange.error() == MPI_ERR_TRUNCATE);
    }
    exchange.begin(two, two);
    CHECK(exchange.error() == MPI_ERR_OTHER);
}

TEST_CASE("Sizes that differ are said once")
{
    CountingExchange exchange(0);
    int buffer[4] = {};
    const BlockLayout two = BlockLayout::single(buffer, 2, MPI_INT);
    const BlockLayout four = BlockLayout::single(buffer, 4, MPI_INT);
    exchange.begin(two, four); // others may have said it
    CHECK(stderr_of([&] { exchange.begin(two, four); }).empty());
}

TEST_CASE("One call at a time uses an exchange")
{
    CountingExchange exchange(0);
    CHECK_FALSE(exchange.busy());
    CHECK(exchange.acquire());
    CHECK_FALSE(exchange.acquire());
    CHECK(exchange.busy());
    exchange.release();
    CHECK(exchange.acquire());
    CHECK(exchange.take_turn() == 0);
    CHECK_FALSE(exchange.forwards());
}
