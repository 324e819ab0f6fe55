// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lends large blocks to processes of the node, which copy them from where they lie: once instead of twice.
#pragma once

#include "shim/base/process_memory.hpp"
#include "shim/blocks/block_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// What a receiver is told: where in its sender's memory the data of a block stands, and how much of it.
struct LentBlock {
    std::uint64_t address = 0; // 0: the sender had no memory to put it together
    std::uint64_t bytes = 0;
};

/// Both ends of one exchange.
class LentBlocks
{
  public:
    /// For those who read this block, until take_back(). One that is no run of bytes is packed first. Requires: it is
    /// not empty.
    LentBlock lend(const Block& block) noexcept;

    /// All have read what was lent.
    void take_back() noexcept { packed_.clear(); }

    /// Wants a block of a neighbor. Two sizes, which is an error: the shorter one of them is copied.
    void borrow(const LentBlock& lent, const Block& to) noexcept;

    /// Copies what was wanted of that process; what is no run of bytes here goes to its places. False where the system
    /// refuses: it must come by itself. `error`: an MPI code, where what was wanted was wrong.
    bool copy_from(std::int64_t process, int& error) noexcept;

  private:
    struct Packed {
        std::unique_ptr<char[]> data;
        std::size_t bytes;
        Block to;
    };

    std::vector<std::unique_ptr<char[]>> packed_; // lent
    std::vector<Packed> borrowed_;                // to be unpacked
    MemoryReader reader_;
    int error_ = 0; // of what was wanted
};

} // namespace hopscotch::shim
