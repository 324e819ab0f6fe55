// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of a buffer, and a list of blocks of one buffer.
#pragma once

#include "schedules/message/kept_arguments.hpp"
#include "shim/blocks/datatype.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// One block of the user's: `count` elements of a type at an address.
struct Block {
    char* address = nullptr;
    MPI_Count count = 0;
    const TypeMap* type = nullptr;
    std::size_t bytes = 0; // data bytes

    /// True if the data is one run of bytes.
    bool contiguous() const noexcept { return type == nullptr || type->contiguous || bytes == 0; }

    /// Its lowest byte.
    char* data() const noexcept { return type == nullptr ? address : address + type->lowest_offset; }
};

/// The address so many bytes on. No arithmetic of pointers, for `address` may be null.
inline char* moved(const void* address, std::ptrdiff_t bytes) noexcept
{
    return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(bytes));
}

/// `count` elements of a type that begin so many bytes behind an address.
inline Block block_at(const void* address, MPI_Aint displacement_bytes, MPI_Count count, const TypeMap& map) noexcept
{
    Block block;
    block.address = moved(address, displacement_bytes);
    block.count = count;
    block.type = &map;
    block.bytes = static_cast<std::size_t>(count) * map.size;
    return block;
}

/// Blocks with addresses that count from their buffer: as if it lay at address 0.
struct BlockList {
    std::vector<Block> blocks;
    std::vector<std::shared_ptr<const TypeMap>> maps; // maps of the blocks, kept alive
    std::size_t largest_bytes = 0;

    void append(const Block& block)
    {
        blocks.push_back(block);
        largest_bytes = std::max(largest_bytes, block.bytes);
    }
};

/// A list is given again only while no type of the program has gone away: a handle may become another type's. Calls on
/// one communicator come one after the other; types may go away meanwhile.
class KeptBlocks
{
  public:
    /// `arguments`: the arguments of the blocks, without the address of the buffer. `make()`: computes their list;
    /// exceptions pass through. Cost: that of comparing the arguments, if they equal those of one of the last calls.
    template <class Make>
    std::shared_ptr<const BlockList> find_or_make(const schedules::ArgumentArrays& arguments, Make&& make)
    {
        const std::uint64_t gone = types_gone();
        for (std::size_t tries = 0; tries < entries_.size(); ++tries)
            if (const Entry& entry = take_next();
                entry.list != nullptr && entry.gone == gone && entry.arguments.equal(arguments))
                return entry.list;
        std::shared_ptr<const BlockList> list = make();
        keep(arguments, gone, list);
        return list;
    }

  private:
    struct Entry {
        schedules::KeptArguments arguments;
        std::uint64_t gone = 0; // types_gone before they were looked up
        std::shared_ptr<const BlockList> list;
    };

    Entry& take_next() noexcept { return entries_[std::exchange(next_, (next_ + 1) % entries_.size())]; }

    [[gnu::noinline]] void keep(const schedules::ArgumentArrays& arguments, std::uint64_t gone,
                                const std::shared_ptr<const BlockList>& list)
    {
        const auto flat = [](const std::shared_ptr<const TypeMap>& map) { return map->flat; };
        if (list->blocks.empty() || !std::all_of(list->maps.begin(), list->maps.end(), flat))
            return; // others hold a type of their own, made for one call
        Entry& entry = take_next();
        entry.list = nullptr; // until all is there: there may be no memory
        entry.arguments.keep(arguments);
        entry.gone = gone;
        entry.list = list;
    }

    std::array<Entry, 4> entries_; // both buffers of two calls in turn
    std::size_t next_ = 0;         // the first to look at: calls come in turn
};

} // namespace hopscotch::shim
