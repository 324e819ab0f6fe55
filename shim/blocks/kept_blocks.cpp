// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the lists of blocks of the last calls on a communicator, for calls with the same arguments.
#include "shim/blocks/kept_blocks.hpp"

#include <cstring>
#include <utility>

namespace hopscotch::shim
{

bool KeptBlocks::equal(const Entry& entry, const BlockArguments& arguments) noexcept
{
    if (entry.form != arguments.form)
        return false;
    const char* at = entry.arguments.data();
    for (std::size_t i = 0; i < entry.bytes.size(); ++i) {
        const BlockArguments::Array& array = arguments.arrays[i];
        if (entry.bytes[i] != array.bytes || std::memcmp(at, array.begin, array.bytes) != 0)
            return false;
        at += array.bytes;
    }
    return true;
}

void KeptBlocks::keep(const BlockArguments& arguments, std::uint64_t gone, std::shared_ptr<const BlockList> list)
{
    const auto flat = [](const std::shared_ptr<const TypeMap>& map) { return map->flat; };
    if (list->blocks.empty() || !std::all_of(list->maps.begin(), list->maps.end(), flat))
        return; // others hold a type of their own, made for one call
    Entry& entry = entries_[next_];
    next_ = (next_ + 1) % entries_.size();
    entry.list = nullptr; // until all is there: there may be no memory
    entry.arguments.clear();
    for (std::size_t i = 0; i < entry.bytes.size(); ++i) {
        const BlockArguments::Array& array = arguments.arrays[i];
        const char* const from = static_cast<const char*>(array.begin);
        entry.arguments.insert(entry.arguments.end(), from, from + array.bytes);
        entry.bytes[i] = array.bytes;
    }
    entry.form = arguments.form;
    entry.gone = gone;
    entry.list = std::move(list);
}

} // namespace hopscotch::shim
