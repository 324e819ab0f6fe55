// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Selects the algorithm that carries the calls of one communicator: by what is asked for, by prediction, and by trials
// of `auto`.
#include "shim/selection/selection.hpp"

#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/selection/rules.hpp"

#include <functional>
#include <numeric>

namespace hopscotch::shim
{

using schedules::count_of;

Selection::Selection(std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group, const Settings& settings,
                     ExchangePool& pool, int agreement_tag, std::uint64_t site)
    : graph_(std::move(graph)), group_(std::move(group)), settings_(settings), pool_(pool),
      agreement_tag_(agreement_tag), site_(site)
{
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
}

std::uint64_t Selection::trivial_messages(Call call) const
{
    if (is_global(call))
        return static_cast<std::uint64_t>(graph_->ranks) - 1;
    const std::vector<int>& destinations = graph_->edges.destinations;
    const int elsewhere = static_cast<int>(destinations.size()) - count_of(destinations, schedules::no_rank) -
                          count_of(destinations, graph_->edges.rank);
    return static_cast<std::uint64_t>(elsewhere);
}

SelectionEntry& Selection::add_entry(std::unique_ptr<SelectionEntry> entry)
{
    note_use(site_);
    entry->trivial_messages = trivial_messages(entry->call);
    entries_.push_back(std::move(entry));
    return *entries_.back();
}

SelectionEntry& Selection::find_entry(Call call, Collective collective, Completion completion, const Choice& choice)
{
    if (choice.algorithm == Algorithm::native)
        return native_entry(call, choice.reason);
    for (const auto& entry : entries_)
        if (entry->call == call && entry->choice.algorithm == choice.algorithm)
            return *entry;
    auto entry = std::make_unique<SelectionEntry>();
    entry->call = call;
    entry->choice = choice;
    if (completion == Completion::blocking)
        entry->exchange = &pool_.blocking(collective, choice);
    return add_entry(std::move(entry));
}

SelectionEntry& Selection::native_entry(Call call, std::string_view reason)
{
    for (const auto& entry : entries_)
        if (entry->call == call && entry->choice.algorithm == Algorithm::native && entry->choice.reason == reason)
            return *entry;
    auto entry = std::make_unique<SelectionEntry>();
    entry->call = call;
    entry->choice.reason = reason;
    return add_entry(std::move(entry));
}

SelectionEntry& Selection::serve(Call call, Collective collective, Completion completion, SizeClass sizes,
                                 const Choice& choice)
{
    SelectionEntry& entry = find_entry(call, collective, completion, choice);
    if (by_call_ == nullptr)
        by_call_ = std::make_unique<std::array<std::vector<Served>, call_count>>();
    const bool settled = settings_.algorithm(collective) != Algorithm::automatic || !graph_->unusable.empty();
    const bool passes = settled && sizes.all() && choice.algorithm == Algorithm::native;
    (*by_call_)[static_cast<std::size_t>(call)].push_back({sizes, &entry, passes});
    return entry;
}

SelectionEntry& Selection::choose_entry(Call call, Collective collective, Completion completion,
                                        std::size_t block_bytes)
{
    if (settings_.algorithm(collective) == Algorithm::automatic && graph_->unusable.empty())
        return tuned_entry(call, collective, completion, block_bytes);
    const Choices choices = choose(*graph_, settings_, collective, abilities(collective, completion));
    // Without a common size the exchanges keep to the cut-off block by block.
    if (!shares_block_size(*graph_, collective, choices.small.algorithm))
        return serve(call, collective, completion, every_size(), choices.small);
    return serve(call, collective, completion, choices.sizes(block_bytes), choices(block_bytes));
}

Consensus& Selection::consensus()
{
    if (consensus_ == nullptr)
        consensus_ = make_call_consensus(group_, agreement_tag_, pool_.segment());
    return *consensus_;
}

SelectionEntry& Selection::persistent_entry(Call call, Collective collective, std::size_t block_bytes)
{
    SelectionEntry& own = entry(call, collective, Completion::persistent, block_bytes);
    if ((*by_call_)[static_cast<std::size_t>(call)].front().sizes.all())
        return own;
    const std::uint64_t agreed = pool_.common_bits(std::uint64_t{1} << static_cast<unsigned>(own.choice.algorithm));
    return agreed != 0 ? own : find_entry(call, collective, Completion::persistent, {Algorithm::merged, {}});
}

Abilities Selection::abilities(Collective collective, Completion completion) const
{
    Abilities result;
    if (group_ == nullptr)
        return result;
    result.may_forward = completion == Completion::blocking || runtime().library_drives;
    result.left_alone = completion != Completion::blocking;
    result.native_is_right = !library_differs(*graph_, settings_, collective);
    result.crowded = group_->any_yields();
    if (pool_.segment() == nullptr)
        return result;
    result.shared_bytes = pool_.shared_bytes(collective);
    result.one_node = group_->nodes() == 1;
    result.aggregated_bytes = pool_.aggregated_bytes();
    return result;
}

std::uint64_t Selection::calls(Collective collective, Completion completion) const noexcept
{
    const auto index = static_cast<std::size_t>(collective);
    return completion == Completion::blocking ? agreements_[index].calls : nonblocking_calls_[index];
}

std::uint64_t Selection::nonblocking_calls() const noexcept
{
    return std::accumulate(nonblocking_calls_.begin(), nonblocking_calls_.end(), std::uint64_t{0}, std::plus<>());
}

void Selection::release() noexcept
{
    consensus_.reset();
    for (const auto& entry : entries_)
        entry->exchange = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
