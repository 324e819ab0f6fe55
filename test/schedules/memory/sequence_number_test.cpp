// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Turns use the places one after the other, and turns near to each other have different words in memory.
#include "test/catch.hpp"

#include "schedules/memory/segment_layout.hpp"

#include <cstdint>

using namespace hopscotch::schedules;

namespace
{

constexpr SequenceNumber wraps = SequenceNumber{1} << 32;

/// True if turns around this one all have different words, none of them 0.
bool have_words(SequenceNumber middle)
{
    constexpr SequenceNumber few = 20;
    for (SequenceNumber one = middle - few; one < middle + few; ++one)
        for (SequenceNumber other = middle - few; other < one; ++other)
            if (word_of(one) == word_of(other) || word_of(one) == 0)
                return false;
    return true;
}

} // namespace

TEST_CASE("the words of turns begin again without being 0")
{
    CHECK(no_turn < wraps);
    CHECK(no_turn + 100 > wraps); // in every run
    for (const SequenceNumber middle : {no_turn + 30, wraps, wraps + (wraps >> 1), 2 * wraps})
        CHECK(have_words(middle));
    CHECK(word_of(wraps) != word_of(wraps - 1));
}

TEST_CASE("turns use the places one after the other")
{
    for (SequenceNumber turn = wraps - 10; turn < wraps + 10; ++turn) {
        CHECK(place_of(turn) < buffers_per_stream);
        CHECK(place_of(turn) != place_of(turn + 1));
        CHECK(place_of(turn) == place_of(turn + buffers_per_stream));
    }
}

TEST_CASE("each place has a first use")
{
    CHECK(is_first_use(no_turn + 1));
    CHECK(is_first_use(no_turn + buffers_per_stream));
    CHECK_FALSE(is_first_use(no_turn + buffers_per_stream + 1));
    CHECK_FALSE(is_first_use(wraps + 1));
}
