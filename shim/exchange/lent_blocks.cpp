// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lends large blocks to processes of the node, which copy them directly from the sender's memory: once instead of
// twice.
#include "shim/exchange/lent_blocks.hpp"

#include "shim/base/no_memory.hpp"
#include "shim/mpi/next.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

LentBlock LentBlocks::lend(const Block& block) noexcept
{
    if (block.contiguous())
        return {(std::uintptr_t)block.data(), block.bytes};
    try {
        packed_.push_back(std::unique_ptr<char[]>(new char[block.bytes]));
        pack(block, packed_.back().get());
        return {(std::uintptr_t)packed_.back().get(), block.bytes};
    } catch (const NoMemory&) {
        return {0, block.bytes};
    }
}

void LentBlocks::borrow(const LentBlock& lent, const Block& to) noexcept
{
    const std::size_t bytes = std::min<std::size_t>(lent.bytes, to.bytes);
    if (lent.bytes != to.bytes)
        error_ = MPI_ERR_TRUNCATE;
    if (bytes == 0)
        return;
    try {
        if (lent.address == 0)
            throw NoMemory();
        if (to.contiguous()) {
            reader_.add(to.data(), lent.address, bytes);
            return;
        }
        borrowed_.push_back({std::unique_ptr<char[]>(new char[bytes]), bytes, to});
        reader_.add(borrowed_.back().data.get(), lent.address, bytes);
    } catch (const NoMemory&) {
        error_ = MPI_ERR_NO_MEM;
    }
}

bool LentBlocks::copy_from(std::int64_t process, int& error) noexcept
{
    if (const int wrong = std::exchange(error_, MPI_SUCCESS); wrong != MPI_SUCCESS)
        error = wrong;
    const bool read = reader_.read(process);
    for (const Packed& packed : borrowed_)
        if (read)
            unpack(packed.data.get(), packed.bytes, packed.to);
    borrowed_.clear();
    return read;
}

} // namespace hopscotch::shim
