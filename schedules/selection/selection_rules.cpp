// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/selection_rules.hpp"

#include "schedules/selection/reasons.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Choices = std::vector<Choice>;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Larger blocks may be faster if they are sent directly instead of being copied first. Unit: bytes.
constexpr std::size_t most_copied_bytes = 2047;

Choice by(Algorithm algorithm, Reason reason = {})
{
    return {algorithm, std::move(reason), unlimited, every_size()};
}

Choice natively(Reason reason)
{
    return by(Algorithm::native, std::move(reason));
}

/// `choice` for blocks of up to `most` bytes that no earlier choice of the list carries.
Choices& add_up_to(Choices& choices, std::size_t most, Choice choice)
{
    const bool first = choices.empty();
    if (!first && choices.back().sizes.high >= most)
        return choices;
    choice.sizes = {first ? 0 : choices.back().sizes.high + 1, most};
    choices.push_back(std::move(choice));
    return choices;
}

/// Blocks up to `most` bytes are carried so, larger ones otherwise.
Choices up_to(std::size_t most, const Choice& small, const Choice& large)
{
    Choices choices;
    add_up_to(choices, most, small);
    return add_up_to(choices, unlimited, large);
}

/// By the members that are preferred for blocks of each size.
Choices combined_up_to(std::size_t most, const Facts& facts, const Reason& reason = {})
{
    Choices choices;
    Choice combining = by(Algorithm::combining, reason);
    combining.cutoff_bytes = most;
    for (const PreferredMember& member : facts.members) {
        combining.groups = member.groups;
        add_up_to(choices, std::min(most, member.most_bytes), combining);
    }
    add_up_to(choices, most, combining);
    return add_up_to(choices, unlimited, by(Algorithm::merged, reason));
}

/// Blocks of varying sizes that are too large for the memory travel directly, each by itself.
Choices in_memory_up_to(std::size_t most, Choice choice, const Facts& facts, Algorithm larger = Algorithm::merged)
{
    if (!is_regular(facts.collective))
        return {std::move(choice)};
    choice.cutoff_bytes = most;
    return up_to(most, choice, by(larger));
}

/// The reason if memory should be shared and is not.
Reason without_memory(const Facts& facts, reason::Row row)
{
    return {row, facts.memory_refusal.empty() ? "" : ": " + std::string(facts.memory_refusal)};
}

Choices aggregated_up_to(std::size_t bytes, const Facts& facts)
{
    const std::size_t cutoff = std::min(bytes, facts.cutoff_bytes.value_or(bytes));
    Choice aggregated = by(Algorithm::aggregated);
    aggregated.cutoff_bytes = cutoff;
    return in_memory_up_to(cutoff, std::move(aggregated), facts);
}

Choices shared(const Facts& facts, Algorithm larger = Algorithm::merged)
{
    return in_memory_up_to(facts.shared_bytes, by(Algorithm::shared), facts, larger);
}

/// The algorithm for blocks of one size that are too large for the memory. Individual blocks go one by one, without a
/// copy; a common block need not be packed to be sent once to each process.
Algorithm beyond_memory(const Facts& facts)
{
    const bool packed = blocks_of(facts.collective) == Blocks::individual;
    return packed && facts.shared_bytes >= most_copied_bytes ? Algorithm::trivial : Algorithm::merged;
}

Choices aggregated(const Facts& facts)
{
    return aggregated_up_to(std::min(facts.aggregated_bytes, facts.shared_bytes), facts);
}

/// The reason why the requested algorithm carries nothing at all; empty if it does.
Reason refusal(const Facts& facts)
{
    if (needs_grid(facts.asked_for) && !facts.may_combine())
        return facts.declined;
    if (!facts.may_forward)
        return reason::undriven;
    if (facts.asked_for == Algorithm::shared && facts.shared_bytes == 0)
        return without_memory(facts, reason::unshared);
    const bool nodes_share = facts.aggregated_bytes > 0 || (facts.one_node && facts.shared_bytes > 0);
    if (facts.asked_for == Algorithm::aggregated && !nodes_share)
        return without_memory(facts, reason::no_node_shares);
    return {};
}

/// The choices of a requested algorithm, with the reason why it does not carry larger blocks.
Choices limited(Choices choices, Reason reason)
{
    if (choices.back().algorithm != choices.front().algorithm)
        choices.back().reason = std::move(reason);
    return choices;
}

