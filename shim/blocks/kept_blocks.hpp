// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the lists of blocks of the last calls on a communicator, for calls with the same arguments.
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
    enum class Form : char { v, w, w_nowhere }; // the buffer is null, which some blocks must not have

    struct Array {
        const void* begin = nullptr;
        std::size_t bytes = 0;
    };
    Form form = Form::w;
    std::array<Array, 3>
        arrays; // counts; displacements; of w forms the types, of v forms the address of the type's map
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
        std::vector<char> arguments; // the arrays, one after the other
        BlockArguments::Form form{};
        std::array<std::size_t, 3> bytes{}; // of each
        std::uint64_t gone = 0;             // types_gone before they were looked up
        std::shared_ptr<const BlockList> list;
    };

    static bool equal(const Entry& entry, const BlockArguments& arguments) noexcept;
    void keep(const BlockArguments& arguments, std::uint64_t gone, std::shared_ptr<const BlockList> list);

    std::array<Entry, 4> entries_; // both buffers of two calls in turn
    std::size_t next_ = 0;         // the first to look at: calls come in turn
};

} // namespace hopscotch::shim
