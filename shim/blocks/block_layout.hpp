// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Describes the blocks of one buffer argument: the plain, v and w forms, int and large counts, as one.
#pragma once

#include "schedules/memory/slot_copies.hpp"
#include "schedules/message/pieces.hpp"
#include "shim/blocks/block.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Block i of a buffer for every i. Keeps the type maps alive.
class BlockLayout
{
  public:
    BlockLayout() = default;

    /// Makes the layout independent of the arrays it was made from. To be called before the MPI call returns. `kept`:
    /// of the communicator.
    [[gnu::hot]] void keep(KeptBlocks& kept);

    // The four forms of arguments. Throw: WrongArgument for arguments that the MPI library rejects.

    /// All blocks alike, one after the other: block i at i * count * extent.
    [[gnu::hot]] static BlockLayout regular(const void* buffer, MPI_Count count, MPI_Datatype type);

    /// The one block of an allgather's send buffer; every index gives it.
    [[gnu::hot]] static BlockLayout single(const void* buffer, MPI_Count count, MPI_Datatype type);

    /// The v forms: block i at displacements[i] extents, counts[i] elements. Shape: n entries each. The arrays must
    /// live as long as the layout or until keep(): most calls look at each block once.
    template <class Count, class Displacement>
    [[gnu::hot]] static BlockLayout varying(const void* buffer, const Count* counts, const Displacement* displacements,
                                            MPI_Datatype type, std::size_t n);

    /// The w forms: block i at displacements[i] bytes, of its own type. Shape: n entries each. `kept`: of the
    /// communicator; null: every type is looked up.
    template <class Count>
    [[gnu::hot]] static BlockLayout general(const void* buffer, const Count* counts, const MPI_Aint* displacements,
                                            const MPI_Datatype* types, std::size_t n, KeptBlocks* kept = nullptr);

    /// The buffer argument; null for MPI_BOTTOM, and if all blocks were given other addresses.
    const char* buffer() const noexcept { return uniform_.address; }

    /// The buffer lies so many bytes further, and all blocks with it.
    void move(std::ptrdiff_t bytes) noexcept { uniform_.address = moved(uniform_.address, bytes); }

    /// The same blocks at other addresses. Shape: as many entries as there are blocks.
    BlockLayout at(const std::vector<char*>& addresses) const;

    Block operator[](int i) const noexcept
    {
        switch (form_) {
        case Form::uniform: {
            Block block = uniform_;
            block.address += i * stride_;
            return block;
        }
        case Form::of_ints:
            return of_arrays<int, int>(i);
        case Form::of_large_counts:
            return of_arrays<MPI_Count, MPI_Aint>(i);
        case Form::listed:
            break;
        }
        Block block = list_->blocks[static_cast<std::size_t>(i)];
        block.address = moved(uniform_.address, reinterpret_cast<std::ptrdiff_t>(block.address));
        return block;
    }

    /// Bytes of every block, of blocks that are all alike; else 0.
    std::size_t block_bytes() const noexcept { return uniform_.bytes; }

    /// Bytes of the largest block.
    std::size_t largest_bytes() const noexcept
    {
        switch (form_) {
        case Form::uniform:
            return uniform_.bytes;
        case Form::listed:
            return list_->largest_bytes;
        default:
            return static_cast<std::size_t>(uniform_.count) * map_->size;
        }
    }

    /// True if every block of a regular layout is one run of bytes.
    bool contiguous() const noexcept { return uniform_.contiguous(); }

    /// True if the blocks of a regular layout follow one another without gaps: many of them are one run of bytes.
    bool dense() const noexcept
    {
        return form_ == Form::uniform && contiguous() && stride_ == static_cast<MPI_Aint>(uniform_.bytes);
    }

    /// The begin of block i. Requires: dense().
    char* dense_data(int i) const noexcept { return uniform_.data() + i * stride_; }

  private:
    /// The source of blocks: computed from the first, from the caller's arrays, or from a list.
    enum class Form : char { uniform, of_ints, of_large_counts, listed };

    void set_list(std::shared_ptr<const BlockList> list) noexcept
    {
        form_ = Form::listed;
        list_ = std::move(list);
    }

    template <class Count, class Displacement>
    Block of_arrays(int i) const noexcept
    {
        const MPI_Aint displacement = static_cast<const Displacement*>(displacements_)[i];
        return block_at(uniform_.address, displacement * map_->extent, static_cast<const Count*>(counts_)[i], *map_);
    }

    Form form_ = Form::uniform;
    int size_ = 0;        // size of the arrays
    Block uniform_;       // block 0; of arrays and lists: no bytes, at the buffer's begin; of arrays: the largest count
    MPI_Aint stride_ = 0; // from block to block
    const void* counts_ = nullptr;
    const void* displacements_ = nullptr;
    std::shared_ptr<const TypeMap> map_; // map of all blocks; in a list only if they have one type
    std::shared_ptr<const BlockList> list_;
};

// GCC clears as much with plain stores, and more by `rep stos`, which takes 10 ns, twice in a call.
static_assert(sizeof(BlockLayout) <= 96);

/// The range of the block's data, gaps included; empty if it has none.
schedules::AddressRange range_of(const Block& block) noexcept;

/// Appends the pieces of the block's data, in type-map order, with offsets from the address `base`; none if only the
/// MPI library knows them.
void append_pieces(const Block& block, std::size_t base, std::vector<schedules::Pieces>& pieces);

/// The runs of bytes that are the block's data, gaps not included. Throws: MpiError. Cost: that of packing it. If only
/// the MPI library can read the datatype, also as much memory as the block spans.
std::vector<schedules::AddressRange> runs_of(const Block& block);

/// Like pack and unpack, for blocks that are no single run of bytes.
void pack_runs(const Block& block, char* to);
void unpack_runs(const char* from, std::size_t bytes, const Block& block);

/// Copies the block's data to `to`, back to back in type-map order. Requires: room for block.bytes.
inline void pack(const Block& block, char* to)
{
    if (block.contiguous())
        schedules::copy_run(to, block.data(), block.bytes);
    else
        pack_runs(block, to);
}

/// The reverse: writes `bytes` bytes, at most block.bytes, of packed data into the block and nothing outside its data.
inline void unpack(const char* from, std::size_t bytes, const Block& block)
{
    if (block.contiguous())
        schedules::copy_run(block.data(), from, std::min(bytes, block.bytes));
    else
        unpack_runs(from, bytes, block);
}

/// Copies one block onto another inside the process; the shorter of the two sizes is copied.
[[gnu::hot]] void copy(const Block& from, const Block& to);

/// The send and the receive buffer of a call.
struct Layouts {
    BlockLayout send;
    BlockLayout receive;

    /// See BlockLayout::keep.
    void keep(KeptBlocks& kept)
    {
        send.keep(kept);
        receive.keep(kept);
    }
};

} // namespace hopscotch::shim