/// The choices for a requested algorithm that forwards blocks or shares memory. If it cannot carry the blocks, they
/// travel in merged messages: the MPI library's function may be wrong (docs/libraries.md#faults).
Choices demanded(const Facts& facts)
{
    if (Reason reason = refusal(facts); !reason.empty())
        return {by(Algorithm::merged, std::move(reason))};
    if (facts.asked_for == Algorithm::combining)
        return limited(combined_up_to(facts.cutoff_bytes.value_or(unlimited), facts), reason::over_cutoff);
    if (facts.asked_for == Algorithm::aggregated && !facts.one_node) {
        const bool cut = facts.cutoff_bytes.value_or(unlimited) < std::min(facts.aggregated_bytes, facts.shared_bytes);
        return limited(aggregated(facts), cut ? reason::over_cutoff : reason::beyond_shared);
    }
    Choices choices = limited(shared(facts), reason::beyond_shared);
    if (facts.asked_for == Algorithm::aggregated)
        choices.front().reason = reason::one_node;
    return choices;
}

/// The prediction for blocks that do not go through memory, with the reason if they should.
Choices in_messages(const Facts& facts)
{
    const Reason reason = facts.memory_refusal.empty() ? Reason() : without_memory(facts, reason::unshared);
    const std::size_t most = facts.cutoff_bytes.value_or(facts.combining_pays_up_to);
    if (!facts.may_combine() || facts.left_alone || most == 0)
        return {by(Algorithm::merged, reason)};
    return combined_up_to(most, facts, reason);
}

Choices predicted(const Facts& facts)
{
    if (!facts.may_forward)
        return {by(Algorithm::merged)};
    // An operation that is left alone must not wait for the progress of a third process.
    if ((facts.one_node || facts.left_alone) && facts.shared_bytes > 0)
        return shared(facts, beyond_memory(facts));
    const std::size_t room = std::min(facts.aggregated_bytes, facts.shared_bytes);
    const std::size_t most = std::min(facts.aggregating_pays_up_to, room);
    // One block that travels by itself to a node costs as much as aggregation saves: its message.
    if (most > 0 && !facts.left_alone)
        return aggregated_up_to(knows_block_size(facts) ? most : room, facts);
    return in_messages(facts);
}

Choices among_neighbors(const Facts& facts)
{
    switch (facts.asked_for) {
    case Algorithm::native:
        return {natively(facts.asked_by_key ? reason::native_by_key : reason::native_asked_for)};
    case Algorithm::trivial:
    case Algorithm::merged:
        return {by(facts.asked_for)};
    case Algorithm::combining:
    case Algorithm::shared:
    case Algorithm::aggregated:
        return demanded(facts);
    case Algorithm::automatic:
        return predicted(facts);
    }
    return {natively({})};
}

/// Up to this block size MPICH 4.0.2 needs log2(p) messages one after the other; for larger blocks, p - 1.
/// Source: MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE and MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE, bytes of all blocks together.
std::size_t few_messages_up_to(int processes)
{
    constexpr std::size_t recursive_doubling_bytes = 524288;
    constexpr std::size_t bruck_bytes = 81920;
    const bool power_of_two = (processes & (processes - 1)) == 0;
    return (power_of_two ? recursive_doubling_bytes : bruck_bytes) / static_cast<std::size_t>(processes);
}

/// Up to this block size, `saved` of the ring's messages outweigh the copies of blocks into messages and out of them.
std::size_t worth_copying_up_to(int saved, const Facts& facts)
{
    const double copies = 2.0 * (facts.ranks - 1);
    const auto [alpha, beta] = facts.message_cost;
    return static_cast<std::size_t>(alpha * saved / (beta * copies));
}

/// The library's logarithmic algorithms need no more messages than there are here, and fewer copies; its ring does.
Choices over_the_torus(const Facts& facts)
{
    const std::size_t few = few_messages_up_to(facts.ranks);
    const std::size_t most = worth_copying_up_to(facts.ranks - 1 - facts.torus_messages, facts);
    if (most <= few)
        return {natively(reason::library_is_faster)};
    Choices choices;
    add_up_to(choices, few, natively(reason::few_messages));
    add_up_to(choices, most, by(Algorithm::combining));
    return add_up_to(choices, unlimited, natively(reason::need_not_copy));
}

/// In shared memory every process signals every other one. With many processes that takes longer than the library's
/// logarithmic algorithms. On oversubscribed nodes it does not, since every message waits for its receiver to get a
/// core.
Choices all_in_memory(const Facts& facts)
{
    constexpr int few_processes = 32;
    const bool among_few = facts.crowded || facts.ranks <= few_processes;
    Choices choices;
    if (facts.asked_for == Algorithm::automatic && !among_few)
        add_up_to(choices, few_messages_up_to(facts.ranks), natively(reason::few_messages));
    add_up_to(choices, facts.shared_bytes, by(Algorithm::shared));
    return add_up_to(choices, unlimited, natively(reason::beyond_shared));
}

