// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/entry_table.hpp"

#include "shim/graph/lazy_set_up.hpp"

namespace hopscotch::shim
{

std::uint64_t EntryTable::trivial_messages(Call call) const
{
    if (is_global(call))
        return static_cast<std::uint64_t>(detected_.graph->ranks) - 1;
    const std::vector<int>& destinations = detected_.graph->edges.destinations;
    const int elsewhere = static_cast<int>(destinations.size()) -
                          schedules::count_of(destinations, schedules::no_rank) -
                          schedules::count_of(destinations, detected_.graph->edges.rank);
    return static_cast<std::uint64_t>(elsewhere);
}

SelectionEntry& EntryTable::find(Call call, const Choice& choice)
{
    const SelectionEntry* alike = nullptr;
    for (const auto& entry : entries_) {
        if (entry->call != call || !same_way(entry->choice, choice) ||
            (choice.algorithm == Algorithm::native && entry->choice.reason != choice.reason))
            continue;
        if (entry->choice.sizes == choice.sizes)
            return *entry;
        alike = entry.get();
    }
    auto made = std::make_unique<SelectionEntry>();
    made->call = call;
    made->choice = choice;
    if (alike != nullptr)
        made->choice.reason = alike->choice.reason; // a report has one line for all sizes
    made->trivial_messages = trivial_messages(call);
    note_use(detected_.site);
    entries_.push_back(std::move(made));
    return *entries_.back();
}

} // namespace hopscotch::shim
