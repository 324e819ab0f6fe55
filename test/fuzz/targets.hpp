// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The fuzz targets. Each takes any bytes, returns true if it accepted them, and aborts on a forbidden result. The unit
// tests run them on a corpus; scripts/develop/fuzz runs them under libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

bool try_message_header(const std::uint8_t* data, std::size_t size);
bool try_place_table(const std::uint8_t* data, std::size_t size);
bool try_settings(const std::uint8_t* data, std::size_t size);
bool try_inference(const std::uint8_t* data, std::size_t size);
bool try_datatype(const std::uint8_t* data, std::size_t size);

namespace fuzz
{

struct Target {
    const char* name; // name of its file and its corpus
    bool (*run)(const std::uint8_t* data, std::size_t size);
};

inline constexpr Target targets[] = {{"message_header", try_message_header},
                                     {"place_table", try_place_table},
                                     {"settings", try_settings},
                                     {"inference", try_inference},
                                     {"datatype", try_datatype}};

inline void demand(bool holds)
{
    if (!holds)
        std::abort();
}

/// The bytes of an input one by one; zeros behind the last.
class Bytes
{
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    int below(int limit) { return at_ == end_ ? 0 : *at_++ % limit; }
    std::ptrdiff_t around_zero() { return below(64) - 32; }
    bool more() const { return at_ != end_; }

  private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

} // namespace fuzz