/// Larger blocks are not predicted to gain by aggregation. Up to few_messages_up_to() the library sends blocks to every
/// process of a node; beyond, the messages of its ring must outweigh the copies.
std::size_t gathering_pays_up_to(const Facts& facts)
{
    int messages = 0;
    for (std::int64_t reached = 1; reached < facts.ranks; reached *= 2)
        ++messages;
    return std::max(few_messages_up_to(facts.ranks), worth_copying_up_to(facts.ranks - 1 - messages, facts));
}

/// Aggregated up to `most` bytes, as far as there is memory. Larger blocks: as in `larger`.
Choices gathered_up_to(std::size_t most, const Facts& facts, const Choices& larger)
{
    const std::size_t room = std::min(facts.aggregated_bytes, facts.shared_bytes);
    Choice aggregated = by(Algorithm::aggregated);
    aggregated.cutoff_bytes = std::min(room, facts.cutoff_bytes.value_or(room));
    Choices choices;
    if (facts.aggregated_bytes > 0)
        add_up_to(choices, std::min(most, aggregated.cutoff_bytes), aggregated);
    for (const Choice& choice : larger)
        add_up_to(choices, choice.sizes.high, choice);
    return choices;
}

Choices asked_to_aggregate(const Facts& facts)
{
    if (facts.one_node && facts.shared_bytes > 0) {
        Choices choices = all_in_memory(facts);
        choices.front().reason = reason::one_node;
        return choices;
    }
    if (facts.aggregated_bytes == 0)
        return {natively(without_memory(facts, reason::no_node_shares))};
    const bool cut = facts.cutoff_bytes.value_or(unlimited) < std::min(facts.aggregated_bytes, facts.shared_bytes);
    return gathered_up_to(unlimited, facts, {natively(cut ? reason::over_cutoff : reason::beyond_shared)});
}

/// The choices for messages of each process by itself.
Choices one_by_one(const Facts& facts)
{
    return facts.isomorphic() ? over_the_torus(facts) : Choices{natively(facts.declined)};
}

/// MPI_Allgather on communicators with a topology: among all processes, as MPI says. Combining goes over the process
/// grid as a torus, shared memory is for processes of one node, aggregation for several of them; everything else is
/// left to the MPI library.
Choices among_all(const Facts& facts)
{
    if (facts.ranks == 1)
        return {natively(reason::one_process)};
    const bool can_share = facts.one_node && facts.shared_bytes > 0;
    switch (facts.asked_for) {
    case Algorithm::native:
        return {natively(facts.asked_by_key ? reason::native_by_key : reason::native_asked_for)};
    case Algorithm::combining:
        if (!facts.isomorphic())
            return {natively(facts.declined)};
        return up_to(facts.cutoff_bytes.value_or(unlimited), by(Algorithm::combining), natively(reason::over_cutoff));
    case Algorithm::shared:
        if (!can_share)
            return {natively(reason::not_on_one_node)};
        return all_in_memory(facts);
    case Algorithm::aggregated:
        return asked_to_aggregate(facts);
    case Algorithm::automatic:
        if (can_share)
            return all_in_memory(facts);
        return gathered_up_to(gathering_pays_up_to(facts), facts, one_by_one(facts));
    default:
        return {natively(reason::not_for_allgather)};
    }
}

Choice holding(const Choices& choices, std::size_t block_bytes)
{
    return *std::find_if(choices.begin(), choices.end(),
                         [&](const Choice& choice) { return choice.sizes.holds(block_bytes); });
}

/// True if combining might be faster than direct messages, should the prediction be wrong by some factor: never if it
/// sends as many messages.
bool worth_combining(const Facts& facts, std::size_t block_bytes)
{
    constexpr std::size_t doubt = 8;
    if (!facts.may_combine() || !facts.may_forward || !knows_block_size(facts) || facts.cutoff_bytes)
        return false;
    return facts.combining_pays_up_to > 0 && block_bytes / doubt <= facts.combining_pays_up_to;
}

/// The other candidates of a trial of MPI_Allgather.
Choices others_among_all(const Facts& facts, std::size_t block_bytes, const Choice& native)
{
    Choices result;
    if (facts.aggregated_bytes > 0) {
        result.push_back(holding(gathered_up_to(unlimited, facts, one_by_one(facts)), block_bytes));
        result.push_back(holding(one_by_one(facts), block_bytes));
    }
    const auto is_native = [](const Choice& choice) { return choice.algorithm == Algorithm::native; };
    result.erase(std::remove_if(result.begin(), result.end(), is_native), result.end());
    if (!facts.crowded || facts.baseline)
        result.push_back(native);
    return result;
}

