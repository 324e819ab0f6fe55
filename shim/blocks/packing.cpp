// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies between blocks of any datatype and packed bytes.
#include "shim/blocks/block_layout.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

namespace hopscotch::shim
{

namespace
{

enum class Direction { pack, unpack };

template <Direction direction>
inline void move(char* block, char* packed, std::size_t length)
{
    if constexpr (direction == Direction::pack)
        copy_run(packed, block, length);
    else
        copy_run(block, packed, length);
}

/// Elements with one run each, as the columns and planes of an array have: a loop with a fixed stride.
template <Direction direction>
void move_strided(const Block& block, char* packed, std::size_t bytes)
{
    const ByteRun& run = block.type->runs.front();
    char* at = block.address + run.offset;
    for (; bytes >= run.length; bytes -= run.length) {
        move<direction>(at, packed, run.length);
        at += block.type->extent;
        packed += run.length;
    }
    if (bytes > 0)
        move<direction>(at, packed, bytes);
}

template <Direction direction>
void move_runs(const Block& block, char* packed, std::size_t bytes)
{
    char* element = block.address;
    while (bytes > 0) {
        for (const ByteRun& run : block.type->runs) {
            const std::size_t length = std::min(run.length, bytes);
            move<direction>(element + run.offset, packed, length);
            packed += length;
            bytes -= length;
            if (bytes == 0)
                return;
        }
        element += block.type->extent;
    }
}

/// MPI 4.0.2's MPI_Pack takes no null pointer, so a block at MPI_BOTTOM is described from another origin.
class Rebased
{
  public:
    explicit Rebased(const Block& block) : address(block.address), datatype(block.type->datatype)
    {
        if (address != nullptr)
            return;
        static char origin;
        const int one = 1;
        const MPI_Aint shift = -reinterpret_cast<MPI_Aint>(&origin);
        address = &origin;
        check(next.Type_create_hindexed(1, &one, &shift, block.type->datatype, &datatype));
        check(next.Type_commit(&datatype));
        owned_ = true;
    }
    Rebased(const Rebased&) = delete;
    Rebased& operator=(const Rebased&) = delete;
    ~Rebased()
    {
        if (owned_)
            next.Type_free(&datatype);
    }

    char* address;
    MPI_Datatype datatype;

  private:
    bool owned_ = false;
};

/// Types we do not flatten, element by element as far as whole elements fit, since MPI_Pack counts in int.
template <Direction direction>
void move_by_mpi(const Block& block, char* packed, std::size_t bytes)
{
    const Rebased from(block);
    const std::size_t size = block.type->size;
    char* element = from.address;
    for (; bytes >= size && size > 0; bytes -= size) {
        int position = 0;
        if constexpr (direction == Direction::pack)
            check(next.Pack(element, 1, from.datatype, packed, static_cast<int>(size), &position, MPI_COMM_SELF));
        else
            check(next.Unpack(packed, static_cast<int>(size), &position, element, 1, from.datatype, MPI_COMM_SELF));
        element += block.type->extent;
        packed += size;
    }
}

template <Direction direction>
void move_block(const Block& block, char* packed, std::size_t bytes)
{
    if (bytes == 0)
        return;
    if (!block.type->flat)
        return move_by_mpi<direction>(block, packed, bytes);
    if (block.type->runs.size() == 1)
        return move_strided<direction>(block, packed, bytes);
    move_runs<direction>(block, packed, bytes);
}

} // namespace

void pack_runs(const Block& block, char* to)
{
    move_block<Direction::pack>(block, to, block.bytes);
}

void unpack_runs(const char* from, std::size_t bytes, const Block& block)
{
    move_block<Direction::unpack>(block, const_cast<char*>(from), std::min(bytes, block.bytes));
}

void copy(const Block& from, const Block& to)
{
    const std::size_t bytes = std::min(from.bytes, to.bytes);
    if (from.contiguous() && to.contiguous()) {
        if (bytes > 0)
            std::memmove(to.data(), from.data(), bytes);
    } else if (from.contiguous()) {
        unpack(from.data(), bytes, to);
    } else {
        std::vector<char> packed(from.bytes);
        pack(from, packed.data());
        unpack(packed.data(), bytes, to);
    }
}

} // namespace hopscotch::shim
