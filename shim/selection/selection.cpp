// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/selection.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/selection/combining_members.hpp"

#include <utility>

namespace hopscotch::shim
{

bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept
{
    if (collective == Collective::global_allgather || graph.of_sparse_calls())
        return false;
    const bool other_order = graph.parallel_edges && settings.parallel_edges == ParallelEdges::standard;
    return other_order || (collective == Collective::alltoallw && graph.unequal_degrees);
}

Selection::Selection(const Detected& detected, const Settings& settings, ExchangePool& pool)
    : detected_(detected), settings_(settings), pool_(pool), table_(detected),
      blocking_(detected, settings, trials_, table_), nonblocking_(detected, settings.trial_calls, trials_, table_)
{
    settings_.algorithms = graph().algorithms.value_or(settings.algorithms);
}

bool Selection::is_settled(Collective collective) const noexcept
{
    return settings_.algorithm(collective) != Algorithm::automatic || !graph().is_ready() || !settings_.trial_calls;
}

SelectionEntry& Selection::persistent_entry(Call call, Collective collective, std::size_t block_bytes)
{
    SelectionEntry& own = entry(call, collective, Completion::persistent, {block_bytes});
    if (own.choice.sizes.all())
        return own;
    const std::uint64_t agreed = pool_.common_bits(bit_of(own.choice));
    return agreed != 0 ? own : find_entry(call, {Algorithm::merged, {}});
}

Facts Selection::facts(Collective collective, Completion completion) const
{
    const ProcessGroup* const group = detected_.group.get();
    Facts result;
    result.collective = collective;
    result.asked_for = settings_.algorithm(collective);
    result.asked_by_key = graph().algorithms.has_value();
    result.cutoff_bytes = settings_.cutoff_bytes;
    result.device_bytes = graph().most_staged_bytes;
    result.ranks = graph().ranks;
    result.most_neighbors = graph().out_degree_max;
    result.unusable = graph().native_reason;
    result.declined = graph().declined;
    result.idle_process = graph().may_have_idle_process();
    result.memory_refusal = graph().memory_refusal;
    result.aggregating_pays_up_to = graph().aggregated_up_to[static_cast<std::size_t>(blocks_of(collective))];
    if (group != nullptr) {
        result.may_forward = completion == Completion::blocking || runtime().library_drives;
        result.left_alone = completion != Completion::blocking;
        result.native_is_right = !library_differs(graph(), settings_, collective);
        result.baseline = settings_.baseline && completion == Completion::blocking;
        result.crowded = group->any_yields();
        result.message_cost = schedules::cost_of_message(group->network());
    }
    if (group != nullptr && detected_.segment != nullptr) {
        result.shared_bytes = pool_.shared_bytes(collective);
        result.one_node = group->nodes() == 1;
        result.aggregated_bytes = pool_.aggregated_bytes(collective);
    }
    schedules::GraphOfFacts shape;
    if (graph().isomorphic()) {
        shape.grid = &graph().topology;
        shape.stencil = &graph().stencil;
    }
    shape.partial = graph().partial.get();
    if (group != nullptr) {
        shape.nodes = &group->node_map();
        shape.network = group->network();
    }
    return schedules::with_facts_of_graph(std::move(result), shape, [&] {
        const schedules::Blocks blocks = blocks_of(collective);
        auto& members = members_[static_cast<std::size_t>(blocks)];
        if (!members)
            members = combining_members(blocks, graph(), *group);
        return *members;
    });
}

const Trial* Selection::decided_trial(const Facts& facts_now, Completion completion, std::size_t block_bytes) const
{
    const Trial* const decided = trial_to_follow(trials_, facts_now, completion, block_bytes);
    // A process that wrongly passes another size must meet the others and get the error.
    if (decided == nullptr && completion == Completion::blocking && facts_now.one_node &&
        !is_left_on_device(facts_now, block_bytes))
        return blocking_.last_of_ours(facts_now.collective);
    return decided;
}

/// With the exchange that carries its calls.
SelectionEntry& Selection::blocking_entry(Call call, Collective collective, const Choice& choice)
{
    SelectionEntry& entry = table_.find(call, choice);
    if (entry.exchange == nullptr && choice.algorithm != Algorithm::native)
        entry.exchange = &pool_.blocking(collective, choice);
    return entry;
}

SelectionEntry& Selection::choose_entry(Call call, Collective collective, Completion completion,
                                        std::size_t block_bytes)
{
    const Facts facts_now = facts(collective, completion);
    const Trial* const trial = is_settled(collective) ? nullptr : decided_trial(facts_now, completion, block_bytes);
    const Choice choice =
        trial != nullptr ? following(facts_now, block_bytes, trial->best()) : choose_for(facts_now, block_bytes);
    SelectionEntry& entry =
        completion == Completion::blocking ? blocking_entry(call, collective, choice) : table_.find(call, choice);
    entry.settled = is_settled(collective);
    table_.serve(entry);
    return entry;
}

SelectionEntry& Selection::entry_by_agreement(Call call, Collective collective, BlockSizes sizes)
{
    // A compared call takes too long, on the neighbors too, for a useful time.
    if (is_settled(collective) || settings_.verify)
        return usual_entry(call, collective, Completion::blocking, sizes.each); // and no agreement ever again
    const Facts facts_now = facts(collective, Completion::blocking);
    running_ = blocking_.agree(call, facts_now, sizes);
    if (running_ == nullptr)
        return usual_entry(call, collective, Completion::blocking, sizes.each);
    return blocking_entry(call, collective, following(facts_now, sizes.each, running_->next_candidate()));
}

SelectionEntry& Selection::entry_by_nonblocking_trial(Call call, Collective collective, std::size_t block_bytes)
{
    // If processes wait for cores, a few calls end within a time slice, and their times do not represent the others.
    if (is_settled(collective) || settings_.verify || detected_.group->nodes() == 1 || detected_.group->any_yields() ||
        !runtime().library_drives)
        return usual_entry(call, collective, Completion::nonblocking, block_bytes); // and never again
    auto part = nonblocking_.next(call, collective, block_bytes,
                                  [this, collective] { return facts(collective, Completion::nonblocking); });
    if (!part)
        return usual_entry(call, collective, Completion::nonblocking, block_bytes);
    SelectionEntry& entry = table_.find(call, part->choice);
    entry.tried = std::move(part->call);
    return entry;
}

void Selection::choose_anew() noexcept
{
    for (auto& members : members_)
        members.reset();
    table_.serve_none();
    nonblocking_.be_due();
}

void Selection::release() noexcept
{
    blocking_.release();
    for (const auto& entry : table_.entries())
        entry->exchange = nullptr;
}

} // namespace hopscotch::shim
