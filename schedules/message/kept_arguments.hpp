// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the argument arrays of a call, to be compared with those of later calls.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// Three arrays, and the other values that distinguish calls.
struct ArgumentArrays {
    struct Array {
        const void* begin = nullptr;
        std::size_t bytes = 0;
    };
    int form = 0;
    std::array<Array, 3> arrays;
};

/// A copy of the arrays' bytes.
class KeptArguments
{
  public:
    /// Throws: std::bad_alloc.
    void keep(const ArgumentArrays& arguments);

    /// True if the arguments are the same, byte for byte. Cost: as comparing their bytes.
    [[gnu::hot]] bool equal(const ArgumentArrays& arguments) const noexcept;

  private:
    int form_ = 0;
    std::array<std::size_t, 3> bytes_{}; // bytes of each array
    std::vector<char> all_;              // the arrays, one after the other
};

} // namespace hopscotch::schedules
