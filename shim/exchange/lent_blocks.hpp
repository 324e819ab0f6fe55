// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lends large blocks to processes of the node, which copy them directly from the sender's memory: once instead of
// twice.
#pragma once

#include "shim/base/process_memory.hpp"
#include "shim/blocks/block_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The message to a receiver: address and size of a block's data in its sender's memory.
struct LentBlock {
    std::uint64_t address = 0; // 0: the sender had no memory to put it together
    std::uint64_t bytes = 0;
};

/// Both ends of one exchange.
class LentBlocks
{
  public:
    /// For the readers of this block, until take_back(). One that is no run of bytes is packed first. Requires: it is
    /// not empty.
    LentBlock lend(const Block& block) noexcept;

    /// All readers are done with the lent blocks.
    void take_back() noexcept { packed_.clear(); }

    /// Wants a block of a neighbor. If the two sizes differ, which is an error, the shorter one is copied.
    void borrow(const LentBlock& lent, const Block& to) noexcept;

    /// Copies the requested blocks of that process; a block that is no run of bytes here is unpacked. False if the
    /// system refuses: the block must come as a message. `error`: an MPI code, if a request was wrong.
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
    int error_ = 0; // error of the requests
};

} // namespace hopscotch::shim
