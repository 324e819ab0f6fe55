// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The plan of a message fits the present places of its blocks, after any earlier plan.
#include "schedules/message/message_planner.hpp"

#include "test/catch.hpp"

#include <cstdint>
#include <limits>

using namespace hopscotch::schedules;

namespace
{

constexpr std::size_t any_header = std::numeric_limits<std::size_t>::max();

/// So many bytes at an address, as they are found from `base` on.
Footprint run(std::size_t address, std::size_t bytes, std::size_t base = 0)
{
    Footprint block;
    block.bytes = bytes;
    block.base = base;
    block.pieces = {{address - base, bytes}};
    return block;
}

} // namespace

TEST_CASE("message planner: common bytes of blocks are sent once, at any places")
{
    MessagePlanner planner{HeaderFormat(sizeof(std::uint32_t))};
    for (const std::size_t base : {10000, 50000}) {
        CHECK(planner.plan({run(base, 1000, base), run(base + 600, 800, base)}, any_header).saved_bytes == 400);
        CHECK(planner.plan({run(base, 1000, base), run(base + 900, 800, base)}, any_header).saved_bytes == 100);
        CHECK(planner.plan({run(base, 1000, base), run(base + 1000, 800, base)}, any_header).saved_bytes == 0);
        CHECK(planner.plan({run(base + 1000, 800, base), run(base, 1000, base)}, any_header).saved_bytes == 0);
    }
}

TEST_CASE("message planner: more arrangements than are remembered")
{
    MessagePlanner planner{HeaderFormat(sizeof(std::uint32_t))};
    for (int call = 0; call < 2; ++call)
        for (std::size_t common = 100; common < 120; ++common)
            CHECK(planner.plan({run(10000, 1000), run(11000 - common, 500)}, any_header).saved_bytes == common);
    CHECK(planner.plan({run(10010, 1000), run(10910, 500)}, any_header).saved_bytes == 100); // all at other places
}

TEST_CASE("message planner: an absent block is no empty one, and sizes count where places are unknown")
{
    MessagePlanner planner{HeaderFormat(sizeof(std::uint32_t))};
    std::vector<Footprint> blocks = {run(10000, 1000), Footprint(), run(10500, 1000)};
    for (const auto& [absent, bytes] : {std::pair(false, 0), std::pair(true, 0), std::pair(false, 8)}) {
        blocks[1].absent = absent;
        blocks[1].bytes = static_cast<std::size_t>(bytes);
        const MessagePlan& plan = planner.plan(blocks, any_header);
        CHECK((plan.layout.blocks[1].placement == Placement::absent) == absent);
        CHECK(plan.layout.blocks[1].bytes == blocks[1].bytes);
        CHECK(plan.saved_bytes == 500);
    }
}

TEST_CASE("message planner: absent blocks stay so, and a header has no more bytes than it may")
{
    const HeaderFormat format(sizeof(std::uint32_t));
    MessagePlanner planner(format);
    Footprint absent = run(10000, 1000);
    absent.absent = true;
    const std::vector<Footprint> blocks = {run(10000, 1000), absent, run(10500, 1000)};
    const MessagePlan plan = planner.plan(blocks, format.plain_bytes(3));
    CHECK(plan.saved_bytes == 0);
    CHECK(plan.layout.payload_bytes == 2000);
    CHECK(plan.layout.blocks[1].placement == Placement::absent);
    const MessagePlan shorter = planner.plan(blocks, any_header);
    CHECK(shorter.saved_bytes == 500);
    CHECK(format.bytes(shorter.layout) > format.plain_bytes(3));
    CHECK(planner.plan(blocks, format.bytes(shorter.layout)).saved_bytes == 500);
}
