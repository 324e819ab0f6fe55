// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies between blocks of any datatype and packed bytes.
#include "shim/blocks/block_layout.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace hopscotch::shim
{

using schedules::AddressRange;
using schedules::Pieces;

namespace
{

/// Elements with one run each, as the columns and planes of an array have, are one entry.
bool is_one_entry(const TypeMap& type)
{
    return type.one_run && type.extent > 0;
}

Pieces as_one_entry(const Block& block)
{
    return {0, block.type->pieces.front().length, static_cast<std::size_t>(block.type->extent),
            static_cast<std::size_t>(block.count)};
}

/// One element of a type that we do not flatten. Only a library with large counts makes elements beyond 2 GiB.
void pack_element(const TypeMap& type, const char* element, char* to)
{
    int position = 0;
    MPI_Count large_position = 0;
    check(next.MPI_Pack_c != nullptr
              ? next.MPI_Pack_c(element, 1, type.datatype, to, static_cast<MPI_Count>(type.size), &large_position,
                                MPI_COMM_SELF)
              : next.MPI_Pack(element, 1, type.datatype, to, static_cast<int>(type.size), &position, MPI_COMM_SELF));
}

void unpack_element(const TypeMap& type, const char* from, char* element)
{
    int position = 0;
    MPI_Count large_position = 0;
    check(next.MPI_Unpack_c != nullptr ? next.MPI_Unpack_c(from, static_cast<MPI_Count>(type.size), &large_position,
                                                           element, 1, type.datatype, MPI_COMM_SELF)
                                       : next.MPI_Unpack(from, static_cast<int>(type.size), &position, element, 1,
                                                         type.datatype, MPI_COMM_SELF));
}

/// Types we do not flatten: `move(at, packed)` for each element, as far as whole ones fit, since MPI_Pack counts in
/// int.
template <class Move>
void move_elements(const Block& block, std::size_t bytes, Move&& move)
{
    const std::size_t size = block.type->size;
    char* element = block.address + TypeMap::distance;
    for (std::size_t at = 0; size > 0 && at + size <= bytes; at += size) {
        move(element, at);
        element += block.type->extent;
    }
}

/// Unpacks marks into memory as large as the block.
std::vector<AddressRange> marked_runs_of(const Block& block)
{
    const AddressRange range = range_of(block);
    std::vector<char> memory(range.end - range.begin, 0);
    Block there = block;
    there.address =
        memory.data() + (reinterpret_cast<std::ptrdiff_t>(block.address) - static_cast<std::ptrdiff_t>(range.begin));
    const std::vector<char> marks(block.bytes, 1);
    unpack(marks.data(), marks.size(), there);
    std::vector<AddressRange> runs;
    for (auto at = memory.begin(); (at = std::find(at, memory.end(), 1)) != memory.end();) {
        const auto end = std::find(at, memory.end(), 0);
        runs.push_back({range.begin + static_cast<std::size_t>(at - memory.begin()),
                        range.begin + static_cast<std::size_t>(end - memory.begin())});
        at = end;
    }
    return runs;
}

/// Copies between blocks of runs that differ in their places alone, as the surface and the ghost cells of an array do.
/// False: they are others.
bool copy_alike(const Block& from, const Block& to) noexcept
{
    const TypeMap& source = *from.type;
    const TypeMap& target = *to.type;
    if (!source.flat || !target.flat || from.bytes != to.bytes)
        return false;
    if (is_one_entry(source) && is_one_entry(target)) {
        const Pieces pieces = as_one_entry(from);
        const Pieces places = as_one_entry(to);
        if (!alike(pieces, places))
            return false;
        copy_pieces(pieces, from.data(), places, to.data());
        return true;
    }
    if (from.count != to.count || !std::equal(source.pieces.begin(), source.pieces.end(), target.pieces.begin(),
                                              target.pieces.end(), schedules::alike))
        return false;
    const char* element = from.data();
    char* place = to.data();
    for (MPI_Count i = 0; i < from.count; ++i, element += source.extent, place += target.extent)
        for (std::size_t k = 0; k < source.pieces.size(); ++k)
            copy_pieces(source.pieces[k], element, target.pieces[k], place);
    return true;
}

} // namespace

std::vector<AddressRange> runs_of(const Block& block)
{
    if (block.bytes > 0 && !block.type->flat)
        return marked_runs_of(block);
    std::vector<Pieces> pieces;
    append_pieces(block, 0, pieces);
    std::vector<AddressRange> runs;
    for (const Pieces& entry : pieces)
        for (std::size_t i = 0; i < entry.count; ++i)
            runs.push_back({entry.offset + i * entry.stride, entry.offset + i * entry.stride + entry.length});
    return runs;
}

void append_pieces(const Block& block, std::size_t base, std::vector<Pieces>& pieces)
{
    if (block.bytes == 0 || !block.type->flat)
        return;
    const TypeMap& type = *block.type;
    std::size_t element = reinterpret_cast<std::size_t>(block.data()) - base;
    if (type.contiguous)
        return pieces.push_back({element, block.bytes});
    if (is_one_entry(type)) {
        pieces.push_back(as_one_entry(block));
        pieces.back().offset = element;
        return;
    }
    for (MPI_Count i = 0; i < block.count; ++i, element += static_cast<std::size_t>(type.extent))
        for (Pieces entry : type.pieces) {
            entry.offset += element;
            pieces.push_back(entry);
        }
}

void pack_runs(const Block& block, char* to)
{
    const TypeMap& type = *block.type;
    if (!type.flat)
        return move_elements(block, block.bytes,
                             [&](char* element, std::size_t at) { pack_element(type, element, to + at); });
    const char* element = block.data();
    if (is_one_entry(type)) {
        gather(as_one_entry(block), element, to);
        return;
    }
    for (MPI_Count i = 0; i < block.count; ++i, element += type.extent)
        for (const Pieces& entry : type.pieces)
            to = gather(entry, element, to);
}

void unpack_runs(const char* from, std::size_t bytes, const Block& block)
{
    const TypeMap& type = *block.type;
    const std::size_t fitting = std::min(bytes, block.bytes);
    if (!type.flat)
        return move_elements(block, fitting,
                             [&](char* element, std::size_t at) { unpack_element(type, from + at, element); });
    const char* const end = from + fitting;
    char* element = block.data();
    if (is_one_entry(type)) {
        scatter(from, end, as_one_entry(block), element);
        return;
    }
    for (; from != end; element += type.extent)
        for (const Pieces& entry : type.pieces)
            from = scatter(from, end, entry, element);
}

void copy(const Block& from, const Block& to)
{
    const std::size_t bytes = std::min(from.bytes, to.bytes);
    if (from.contiguous() && to.contiguous()) {
        if (bytes > 0)
            std::memmove(to.data(), from.data(), bytes);
    } else if (from.contiguous()) {
        unpack(from.data(), bytes, to);
    } else if (to.contiguous() && from.bytes <= to.bytes) {
        pack(from, to.data());
    } else if (!copy_alike(from, to)) {
        const std::unique_ptr<char[]> packed(new char[from.bytes]);
        pack(from, packed.get());
        unpack(packed.get(), bytes, to);
    }
}

} // namespace hopscotch::shim
