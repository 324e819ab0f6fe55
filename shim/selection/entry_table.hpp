// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the entries of one communicator, and the list of those that serve calls from now on.
#pragma once

#include "shim/graph/detection.hpp"
#include "shim/selection/entry.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

class EntryTable
{
  public:
    /// `detected` must live as long. Local.
    explicit EntryTable(const Detected& detected) : detected_(detected) {}
    EntryTable(const EntryTable&) = delete;
    EntryTable& operator=(const EntryTable&) = delete;

    /// The entry of calls that are carried as `choice` says; a new one has no exchange. Local.
    SelectionEntry& find(Call call, const Choice& choice);

    /// The entry that serves calls with blocks of this size; null if there is none. Local.
    SelectionEntry* serving(Call call, std::size_t block_bytes) const noexcept
    {
        for (SelectionEntry* const entry : serving_)
            if (entry->call == call && entry->choice.sizes.holds(block_bytes))
                return entry;
        return nullptr;
    }

    /// The entry of a call that the library carries, now and later, for any blocks; null if that is not settled. Local.
    [[gnu::hot]] SelectionEntry* passing(Call call) const noexcept
    {
        for (SelectionEntry* const entry : serving_)
            if (entry->call == call)
                return entry->passes() ? entry : nullptr;
        return nullptr;
    }

    /// From now on the entry serves calls of its sizes; none serves any. Local.
    void serve(SelectionEntry& entry) { serving_.push_back(&entry); }
    void serve_none() noexcept { serving_.clear(); }

    const std::vector<std::unique_ptr<SelectionEntry>>& entries() const noexcept { return entries_; }

  private:
    std::uint64_t trivial_messages(Call call) const;

    const Detected& detected_;
    std::vector<SelectionEntry*> serving_; // few, of those that were asked for
    std::vector<std::unique_ptr<SelectionEntry>> entries_;
};

} // namespace hopscotch::shim