/// Algorithms that might be faster than the predicted one. `known_bytes`: 0 if processes cannot tell the size of the
/// others' blocks.
Choices others(const Facts& facts, std::size_t known_bytes)
{
    const Choice native = natively(reason::tried_by_auto);
    if (facts.collective == Collective::global_allgather)
        return others_among_all(facts, known_bytes, native);
    Choices result;
    const bool may_wait_for_others = !facts.one_node && !facts.left_alone;
    if (may_wait_for_others && worth_combining(facts, known_bytes))
        result.push_back(holding(combined_up_to(unlimited, facts), known_bytes));
    if (may_wait_for_others && facts.aggregated_bytes > 0 && known_bytes <= facts.aggregated_bytes)
        result.push_back(aggregated(facts).front());
    if (!facts.one_node && facts.may_forward && known_bytes <= facts.shared_bytes && facts.shared_bytes > 0)
        result.push_back(by(Algorithm::shared));
    if (result.empty() || result.back().algorithm != Algorithm::merged)
        result.push_back(by(Algorithm::merged));
    const bool large = known_bytes > most_copied_bytes;
    if (large)
        result.push_back(by(Algorithm::trivial));
    const bool through_memory = facts.one_node && facts.shared_bytes > 0;
    if (facts.native_is_right && (large || !through_memory || facts.baseline))
        result.push_back(native);
    return result;
}

/// Larger blocks may lie in the memory of devices: the MPI library takes them from there without an extra copy.
Choices left_above(std::size_t most, const Choices& choices)
{
    Choices result;
    for (const Choice& choice : choices)
        if (choice.sizes.low <= most)
            add_up_to(result, std::min(most, choice.sizes.high), choice);
    return add_up_to(result, unlimited, natively(reason::large_on_devices));
}

/// The sizes that `auto` serves alike until a trial has said more.
SizeClass served_with(const Facts& facts, std::size_t block_bytes)
{
    const bool differs = is_regular(facts.collective) && !knows_block_size(facts);
    return differs ? side_of(facts.shared_bytes, block_bytes) : tried_with(facts, block_bytes);
}

} // namespace

Choices choose(const Facts& facts)
{
    if (!facts.unusable.empty())
        return {natively(facts.unusable)};
    Choices choices = facts.collective == Collective::global_allgather ? among_all(facts) : among_neighbors(facts);
    // Without a common size the exchanges keep to the cut-off block by block.
    if (!shares_block_size(facts, choices.front().algorithm)) {
        choices.resize(1);
        choices.front().sizes = every_size();
    }
    if (is_left_on_device(facts, unlimited))
        return left_above(*facts.device_bytes, choices);
    return choices;
}

Choice choose_for(const Facts& facts, std::size_t block_bytes)
{
    Choice choice = holding(choose(facts), block_bytes);
    if (facts.asked_for == Algorithm::automatic && facts.unusable.empty())
        choice.sizes = served_with(facts, block_bytes);
    return choice;
}

SizeClass tried_with(const Facts& facts, std::size_t block_bytes)
{
    return knows_block_size(facts) ? learned_with(facts, block_bytes) : every_size();
}

SizeClass learned_with(const Facts& facts, std::size_t block_bytes)
{
    // Small blocks on one node are one class: a process that passes a wrong size still meets its neighbors.
    const std::size_t first = facts.one_node ? most_copied_bytes : 0;
    return size_class(
        block_bytes, first,
        {facts.shared_bytes, facts.aggregated_bytes, facts.cutoff_bytes.value_or(0), facts.device_bytes.value_or(0)});
}

Choices candidates(const Facts& facts, std::size_t block_bytes)
{
    const std::size_t known_bytes = knows_block_size(facts) ? block_bytes : 0;
    const Choice first = holding(choose(facts), known_bytes);
    Choices result{first};
    if (!first.groups.empty() && !facts.only_splits)
        result.push_back(by(Algorithm::combining)); // the usual way
    if (first.algorithm != Algorithm::native)
        for (const Choice& other : others(facts, known_bytes))
            if (!same_way(other, first))
                result.push_back(other);
    for (Choice& choice : result)
        choice.sizes = tried_with(facts, block_bytes);
    return result;
}

Choice following(const Facts& facts, std::size_t block_bytes, const Choice& found)
{
    const bool fits = block_bytes <= facts.shared_bytes || facts.idle_process || !is_regular(facts.collective);
    Choice choice = found.algorithm == Algorithm::shared && !fits ? choose_for(facts, block_bytes) : found;
    choice.sizes = served_with(facts, block_bytes);
    return choice;
}

} // namespace hopscotch::schedules
