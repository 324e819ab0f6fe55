// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Headers of messages: a header is read as it was written, and anything else is refused or at least harmless.
#include "schedules/message/message_layout.hpp"

#include "test/catch.hpp"
#include "test/fuzz/targets.hpp"

#include <cstdint>
#include <cstring>

using namespace hopscotch::schedules;

namespace
{

/// The pieces of a block of each kind but those in turn.
std::vector<std::vector<Pieces>> one_of_each_entries()
{
    return {{{8, 24}}, {{0, 4, 16, 3}}, {{48, 8}, {4, 2, 6, 5}, {56, 10}}};
}

/// Three blocks in turn, then one of each other kind.
MessageLayout one_of_each()
{
    MessageLayout layout;
    for (const std::size_t bytes : {40u, 0u, 16u})
        layout.append(bytes);
    layout.append_absent();
    for (const std::vector<Pieces>& entries : one_of_each_entries()) {
        std::size_t bytes = 0;
        for (const Pieces& pieces : entries)
            bytes += pieces.bytes();
        const std::size_t before = layout.payload_bytes;
        layout.append(0);
        layout.blocks.back().bytes = bytes;
        layout.payload_bytes = before;
        layout.scatter(layout.blocks.size() - 1, entries);
    }
    return layout;
}

std::vector<char> header_of(const MessageLayout& layout, const HeaderFormat& format)
{
    std::vector<char> header(format.bytes(layout));
    format.write(layout, header.data());
    return header;
}

/// The bytes of a block by a layout, for any size of its words.
std::vector<char> gathered(const MessageLayout& layout, std::size_t block, const std::vector<char>& payload)
{
    std::vector<char> bytes(layout.blocks[block].bytes);
    gather(layout, block, payload.data(), bytes.data());
    return bytes;
}

/// Memory of exactly that size, so that a sanitizer sees a step beyond it.
std::vector<char> numbered(std::size_t bytes)
{
    std::vector<char> memory(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        memory[i] = static_cast<char>(i * 7 + 1);
    memory.shrink_to_fit();
    return memory;
}

/// True if these words are the header of no message.
template <class Word>
bool refuses(const std::vector<Word>& words, std::size_t blocks)
{
    MessageLayout layout;
    const auto* const message = reinterpret_cast<const char*>(words.data());
    return !HeaderFormat(sizeof(Word)).read(message, words.size() * sizeof(Word), blocks, layout);
}

} // namespace

TEST_CASE("headers: they are read as they were written", "[message_layout]")
{
    const MessageLayout layout = one_of_each();
    const std::vector<char> payload = numbered(layout.payload_bytes);
    CHECK(layout.payload_bytes == 66); // 40 + 16 in turn; the last piece lies behind them
    for (const std::size_t word : {sizeof(std::uint32_t), sizeof(std::uint64_t)}) {
        const HeaderFormat format(word);
        const std::vector<char> header = header_of(layout, format);
        // 7 blocks; the offset; offset, length, stride; 3 entries of 4
        CHECK(header.size() == (7 + 1 + 3 + 1 + 12) * word);
        MessageLayout read;
        REQUIRE(format.read(header.data(), header.size(), layout.blocks.size(), read));
        CHECK(read.payload_bytes == layout.payload_bytes);
        CHECK(format.bytes(read) == header.size());
        for (std::size_t q = 0; q < layout.blocks.size(); ++q) {
            CHECK(read.blocks[q].placement == layout.blocks[q].placement);
            CHECK(gathered(read, q, payload) == gathered(layout, q, payload));
        }
        for (std::size_t available = 0; available < header.size(); ++available)
            CHECK_FALSE(format.read(header.data(), available, layout.blocks.size(), read));
        REQUIRE(format.read(header.data(), header.size(), layout.blocks.size(), read)); // the one before is gone
        CHECK(read.blocks.size() == layout.blocks.size());
        CHECK(read.pieces.size() == layout.pieces.size());
        std::size_t added = format.plain_bytes(layout.blocks.size());
        for (const std::vector<Pieces>& entries : one_of_each_entries())
            added += format.added_bytes(entries);
        CHECK(added == header.size());
    }
}

TEST_CASE("headers: blocks in turn take a word each", "[message_layout]")
{
    const HeaderFormat format(sizeof(std::uint32_t));
    MessageLayout layout;
    layout.append(5);
    layout.append(7);
    CHECK(format.bytes(layout) == 8);
    CHECK(format.plain_bytes(2) == 8);
    const std::vector<char> header = header_of(layout, format);
    const std::uint32_t words[2] = {5, 7};
    CHECK(std::memcmp(header.data(), words, sizeof words) == 0);
    CHECK(format.largest_block() == 0x3ffffffeu);
    MessageLayout largest;
    largest.append(format.largest_block());
    REQUIRE(format.read(header_of(largest, format).data(), 4, 1, layout));
    CHECK(layout.blocks[0].bytes == format.largest_block());
    CHECK(format.largest_offset() == 0xffffffffu);
    CHECK(HeaderFormat(sizeof(std::uint64_t)).largest_offset() > 0xffffffffu);
}

TEST_CASE("headers: contradictions are refused", "[message_layout]")
{
    constexpr auto refused = refuses<std::uint32_t>;
    const std::uint32_t run = 1u << 30;
    const std::uint32_t equal = 2u << 30;
    const std::uint32_t listed = 3u << 30;
    CHECK_FALSE(refused({10, run | 4, 6}, 2));
    CHECK_FALSE(refused({10, run | 4, 10}, 2));
    CHECK(refused({run | 4, 1}, 1));
    CHECK(refused({10, run | 4}, 2));              // no offset
    CHECK(refused({10, run | 4, 11}, 2));          // further than all bytes together reach
    CHECK(refused({10, run | 4, 0xffffffffu}, 2)); // wraps
    CHECK(refused({10, run | 0, 0}, 2));           // nothing, somewhere
    CHECK_FALSE(refused({10, equal | 4, 0, 2, 5}, 2));
    CHECK(refused({10, equal | 4, 0, 3, 5}, 2)); // 3 does not divide 4
    CHECK(refused({10, equal | 4, 0, 0, 5}, 2)); // pieces of nothing
    CHECK(refused({10, equal | 4, 0, 2, 0xffffffffu}, 2));
    CHECK_FALSE(refused({10, equal | 6, 0, 2, 7}, 2));
    CHECK(refused({10, equal | 6, 0, 2, 8}, 2)); // 3 pieces, the last ends at 18
    CHECK(refused({10, equal | 6, 2, 2, 7}, 2)); // the last ends at 18 of 16
    CHECK_FALSE(refused({10, listed | 4, 1, 0, 2, 2, 2}, 2));
    CHECK_FALSE(refused({10, listed | 2, 2, 0, 1, 1, 1, 5, 1, 1, 1}, 2));
    CHECK(refused({10, listed | 4, 0}, 2));                          // made of no pieces
    CHECK(refused({10, listed | 4, 1, 0, 2, 2, 1}, 2));              // too little
    CHECK(refused({10, listed | 4, 1, 0, 2, 2, 3}, 2));              // too much
    CHECK(refused({10, listed | 4, 2, 0, 2, 2, 2}, 2));              // an entry missing
    CHECK(refused({10, listed | 4, 0xffffffffu, 0, 2, 2, 2}, 2));    // more entries than bytes
    CHECK(refused({0, equal | 400, 0, 1, 0}, 2));                    // one byte 400 times: longer than the payload
    CHECK(refused({10, listed | 4, 1, 0, 2, 2, 0x80000001u}, 2));    // 2 * count wraps to 2
    CHECK(refused({10, listed | 4, 2, 0, 2, 2, 1, 14, 2, 0, 1}, 2)); // beyond, in the second entry
}

TEST_CASE("headers: sums that wrap are refused", "[message_layout]")
{
    constexpr auto refused = refuses<std::uint64_t>;
    const std::uint64_t quarter = std::uint64_t{1} << 62;
    const std::uint64_t listed = 3 * quarter;
    CHECK_FALSE(refused({quarter - 1, 1}, 2));
    CHECK(refused({quarter - 1, 2}, 2));
    CHECK(refused({quarter - 1, quarter - 1, quarter - 1, quarter - 1, 10}, 5));
    CHECK_FALSE(refused({10, listed | 4, 1, 0, 2, 2, 2}, 2));
    CHECK(refused({10, listed | 4, quarter, 0, 2, 2, 2}, 2)); // 4 words for each of 2^62 entries
}

TEST_CASE("headers: no copy steps on by the stride that they give to a single piece", "[message_layout]")
{
    const HeaderFormat format(sizeof(std::uint64_t));
    const std::uint64_t quarter = std::uint64_t{1} << 62;
    const std::uint64_t equal = 2 * quarter;
    const std::uint64_t listed = 3 * quarter;
    const std::uint64_t far = ~std::uint64_t{0} / 2;
    const std::vector<std::uint64_t> words = {10, equal | 4, listed | 6, 0, 4, far, 2, 0, 2, far, 1, 4, 2, 3, 2};
    MessageLayout layout;
    REQUIRE(format.read(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t), 3, layout));
    CHECK(layout.pieces == std::vector<Pieces>{{0, 4, 0, 1}, {0, 2, 0, 1}, {4, 2, 3, 2}});
}

