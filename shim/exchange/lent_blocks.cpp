// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lends large blocks to processes of the node, which copy them from where they lie: once instead of twice.
#include "shim/exchange/lent_blocks.hpp"

#include "shim/base/log.hpp"
#include "shim/mpi/next.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace hopscotch::shim
{

LentBlock LentBlocks::lend(const Block& block) noexcept
{
    if (block.contiguous() && is_readable(block.data()) && is_readable(block.data() + block.bytes - 1))
        return {(std::uintptr_t)block.data(), block.bytes};
    try {
        packed_.push_back(std::unique_ptr<char[]>(new char[block.bytes]));
        pack(block, packed_.back().get());
        return {(std::uintptr_t)packed_.back().get(), block.bytes};
    } catch (const std::bad_alloc&) {
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
            throw std::bad_alloc();
        if (to.contiguous()) {
            reader_.add(to.data(), lent.address, bytes);
            return;
        }
        borrowed_.push_back({std::unique_ptr<char[]>(new char[bytes]), bytes, to});
        reader_.add(borrowed_.back().data.get(), lent.address, bytes);
    } catch (const std::bad_alloc&) {
        error_ = MPI_ERR_NO_MEM;
    }
}

int LentBlocks::copy_from(std::int64_t process) noexcept
{
    int error = std::exchange(error_, MPI_SUCCESS);
    if (!reader_.read(process)) {
        log(LogLevel::error, "the system refuses to copy from the memory of process " + std::to_string(process) + " (" +
                                 std::strerror(errno) + "), as it did not before; HOPSCOTCH_ONE_COPY=off does without");
        error = MPI_ERR_OTHER;
    }
    for (const Packed& packed : borrowed_)
        unpack(packed.data.get(), packed.bytes, packed.to);
    borrowed_.clear();
    return error;
}

} // namespace hopscotch::shim
