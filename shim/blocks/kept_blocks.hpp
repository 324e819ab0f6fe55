// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the blocks of the last w forms on a communicator, for calls with the same arguments.
#pragma once

#include "shim/blocks/block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// What the blocks of a buffer are made from, but for its address.
struct BlockArguments {
    const void* counts = nullptr;
    std::size_t counts_bytes = 0; // in all: they may be int or large
    const MPI_Aint* displacements = nullptr;
    const MPI_Datatype* types = nullptr;
    std::size_t n = 0;    // displacements, and types
    bool nowhere = false; // the buffer is null, which some blocks must not have
};

/// A list is given again only while no type of the program has gone away: a handle may become another type's. Calls on
/// one communicator come one after the other; types may go away meanwhile.
class KeptBlocks
{
  public:
    /// `make()`: the list of these arguments, looked up; what it throws passes through. Cost: as comparing the
    /// arguments, where they are those of one of the last calls.
    template <class Make>
    std::shared_ptr<const BlockList> find_or_make(const BlockArguments& arguments, Make&& make)
    {
        const std::uint64_t gone = types_gone();
        for (std::size_t tries = 0; tries < entries_.size(); ++tries) {
            const Entry& entry = entries_[next_];
            next_ = (next_ + 1) % entries_.size();
            if (entry.list != nullptr && entry.gone == gone && equal(entry, arguments))
                return entry.list;
        }
        std::shared_ptr<const BlockList> list = make();
        keep(arguments, gone, list);
        return list;
    }

  private:
    struct Entry {
        std::vector<char> arguments; // counts, displacements, types
        std::size_t counts_bytes = 0;
        bool nowhere = false;
        std::uint64_t gone = 0; // types_gone before they were looked up
        std::shared_ptr<const BlockList> list;
    };

    static bool equal(const Entry& entry, const BlockArguments& arguments) noexcept;
    void keep(const BlockArguments& arguments, std::uint64_t gone, std::shared_ptr<const BlockList> list);

    std::array<Entry, 4> entries_; // both buffers of two calls in turn
    std::size_t next_ = 0;         // the first to look at: calls come in turn
};

} // namespace hopscotch::shim
