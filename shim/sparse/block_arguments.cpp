// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one buffer of MPI_Alltoallv or MPI_Alltoallw, which has one for each process.
#include "shim/sparse/block_arguments.hpp"

namespace hopscotch::shim
{

namespace
{

/// The loop has no branch, so that the compiler can take several counts at a time.
template <class Count>
[[gnu::hot, gnu::optimize("O3")]] int count_filled(const Count* counts, int processes) noexcept
{
    int filled = 0;
    for (int rank = 0; rank < processes; ++rank)
        filled += counts[rank] != 0 ? 1 : 0;
    return filled;
}

template <class Count, class Displacement>
int gather_arrays(const std::vector<int>& ranks, const void* counts, const void* displacements, GatheredArguments& to)
{
    int filled = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        to.counts[i] = static_cast<const Count*>(counts)[ranks[i]];
        to.displacements[i] = static_cast<const Displacement*>(displacements)[ranks[i]];
        filled += to.counts[i] != 0 ? 1 : 0;
    }
    return filled;
}

} // namespace

int BlockArguments::filled(int processes) const noexcept
{
    return ints_ ? count_filled(static_cast<const int*>(counts_), processes)
                 : count_filled(static_cast<const MPI_Count*>(counts_), processes);
}

bool BlockArguments::has_block(int rank) const
{
    if (count(rank) == 0)
        return false; // the type may be anything
    demand_argument(count(rank) > 0, MPI_ERR_COUNT);
    if (is_w_)
        return type_map(types_[rank])->size > 0;
    type_has_data_ = type_has_data_ || type_map(type_)->size > 0;
    return type_has_data_;
}

int BlockArguments::gather(const std::vector<int>& ranks, GatheredArguments& to) const
{
    to.counts.resize(ranks.size());
    to.displacements.resize(ranks.size());
    if (is_w_) {
        to.types.resize(ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i)
            to.types[i] = types_[ranks[i]];
    }
    return ints_ ? gather_arrays<int, int>(ranks, counts_, displacements_, to)
                 : gather_arrays<MPI_Count, MPI_Aint>(ranks, counts_, displacements_, to);
}

BlockLayout BlockArguments::layout(const GatheredArguments& gathered, int filled, KeptBlocks* kept) const
{
    const std::size_t blocks = gathered.counts.size();
    if (is_w_)
        return BlockLayout::general(buffer_, gathered.counts.data(), gathered.displacements.data(),
                                    gathered.types.data(), blocks, kept);
    return BlockLayout::varying(buffer_, gathered.counts.data(), gathered.displacements.data(),
                                filled > 0 ? type_ : MPI_BYTE, blocks);
}

} // namespace hopscotch::shim
