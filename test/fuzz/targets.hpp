// What is fuzzed: each takes any bytes, says whether it accepted them, and aborts when something came of it that must
// not. Part of the unit tests, and by scripts/fuzz of libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

bool try_message_header(const std::uint8_t* data, std::size_t size);
bool try_settings(const std::uint8_t* data, std::size_t size);
bool try_inference(const std::uint8_t* data, std::size_t size);

namespace fuzz
{

inline void demand(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace fuzz
