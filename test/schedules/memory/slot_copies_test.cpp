// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks copied in runs stand in the same places as blocks copied one by one, and nothing else is written.
#include "schedules/memory/slot_copies.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("runs of blocks are copied to slots and to positions", "[message]")
{
    std::vector<SlotRun> runs;
    for (const auto& [slot, position] : {std::pair{1, 4}, {2, 5}, {4, 0}, {0, 7}})
        append_slot(runs, slot, position);
    REQUIRE(runs.size() == 3);

    const std::string positions = "aabbccddeeffgghh";
    std::string slots(10, '.');
    copy_to_slots(all(runs), 2, positions.data(), slots.data());
    CHECK(slots == "hheeff..aa");

    std::string back(16, '.');
    copy_to_positions(all(runs), 2, slots.data(), back.data());
    CHECK(back == "aa......eeff..hh");
}