TEST_CASE("headers: damaged ones lead nowhere", "[message_layout]")
{
    std::mt19937 random(4711);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int accepted = 0;
    constexpr int trials = 60000;
    for (int trial = 0; trial < trials; ++trial) {
        const std::size_t words = below(2); // words of 4 or 8 bytes
        std::size_t blocks = 7;
        std::vector<char> message;
        if (trial % 3 == 0) { // nothing but random bytes, many of them zeros or ones
            blocks = 1 + below(9);
            message.resize(below(160));
            for (char& byte : message)
                byte = static_cast<char>(below(3) == 0 ? random() : below(2) == 0 ? 0 : 0xff);
        } else { // a sound header with some bits or bytes changed, now and then cut off
            message = header_of(one_of_each(), HeaderFormat(words == 0 ? 4 : 8));
            for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
                char& byte = message[below(message.size())];
                byte = static_cast<char>(below(2) == 0 ? byte ^ (1 << below(8)) : static_cast<int>(random()));
            }
            if (below(4) == 0)
                message.resize(below(message.size()));
        }
        std::vector<std::uint8_t> input = {static_cast<std::uint8_t>(2 * blocks + words)};
        input.insert(input.end(), message.begin(), message.end());
        accepted += try_message_header(input.data(), input.size()) ? 1 : 0; // aborts on a fault
    }
    CHECK(accepted > trials / 50);
    CHECK(accepted < trials / 2);
}
