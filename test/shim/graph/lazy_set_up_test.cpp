// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places in the program tell by their earlier communicators when the next one is set up.
#include "test/catch.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/graph/lazy_set_up.hpp"

using namespace hopscotch::shim;
using hopscotch::schedules::Agreement;
using hopscotch::schedules::Field;

TEST_CASE("Only places with communicators that were never used have unused ones")
{
    CHECK(unused_so_far(4711) == 0);
    note_end(4711, Use::none);
    note_end(4711, Use::none);
    note_end(4712, Use::none);
    CHECK(unused_so_far(4711) == 2);
    CHECK(unused_so_far(4712) == 1);
    note_use(4711);
    note_end(4711, Use::none);
    CHECK(unused_so_far(4711) == 0);
    CHECK(unused_so_far(4712) == 1);
}

TEST_CASE("Communicators with few calls are counted until one has many, or others")
{
    note_end(4713, Use::brief);
    note_end(4713, Use::none); // says nothing of calls
    note_end(4713, Use::brief);
    CHECK(brief_so_far(4713) == 2);
    CHECK(brief_so_far(4714) == 0);
    note_lasting_use(4713);
    CHECK(brief_so_far(4713) == 0);
    note_end(4713, Use::brief);
    CHECK(brief_so_far(4713) == 1);
    note_end(4713, Use::lasting);
    CHECK(brief_so_far(4713) == 0);
}

TEST_CASE("The set-up waits for calls by a setting, or by what all processes have seen, if auto chooses")
{
    const auto calls = [](std::int64_t unused, std::int64_t brief, const Settings& settings) {
        Agreement agreed;
        agreed[Field::unused_before] = -unused;
        agreed[Field::brief_before] = -brief;
        return calls_before_set_up(agreed, settings.algorithms, settings);
    };
    Settings settings;
    CHECK_FALSE(calls(unused_before_lazy - 1, brief_before_lazy - 1, settings));
    CHECK(calls(unused_before_lazy, 0, settings) == std::optional<std::size_t>(0));
    CHECK(calls(0, brief_before_lazy, settings) == std::optional(few_calls));
    CHECK(calls(unused_before_lazy, brief_before_lazy, settings) == std::optional(few_calls));
    settings.set_up_after = 3;
    CHECK(calls(0, 0, settings) == std::optional<std::size_t>(3));
    settings.set_up_after = 0;
    CHECK_FALSE(calls(unused_before_lazy, brief_before_lazy, settings));
    for (const std::optional<std::size_t> after : {std::optional<std::size_t>(), std::optional<std::size_t>(3)}) {
        Settings forced;
        forced.set_up_after = after;
        forced.algorithms[2] = Algorithm::combining;
        Settings compared;
        compared.set_up_after = after;
        compared.verify = true;
        Settings orthogonal;
        orthogonal.set_up_after = after;
        orthogonal.semantics = Semantics::orthogonal;
        for (const Settings& now : {forced, compared, orthogonal}) {
            CHECK_FALSE(calls(0, brief_before_lazy, now));
            CHECK(calls(unused_before_lazy, 0, now) == std::optional<std::size_t>(0));
        }
    }
}

TEST_CASE("The reason of calls before the set-up names the first call after it")
{
    CHECK(reason_of_rented(0) == hopscotch::schedules::reason::waiting);
    CHECK(reason_of_rented(10).text() == "called few times; from the 11th call on Hopscotch carries them");
    for (const auto& [number, text] : {std::pair<std::size_t, const char*>{1, "2nd"},
                                       {2, "3rd"},
                                       {3, "4th"},
                                       {12, "13th"},
                                       {20, "21st"},
                                       {110, "111th"},
                                       {121, "122nd"}})
        CHECK(reason_of_rented(number).text().find(std::string(" ") + text + " call") != std::string::npos);
}
