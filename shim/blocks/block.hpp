// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of a buffer, and a list of blocks of one buffer.
#pragma once

#include "shim/blocks/datatype.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// True if the MPI library alone reads and writes the data, where it lies: that of larger blocks than `host_copy_limit`
/// bytes, unless only MPI_Pack can read their type, or their runs are short: libraries for devices may copy each by
/// itself. Both ends of an edge know the size; each knows its own type.
inline bool is_left_to_library(const Block& block, std::size_t host_copy_limit) noexcept
{
    constexpr std::size_t least_run_bytes = 4096; // on average
    return block.bytes > host_copy_limit &&
           (block.contiguous() || (block.type->flat && block.type->bytes_of_a_run() >= least_run_bytes));
}

/// The block's data as the buffer argument of a message.
struct MessageBuffer {
    char* address;
    std::size_t count;
    MPI_Datatype type = MPI_BYTE;
};

/// Requires: a flat type. Throws: MpiError.
inline MessageBuffer message_buffer(const Block& block)
{
    if (block.contiguous())
        return {block.data(), block.bytes};
    return {block.data(), static_cast<std::size_t>(block.count), type_of_bytes(*block.type)};
}

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

} // namespace hopscotch::shim
