// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// How `auto` finds the entry of a call: by its trials, and by prediction until they are over.
#include "shim/selection/rules.hpp"
#include "shim/selection/selection.hpp"

namespace hopscotch::shim
{

/// What `auto` has to answer for blocks of a size.
struct Selection::Question {
    Abilities able;
    bool by_size = false;  // whether all processes know that they ask for the same size
    SizeClass tried;       // what a trial is about
    SizeClass served;      // what the answer holds for
    Choice usual;          // by prediction
    bool shareable = true; // whether blocks of this size can go through memory

    const Choice& fitting(const Choice& choice) const noexcept
    {
        return choice.algorithm == Algorithm::shared && !shareable ? usual : choice;
    }
};

Selection::Question Selection::question(Collective collective, Completion completion, std::size_t block_bytes) const
{
    Question result;
    result.able = abilities(collective, completion);
    const Abilities& able = result.able;
    result.by_size = knows_block_size(*graph_, collective);
    result.tried = result.served = every_size();
    // Small blocks on one node are one class: who passes another size than its neighbors, wrongly, still meets them.
    const std::size_t first = able.one_node ? most_copied_bytes : 0;
    if (result.by_size)
        result.tried = result.served = size_class(
            block_bytes, first, {able.shared_bytes, able.aggregated_bytes, settings_.cutoff_bytes.value_or(0)});
    else if (is_regular(collective))
        result.served = side_of(able.shared_bytes, block_bytes);
    const Choices choices = choose(*graph_, settings_, collective, able);
    result.usual =
        shares_block_size(*graph_, collective, choices.small.algorithm) ? choices(block_bytes) : choices.small;
    result.shareable = block_bytes <= able.shared_bytes || graph_->may_have_idle_process() || !is_regular(collective);
    return result;
}

SelectionEntry& Selection::tuned_entry(Call call, Collective collective, Completion completion, std::size_t block_bytes)
{
    const Question asked = question(collective, completion, block_bytes);
    const auto found = trials_.find({collective, asked.tried.high});
    const bool decided = found != trials_.end() && found->second.decided();
    const bool follow =
        decided && asked.able.may_forward && !(asked.able.left_alone && forwards(found->second.best().algorithm));
    const Trial* trial = follow ? &found->second : nullptr;
    // Whoever passes another size than the others, wrongly, is to meet them and be told.
    if (!follow && completion == Completion::blocking && asked.able.one_node)
        trial = agreements_[static_cast<std::size_t>(collective)].last_of_ours;
    return serve(call, collective, completion, asked.served,
                 trial != nullptr ? asked.fitting(trial->best()) : asked.usual);
}

SelectionEntry& Selection::entry_by_agreement(Call call, Collective collective, std::size_t block_bytes)
{
    Agreements& agreements = agreements_[static_cast<std::size_t>(collective)];
    // What is compared takes too long, on the neighbors too, for times to say anything.
    const bool measures = settings_.algorithm(collective) == Algorithm::automatic && !settings_.verify;
    if (!measures || !graph_->unusable.empty())
        return choose_entry(call, collective, Completion::blocking, block_bytes); // and no agreement ever again
    const Question asked = question(collective, Completion::blocking, block_bytes);
    const bool same = consensus().all_equal(static_cast<std::int64_t>(asked.tried.high));
    if (agreements.trial != nullptr && agreements.trial->exhausted()) {
        agreements.trial->conclude(*group_, consensus());
        if (agreements.trial->best().algorithm != Algorithm::native)
            agreements.last_of_ours = agreements.trial;
        by_call_.reset(); // what was served before the trial ended
        agreements.adjourn();
    } else if (agreements.trial == nullptr && same) {
        Trial& trial = trials_
                           .try_emplace({collective, asked.tried.high}, call,
                                        candidates(*graph_, settings_, collective, asked.able,
                                                   asked.by_size ? std::optional(block_bytes) : std::nullopt))
                           .first->second;
        agreements.trial = trial.decided() ? nullptr : &trial;
        agreements.high = asked.tried.high;
    }
    ++agreements.trial_calls;
    if (agreements.trial == nullptr || agreements.tedious())
        agreements.adjourn();
    else
        agreements.next_call = agreements.calls + 1;
    if (agreements.trial == nullptr || !same || asked.tried.high != agreements.high)
        return tuned_entry(call, collective, Completion::blocking, block_bytes);
    running_ = agreements.trial;
    return find_entry(call, collective, Completion::blocking, asked.fitting(running_->next_candidate()));
}

} // namespace hopscotch::shim
