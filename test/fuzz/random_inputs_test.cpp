// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The targets of the fuzzer with random inputs; scripts/develop/fuzz tries more of them, guided by coverage.
#include "test/fuzz/targets.hpp"

#include "shim/base/settings.hpp"
#include "test/catch.hpp"

namespace
{

using Input = std::vector<std::uint8_t>;

Input random_bytes(std::mt19937& random, std::size_t most)
{
    Input input(random() % most + 1);
    for (std::uint8_t& byte : input)
        byte = static_cast<std::uint8_t>(random());
    return input;
}

Input with_head(std::uint8_t head, const std::string& text)
{
    Input input(text.begin(), text.end());
    input.insert(input.begin(), head);
    return input;
}

void change_a_byte(std::mt19937& random, Input& input)
{
    input[1 + random() % (input.size() - 1)] = static_cast<std::uint8_t>(random() % 96 + 32);
}

/// A target takes more than a tenth of so many random inputs, and not all of them.
void check_random_inputs(bool (*target)(const std::uint8_t*, std::size_t), unsigned seed, int trials, std::size_t most)
{
    std::mt19937 random(seed);
    int accepted = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const Input input = random_bytes(random, most);
        accepted += target(input.data(), input.size()) ? 1 : 0;
    }
    CHECK(accepted > trials / 10);
    CHECK(accepted < trials);
}

} // namespace

TEST_CASE("Random settings are refused or read back as they were", "[fuzz]")
{
    static const char* const pieces[] = {"auto",
                                         "merged",
                                         "shared",
                                         "alltoall",
                                         "allgatherv",
                                         "=",
                                         ",",
                                         "x",
                                         "p",
                                         "4",
                                         "0",
                                         "1000",
                                         "K",
                                         "m",
                                         " ",
                                         "\n",
                                         "off",
                                         "on",
                                         "stderr",
                                         ".json",
                                         ".html",
                                         "%p",
                                         "18446744073709551615"};
    std::mt19937 random(1);
    int accepted = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text;
        for (std::size_t count = random() % 6; count > 0; --count)
            text += pieces[random() % (sizeof pieces / sizeof pieces[0])];
        const Input input = with_head(static_cast<std::uint8_t>(random() % 11), text);
        accepted += try_settings(input.data(), input.size()) ? 1 : 0; // aborts on a fault
    }
    CHECK(accepted > 1000);
    CHECK(accepted < 15000);
}

TEST_CASE("Settings of another process are read as written or not at all", "[fuzz]")
{
    std::mt19937 random(2);
    const std::string written = hopscotch::shim::canonical(hopscotch::shim::Settings{});
    int accepted = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        Input input = with_head(128, written);
        if (trial > 0)
            change_a_byte(random, input);
        accepted += try_settings(input.data(), input.size()) ? 1 : 0;
    }
    CHECK(accepted >= 1);
    CHECK(accepted < 500);
}

TEST_CASE("Grids that explain random neighbor lists carry schedules on them", "[fuzz]")
{
    check_random_inputs(try_inference, 3, 300, 40);
}

TEST_CASE("Random datatypes are flattened as their type maps say", "[fuzz]")
{
    check_random_inputs(try_datatype, 4, 5000, 60);
}

TEST_CASE("Random tables of places lead nowhere but into their messages", "[fuzz]")
{
    std::mt19937 random(5);
    int accepted = 0;
    constexpr int trials = 5000;
    for (int trial = 0; trial < trials; ++trial) {
        Input input(1 + 16 + random() % 8, 0); // three blocks
        input[0] = 3;
        for (std::size_t field = 0; field < 4; ++field) // four bytes each, the lowest first
            input[1 + 4 * field] = static_cast<std::uint8_t>(field == 0 ? 0 : random() % 8);
        accepted += try_place_table(input.data(), input.size()) ? 1 : 0;
    }
    CHECK(accepted > 0);
    CHECK(accepted < trials / 2);
}
