// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Pieces are joined if that is right, and copied there and back.
#include "schedules/message/pieces.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("pieces: joined if they touch or repeat")
{
    std::vector<Pieces> entries;
    append(entries, 100, 4);
    append(entries, 104, 5); // touches
    append(entries, 120, 8);
    append(entries, 132, 8);
    append(entries, 144, 8); // three, 12 apart
    append(entries, 157, 8); // 13 apart
    append(entries, 20, 8);  // before
    append(entries, 20, 8);  // once more
    REQUIRE(entries == std::vector<Pieces>{{100, 9, 0, 1}, {120, 8, 12, 3}, {157, 8, 0, 1}, {20, 8, 0, 2}});
    CHECK(entries[1].end() == 152);
}

TEST_CASE("pieces: two are not joined with a third at another distance")
{
    std::vector<Pieces> entries;
    for (const std::size_t offset : {100, 112, 125})
        append(entries, offset, 8);
    CHECK(entries == std::vector<Pieces>{{100, 8, 12, 2}, {125, 8}});
    const Pieces pieces{1, 2, 3, 4};
    for (const Pieces& other : {Pieces{2, 1, 3, 4}, Pieces{1, 2, 4, 3}, Pieces{2, 2, 3, 4}, Pieces{1, 2, 3, 5}})
        CHECK_FALSE(pieces == other);
    CHECK_FALSE((alike(pieces, {1, 1, 3, 4}) || alike(pieces, {1, 2, 3, 5})));
}

TEST_CASE("pieces: copied together and back, as far as there are bytes")
{
    for (const std::size_t length : {1, 2, 3, 4, 8, 16, 17}) {
        const Pieces pieces{5, length, 20, 3};
        std::vector<char> memory(70);
        std::iota(memory.begin(), memory.end(), char{1});
        std::vector<char> together(pieces.bytes());
        CHECK(gather(pieces, memory.data(), together.data()) == together.data() + together.size());
        for (std::size_t i = 0; i < together.size(); ++i)
            CHECK(together[i] == memory[5 + i / length * 20 + i % length]);
        for (const std::size_t bytes : {together.size(), together.size() - 1, std::size_t{1}, std::size_t{0}}) {
            std::vector<char> back(70, 0);
            const char* const end = together.data() + bytes;
            CHECK(scatter(together.data(), end, pieces, back.data()) == end);
            for (std::size_t i = 0; i < back.size(); ++i) {
                const std::size_t piece = (i - 5) / 20;
                const bool inside = i >= 5 && piece < 3 && (i - 5) % 20 < length;
                const bool came = inside && piece * length + (i - 5) % 20 < bytes;
                CHECK(back[i] == (came ? memory[i] : 0));
            }
        }
    }
}

TEST_CASE("pieces: copied to alike ones, of every length, and to nothing between them")
{
    for (std::size_t length = 1; length <= 40; ++length)
        for (const std::size_t count : {1u, 2u, 5u}) {
            const Pieces pieces{3, length, length + 2, count};
            const Pieces places{1, length, length + 5, count};
            std::vector<char> from(pieces.end());
            std::iota(from.begin(), from.end(), char{1});
            std::vector<char> together(pieces.bytes());
            CHECK(gather(pieces, from.data(), together.data()) == together.data() + together.size());
            std::vector<char> wanted(places.end() + 8);
            CHECK(scatter(together.data(), together.data() + together.size(), places, wanted.data()) ==
                  together.data() + together.size());
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t k = 0; k < length; ++k)
                    REQUIRE(wanted[1 + i * (length + 5) + k] == from[3 + i * (length + 2) + k]);
            std::vector<char> got(wanted.size());
            REQUIRE(alike(pieces, places));
            copy_pieces(pieces, from.data(), places, got.data());
            CHECK(got == wanted);
        }
}
