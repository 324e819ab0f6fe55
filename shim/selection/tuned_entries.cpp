// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// How `auto` finds the entry of a call: by its trials, and by prediction until they are over.
#include "schedules/selection_rules.hpp"
#include "shim/selection/selection.hpp"

namespace hopscotch::shim
{

using schedules::Agreements;

const Trial* Selection::trial_to_follow(const Facts& known, Completion completion, std::size_t block_bytes) const
{
    const auto found = trials_.find({known.collective, tried_with(known, block_bytes).high});
    const bool decided = found != trials_.end() && found->second.trial.decided();
    if (decided && known.may_forward && !(known.left_alone && forwards(found->second.trial.best().algorithm)))
        return &found->second.trial;
    // Whoever passes another size than the others, wrongly, is to meet them and be told.
    if (completion == Completion::blocking && known.one_node)
        return agreements_[static_cast<std::size_t>(known.collective)].last_of_ours;
    return nullptr;
}

SelectionEntry& Selection::choose_entry(Call call, Collective collective, Completion completion,
                                        std::size_t block_bytes)
{
    const Facts known = facts(collective, completion);
    const Trial* const trial = is_settled(collective) ? nullptr : trial_to_follow(known, completion, block_bytes);
    return serve(call, collective, completion,
                 trial != nullptr ? following(known, block_bytes, trial->best()) : choose_for(known, block_bytes));
}

/// Collective: over the communicator. Throws: MpiError.
void Selection::conclude(Agreements& agreements)
{
    Trial& trial = *agreements.trial;
    std::vector<std::int64_t> nanoseconds = trial.nanoseconds();
    consensus().maxima(nanoseconds.data(), nanoseconds.size());
    trial.conclude(nanoseconds, {group_->nodes() == 1, group_->any_yields()});
    if (trial.best().algorithm != Algorithm::native)
        agreements.last_of_ours = &trial;
    table_.reset(); // what was served before the trial ended
    agreements.adjourn();
}

SelectionEntry& Selection::entry_by_agreement(Call call, Collective collective, std::size_t block_bytes)
{
    Agreements& agreements = agreements_[static_cast<std::size_t>(collective)];
    // What is compared takes too long, on the neighbors too, for times to say anything.
    if (is_settled(collective) || settings_.verify)
        return choose_entry(call, collective, Completion::blocking, block_bytes); // and no agreement ever again
    const Facts known = facts(collective, Completion::blocking);
    const std::size_t high = tried_with(known, block_bytes).high;
    const bool same = consensus().all_equal(static_cast<std::int64_t>(high));
    if (agreements.trial != nullptr && agreements.trial->exhausted()) {
        conclude(agreements);
    } else if (agreements.trial == nullptr && same) {
        const TrialOfCall made{call, Trial(candidates(known, block_bytes))};
        Trial& trial = trials_.insert({{collective, high}, made}).first->second.trial;
        agreements.trial = trial.decided() ? nullptr : &trial;
        agreements.high = high;
    }
    ++agreements.trial_calls;
    if (agreements.trial == nullptr || agreements.tedious())
        agreements.adjourn();
    else
        agreements.next_call = agreements.calls + 1;
    if (agreements.trial == nullptr || !same || high != agreements.high)
        return choose_entry(call, collective, Completion::blocking, block_bytes);
    running_ = agreements.trial;
    return find_entry(call, collective, Completion::blocking,
                      following(known, block_bytes, running_->next_candidate()));
}

} // namespace hopscotch::shim
