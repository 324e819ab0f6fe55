// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one buffer of MPI_Alltoallv or MPI_Alltoallw, which has one for each process.
#pragma once

#include "shim/blocks/block_layout.hpp"
#include "shim/blocks/user_blocks.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/next.hpp"

#include <type_traits>
#include <vector>

namespace hopscotch::shim
{

/// The arguments of some blocks, in an order of their own.
struct GatheredArguments {
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types; // of a w form
};

/// The arguments of a call: they live as long as it.
class BlockArguments
{
  public:
    template <class Count, class Displacement>
    BlockArguments(const VaryingBlocks<Count, Displacement>& blocks)
        : buffer_(blocks.buffer), counts_(blocks.counts), displacements_(blocks.displacements), type_(blocks.type),
          ints_(std::is_same_v<Count, int>)
    {
    }
    template <class Count, class Displacement>
    BlockArguments(const GeneralBlocks<Count, Displacement>& blocks)
        : buffer_(blocks.buffer), counts_(blocks.counts), displacements_(blocks.displacements), types_(blocks.types),
          ints_(std::is_same_v<Count, int>), is_w_(true)
    {
    }

    bool in_place() const noexcept { return buffer_ == MPI_IN_PLACE; }
    bool is_w() const noexcept { return is_w_; }

    /// The buffer lies so many bytes further.
    void move(std::ptrdiff_t bytes) noexcept { buffer_ = moved(buffer_, bytes); }

    /// Throws: WrongArgument if an array is missing.
    void demand_arrays() const
    {
        demand_argument(counts_ != nullptr && displacements_ != nullptr && (!is_w_ || types_ != nullptr), MPI_ERR_ARG);
    }

    /// The number of counts that are not 0. Cost: one pass over the counts.
    [[gnu::hot]] int filled(int processes) const noexcept;

    /// True if the block for a process has data; a count of a type without data has none. Throws: WrongArgument.
    bool has_block(int rank) const;

    /// Gathers the arguments of the blocks for some processes. Returns the number of counts that are not 0.
    [[gnu::hot]] int gather(const std::vector<int>& ranks, GatheredArguments& to) const;

    /// The gathered blocks; a v form refers to them. Throws: WrongArgument.
    [[gnu::hot]] BlockLayout layout(const GatheredArguments& gathered, int filled, KeptBlocks* kept) const;

  private:
    MPI_Count count(int rank) const noexcept
    {
        return ints_ ? static_cast<const int*>(counts_)[rank] : static_cast<const MPI_Count*>(counts_)[rank];
    }

    const void* buffer_;
    const void* counts_;
    const void* displacements_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    mutable bool type_has_data_ = false; // known to have some
    const MPI_Datatype* types_ = nullptr;
    bool ints_;
    bool is_w_ = false;
};

} // namespace hopscotch::shim
