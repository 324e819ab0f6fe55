// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the blocks of the last w forms on a communicator, for calls with the same arguments.
#include "shim/blocks/kept_blocks.hpp"

#include <cstring>
#include <utility>

namespace hopscotch::shim
{

namespace
{

std::size_t bytes_of(const BlockArguments& arguments) noexcept
{
    return arguments.counts_bytes + arguments.n * (sizeof(MPI_Aint) + sizeof(MPI_Datatype));
}

/// Calls visit(begin, bytes) for each of the arrays. Requires: there are blocks, so none is null.
template <class Visit>
void visit_arrays(const BlockArguments& arguments, Visit&& visit)
{
    visit(arguments.counts, arguments.counts_bytes);
    visit(arguments.displacements, arguments.n * sizeof(MPI_Aint));
    visit(arguments.types, arguments.n * sizeof(MPI_Datatype));
}

} // namespace

bool KeptBlocks::equal(const Entry& entry, const BlockArguments& arguments) noexcept
{
    if (entry.counts_bytes != arguments.counts_bytes || entry.nowhere != arguments.nowhere ||
        entry.arguments.size() != bytes_of(arguments))
        return false;
    const char* at = entry.arguments.data();
    bool same = true;
    visit_arrays(arguments, [&](const void* begin, std::size_t bytes) {
        same = same && std::memcmp(at, begin, bytes) == 0;
        at += bytes;
    });
    return same;
}

void KeptBlocks::keep(const BlockArguments& arguments, std::uint64_t gone, std::shared_ptr<const BlockList> list)
{
    const auto flat = [](const std::shared_ptr<const TypeMap>& map) { return map->flat; };
    if (arguments.n == 0 || !std::all_of(list->maps.begin(), list->maps.end(), flat))
        return; // others hold a type of their own, made for one call
    Entry& entry = entries_[next_];
    next_ = (next_ + 1) % entries_.size();
    entry.list = nullptr; // until all is there: there may be no memory
    entry.arguments.clear();
    entry.arguments.reserve(bytes_of(arguments));
    visit_arrays(arguments, [&](const void* begin, std::size_t bytes) {
        const char* const from = static_cast<const char*>(begin);
        entry.arguments.insert(entry.arguments.end(), from, from + bytes);
    });
    entry.counts_bytes = arguments.counts_bytes;
    entry.nowhere = arguments.nowhere;
    entry.gone = gone;
    entry.list = std::move(list);
}

} // namespace hopscotch::shim
