// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Selects the algorithm that carries the calls of one communicator: by what is asked for, by prediction, and by trials
// of `auto`.
#include "shim/selection/selection.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/progress.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/selection/learned.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace hopscotch::shim
{

using schedules::Agreements;

bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept
{
    if (collective == Collective::global_allgather)
        return false;
    const bool other_order = graph.parallel_edges && settings.parallel_edges == ParallelEdges::standard;
    return other_order || (collective == Collective::alltoallw && graph.unequal_degrees);
}

Selection::Selection(std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group, const Settings& settings,
                     ExchangePool& pool, TagBlock tags, std::uint64_t site)
    : graph_(std::move(graph)), group_(std::move(group)), settings_(settings), pool_(pool), tags_(tags), site_(site)
{
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
}

std::uint64_t Selection::trivial_messages(Call call) const
{
    if (is_global(call))
        return static_cast<std::uint64_t>(graph_->ranks) - 1;
    const std::vector<int>& destinations = graph_->edges.destinations;
    const int elsewhere = static_cast<int>(destinations.size()) -
                          schedules::count_of(destinations, schedules::no_rank) -
                          schedules::count_of(destinations, graph_->edges.rank);
    return static_cast<std::uint64_t>(elsewhere);
}

SelectionEntry& Selection::find_entry(Call call, Collective collective, Completion completion, const Choice& choice)
{
    const bool native = choice.algorithm == Algorithm::native;
    const SelectionEntry* alike = nullptr;
    for (const auto& entry : entries_) {
        if (entry->call != call || entry->choice.algorithm != choice.algorithm ||
            (native && entry->choice.reason != choice.reason))
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
    if (completion == Completion::blocking && !native)
        made->exchange = &pool_.blocking(collective, choice);
    made->trivial_messages = trivial_messages(call);
    note_use(site_);
    entries_.push_back(std::move(made));
    return *entries_.back();
}

bool Selection::is_settled(Collective collective) const noexcept
{
    return settings_.algorithm(collective) != Algorithm::automatic || !graph_->unusable.empty() ||
           !settings_.trial_calls;
}

Consensus& Selection::consensus()
{
    if (consensus_ == nullptr)
        consensus_ = std::make_unique<MessageConsensus>(group_, tags_.agreement());
    return *consensus_;
}

SelectionEntry& Selection::persistent_entry(Call call, Collective collective, std::size_t block_bytes)
{
    SelectionEntry& own = entry(call, collective, Completion::persistent, block_bytes);
    if (own.choice.sizes.all())
        return own;
    const std::uint64_t agreed = pool_.common_bits(std::uint64_t{1} << static_cast<unsigned>(own.choice.algorithm));
    return agreed != 0 ? own : find_entry(call, collective, Completion::persistent, {Algorithm::merged, {}});
}

Facts Selection::facts(Collective collective, Completion completion) const
{
    Facts result;
    result.collective = collective;
    result.asked_for = settings_.algorithm(collective);
    result.cutoff_bytes = settings_.cutoff_bytes;
    result.ranks = graph_->ranks;
    result.unusable = graph_->unusable;
    result.declined = graph_->declined;
    result.idle_process = graph_->may_have_idle_process();
    result.memory_refusal = graph_->memory_refusal;
    result.aggregating_pays_up_to = graph_->aggregated_up_to[static_cast<std::size_t>(blocks_of(collective))];
    if (group_ != nullptr) {
        result.may_forward = completion == Completion::blocking || runtime().library_drives;
        result.left_alone = completion != Completion::blocking;
        result.native_is_right = !library_differs(*graph_, settings_, collective);
        result.baseline = settings_.baseline && completion == Completion::blocking;
        result.crowded = group_->any_yields();
        result.message_cost = schedules::cost_of_message(group_->network());
    }
    if (group_ != nullptr && pool_.segment() != nullptr) {
        result.shared_bytes = pool_.shared_bytes(collective);
        result.one_node = group_->nodes() == 1;
        result.aggregated_bytes = pool_.aggregated_bytes();
    }
    if (graph_->isomorphic())
        add_grid(result, graph_->topology, graph_->stencil);
    return result;
}

const Trial* Selection::decided_trial(const Facts& known, Completion completion, std::size_t block_bytes) const
{
    const Trial* const decided = trial_to_follow(trials_, known, completion, block_bytes);
    // Whoever passes another size than the others, wrongly, is to meet them and be told.
    if (decided == nullptr && completion == Completion::blocking && known.one_node)
        return agreements_[static_cast<std::size_t>(known.collective)].last_of_ours;
    return decided;
}

SelectionEntry& Selection::choose_entry(Call call, Collective collective, Completion completion,
                                        std::size_t block_bytes)
{
    const Facts known = facts(collective, completion);
    const Trial* const trial = is_settled(collective) ? nullptr : decided_trial(known, completion, block_bytes);
    SelectionEntry& entry =
        find_entry(call, collective, completion,
                   trial != nullptr ? following(known, block_bytes, trial->best()) : choose_for(known, block_bytes));
    entry.settled = is_settled(collective);
    serving_.push_back(&entry);
    return entry;
}

std::uint64_t Selection::shape() const
{
    return shape_of(graph_->topology, graph_->stencil, group_->node_map(), surroundings());
}

/// The trial for blocks of this size; one that has been decided on a communicator alike, with the same candidates, if
/// all processes remember that. Collective: over the communicator. Throws: MpiError.
Trial& Selection::trial_of(Call call, const Facts& known, Completion completion, std::size_t block_bytes)
{
    const TrialKey key{known.collective, completion, tried_with(known, block_bytes).high};
    if (const auto found = trials_.find(key); found != trials_.end())
        return found->second.trial;
    TrialOfCall made{name(call), Trial(candidates(known, block_bytes), *settings_.trial_calls)};
    if (!made.trial.decided() && graph_->isomorphic()) {
        const std::optional<TrialOfCall> learned = with_learned_trials(
            [&](const schedules::LearnedTrials& all) { return all.find(shape(), key, made.trial); });
        const auto best = learned ? static_cast<std::int64_t>(learned->trial.best().algorithm) : -1;
        if (consensus().all_equal(best) && learned) {
            Trial& trial = trials_.insert({key, *learned}).first->second.trial;
            trial.keep_for_good();
            follow(key, trial);
        }
    }
    return trials_.insert({key, std::move(made)}).first->second.trial;
}

/// From now on the calls for which the trial is are carried as it says.
void Selection::follow(const TrialKey& key, const Trial& trial)
{
    if (key.completion == Completion::blocking && trial.best().algorithm != Algorithm::native)
        agreements_[static_cast<std::size_t>(key.collective)].last_of_ours = &trial;
    serving_.clear(); // what carried calls before
}

/// Collective: over the communicator. Throws: MpiError.
void Selection::conclude(const TrialKey& key, Trial& trial)
{
    const schedules::Surroundings where = surroundings();
    std::vector<std::int64_t> nanoseconds =
        trial.nanoseconds(where.scatters() ? Trial::Counts::median : Trial::Counts::fastest);
    consensus().maxima(nanoseconds.data(), nanoseconds.size());
    trial.conclude(nanoseconds, where);
    if (graph_->isomorphic())
        with_learned_trials([&](schedules::LearnedTrials& all) { all.learn(shape(), key, trials_.at(key)); });
    follow(key, trial);
}

SelectionEntry& Selection::entry_by_agreement(Call call, Collective collective, std::size_t block_bytes)
{
    Agreements& agreements = agreements_[static_cast<std::size_t>(collective)];
    // What is compared takes too long, on the neighbors too, for times to say anything.
    if (is_settled(collective) || settings_.verify)
        return usual_entry(call, collective, Completion::blocking, block_bytes); // and no agreement ever again
    const Facts known = facts(collective, Completion::blocking);
    const std::size_t high = tried_with(known, block_bytes).high;
    // Sizes that disagree, wrongly, are for an algorithm of ours, which notices: the library's function may not.
    const std::size_t compared = knows_block_size(known) ? block_bytes : high;
    const bool same = consensus().all_equal(static_cast<std::int64_t>(compared));
    if (agreements.trial != nullptr && agreements.trial->exhausted()) {
        conclude({collective, Completion::blocking, agreements.high}, *agreements.trial);
        agreements.trial->rest(agreements.calls);
        agreements.adjourn();
    } else if (agreements.trial == nullptr && same) {
        Trial& trial = trial_of(call, known, Completion::blocking, block_bytes);
        if (trial.is_due(agreements.calls))
            trial.begin_again();
        agreements.trial = trial.in_progress() ? &trial : nullptr;
        agreements.high = high;
    }
    agreements.go_on();
    if (agreements.trial == nullptr || !same || high != agreements.high)
        return usual_entry(call, collective, Completion::blocking, block_bytes);
    running_ = agreements.trial;
    return find_entry(call, collective, Completion::blocking,
                      following(known, block_bytes, running_->next_candidate()));
}

/// Whether a trial for blocks of this size has begun. Local; all processes come to the same.
bool Selection::begin_silent_trial(Collective collective, std::size_t block_bytes)
{
    SilentTrial& now = nonblocking_[static_cast<std::size_t>(collective)];
    Facts known = facts(collective, Completion::nonblocking);
    const Algorithm usual = choose_for(known, block_bytes).algorithm;
    // Whether it takes long to wait for third processes is what is tried. The MPI library's own requests are not: they
    // fail programs where ours do not (docs/library-faults.md).
    known.left_alone = false;
    known.native_is_right = false;
    const TrialKey key{collective, Completion::nonblocking, tried_with(known, block_bytes).high};
    if (trials_.count(key) != 0)
        return false;
    std::vector<Choice> tried = candidates(known, block_bytes);
    if (tried.size() == 1)
        return false;
    std::stable_partition(tried.begin(), tried.end(),
                          [usual](const Choice& choice) { return choice.algorithm == usual; });
    const std::size_t measured = 2 * (*settings_.trial_calls - 1);
    now.trial = std::make_shared<TrialInFlight>(std::move(tried), measured, group_, tags_.silent_agreement(collective));
    now.known = std::move(known);
    now.high = key.high;
    now.begun = now.calls;
    return true;
}

SelectionEntry& Selection::entry_by_silent_trial(Call call, Collective collective, std::size_t block_bytes)
{
    SilentTrial& now = nonblocking_[static_cast<std::size_t>(collective)];
    const auto usual = [&]() -> SelectionEntry& {
        return usual_entry(call, collective, Completion::nonblocking, block_bytes);
    };
    // Where processes wait for cores, a few calls end within a time slice, and say nothing of all others.
    if (is_settled(collective) || settings_.verify || group_->nodes() == 1 || group_->any_yields() ||
        !runtime().library_drives)
        return usual(); // and never again
    now.next_call = now.calls + 1;
    if (now.trial == nullptr && !begin_silent_trial(collective, block_bytes)) {
        now.next_call = now.calls + Agreements::longest_pause;
        return usual();
    }
    if (!now.trial->may_make(now.calls))
        progress_until([&now] { return now.trial->may_make(now.calls); },
                       [this] {
                           if (group_->yields())
                               give_way();
                       });
    if (now.trial->exhausted()) {
        if (const auto holds_from = now.trial->holds_from(); holds_from && now.calls >= *holds_from) {
            trials_.insert({{collective, Completion::nonblocking, now.high}, {name(call), now.trial->trial()}});
            now.trial.reset();
            serving_.clear(); // what carried calls before
        }
        return usual();
    }
    if (tried_with(now.known, block_bytes).high != now.high) {
        if (now.calls > now.begun + Agreements::most_trial_calls) { // the program makes other calls
            now.trial.reset();
            now.next_call = now.calls + Agreements::longest_pause;
        }
        return usual();
    }
    const auto [candidate, number] = now.trial->next_call();
    SelectionEntry& entry =
        find_entry(call, collective, Completion::nonblocking, following(now.known, block_bytes, candidate));
    entry.tried = std::make_shared<TriedCall>(now.trial, number);
    if (now.trial->exhausted())
        enlist(now.trial);
    return entry;
}

void Selection::forget_choices() noexcept
{
    serving_.clear();
    for (SilentTrial& each : nonblocking_)
        each.next_call = each.calls + 1;
}

std::uint64_t Selection::calls(Collective collective, Completion completion) const noexcept
{
    const auto index = static_cast<std::size_t>(collective);
    return completion == Completion::blocking ? agreements_[index].calls : nonblocking_[index].calls;
}

std::uint64_t Selection::nonblocking_calls() const noexcept
{
    return std::accumulate(nonblocking_.begin(), nonblocking_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const SilentTrial& each) { return sum + each.calls; });
}

void Selection::release() noexcept
{
    consensus_.reset();
    for (const auto& entry : entries_)
        entry->exchange = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
