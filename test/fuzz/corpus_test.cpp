// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every input the fuzzer has kept, and every one that once failed: test/fuzz/corpus/TARGET/.
#include "test/fuzz/targets.hpp"

#include "test/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace
{

/// The number of inputs, and of those that the target accepts.
struct Replayed {
    int inputs = 0;
    int accepted = 0;
};

Replayed replay(const std::string& name, bool (*target)(const std::uint8_t*, std::size_t))
{
    Replayed result;
    for (const auto& entry : std::filesystem::directory_iterator(HOPSCOTCH_CORPUS + ("/" + name))) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const std::vector<std::uint8_t> input(text.begin(),
                                              text.end()); // a separate copy, so that a read beyond its end is noticed
        ++result.inputs;
        result.accepted += target(input.data(), input.size()) ? 1 : 0; // aborts on a fault
    }
    return result;
}

} // namespace

TEST_CASE("The fuzzer's corpus finds no fault", "[fuzz]")
{
    constexpr int fewest = 5;
    for (const fuzz::Target& target : fuzz::targets) {
        INFO(target.name);
        const Replayed result = replay(target.name, target.run);
        CHECK(result.inputs >= fewest);
        CHECK(result.accepted > 0);
        CHECK(result.accepted < result.inputs);
    }
}
