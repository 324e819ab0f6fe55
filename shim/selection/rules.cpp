// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses an algorithm by rules, from values all processes of a graph share.
#include "shim/selection/rules.hpp"

#include "schedules/cost.hpp"
#include "shim/selection/global_allgather.hpp"

#include <algorithm>
#include <limits>

namespace hopscotch::shim
{

namespace
{

schedules::Blocks blocks_of(Collective collective)
{
    return is_allgather(collective) ? schedules::Blocks::common : schedules::Blocks::individual;
}

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::string_view unshared = "no memory is shared between its processes";

/// Block size up to which combining is predicted to be faster than a message to each peer.
std::size_t predicted_cutoff(const Graph& graph, Collective collective)
{
    return schedules::combining_cutoff_bytes(graph.stencil, blocks_of(collective), schedules::assumed_cost);
}

Choices always(Algorithm algorithm, std::string reason = {})
{
    Choices choices;
    choices.small = Choice{algorithm, std::move(reason), unlimited};
    choices.large = choices.small;
    choices.cutoff_bytes = unlimited;
    return choices;
}

Choices up_to(std::size_t cutoff, Algorithm algorithm)
{
    Choices choices = always(algorithm);
    choices.small.cutoff_bytes = cutoff;
    choices.large.algorithm = Algorithm::merged;
    choices.cutoff_bytes = cutoff;
    return choices;
}

/// Blocks of varying sizes that are too large for the shared memory travel directly, each by itself.
Choices in_memory_up_to(std::size_t bytes, Algorithm algorithm, Collective collective)
{
    return is_regular(collective) ? up_to(bytes, algorithm) : always(algorithm);
}

/// The reason where memory should be shared and is not.
std::string without_memory(const Graph& graph, std::string_view what)
{
    std::string reason(what);
    if (graph.memory_refusal != Refusal::none)
        reason.append(": ").append(in_words(graph.memory_refusal));
    return reason;
}

Choices aggregated_up_to(std::size_t bytes, const Settings& settings, Collective collective)
{
    const std::size_t cutoff = std::min(bytes, settings.cutoff_bytes.value_or(bytes));
    Choices choices = in_memory_up_to(cutoff, Algorithm::aggregated, collective);
    choices.small.cutoff_bytes = cutoff;
    return choices;
}

/// Where there is but one node, what it would aggregate is shared; where memory is not, merged.
Choices aggregated(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities)
{
    if (!abilities.may_forward)
        return always(Algorithm::merged, "the MPI library does not drive operations that must forward blocks");
    if (abilities.one_node && abilities.shared_bytes > 0)
        return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
    if (abilities.aggregated_bytes == 0)
        return always(Algorithm::merged, without_memory(graph, "no node has several processes that share memory"));
    return aggregated_up_to(std::min(abilities.aggregated_bytes, abilities.shared_bytes), settings, collective);
}

/// What is predicted where blocks do not go through memory, and why they do not where they should.
Choices in_messages(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities)
{
    const bool combines = graph.isomorphic() && !abilities.left_alone;
    Choices choices =
        combines ? up_to(settings.cutoff_bytes.value_or(predicted_cutoff(graph, collective)), Algorithm::combining)
                 : always(Algorithm::merged);
    if (graph.memory_refusal != Refusal::none)
        choices.small.reason = choices.large.reason = without_memory(graph, unshared);
    return choices;
}

/// Largest block for which aggregating is possible and predicted to pay; 0: none.
std::size_t predicted_aggregation(const Graph& graph, Collective collective, const Abilities& abilities)
{
    return std::min({graph.aggregated_up_to[static_cast<std::size_t>(blocks_of(collective))],
                     abilities.aggregated_bytes, abilities.shared_bytes});
}

/// Whether combining might be faster than direct messages if the prediction is wrong by some factor.
bool worth_combining(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities,
                     std::optional<std::size_t> block_bytes)
{
    constexpr std::size_t doubt = 8;
    if (!graph.isomorphic() || !abilities.may_forward || !block_bytes || settings.cutoff_bytes)
        return false;
    return *block_bytes / doubt <= predicted_cutoff(graph, collective);
}

} // namespace

Choices choose(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities)
{
    if (collective == Collective::global_allgather)
        return choose_global_allgather(graph, settings, abilities);
    if (!graph.unusable.empty())
        return always(Algorithm::native, std::string(graph.unusable));
    switch (const Algorithm wanted = settings.algorithm(collective)) {
    case Algorithm::native:
        return always(Algorithm::native, "HOPSCOTCH_ALGORITHM=native");
    case Algorithm::trivial:
    case Algorithm::merged:
        return always(wanted);
    case Algorithm::combining:
        if (!graph.isomorphic())
            return always(Algorithm::native, graph.declined);
        if (!abilities.may_forward)
            return always(Algorithm::merged);
        return up_to(settings.cutoff_bytes.value_or(unlimited), Algorithm::combining);
    case Algorithm::shared:
        if (abilities.shared_bytes == 0)
            return always(Algorithm::native, without_memory(graph, unshared));
        if (!abilities.may_forward)
            return always(Algorithm::merged);
        return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
    case Algorithm::aggregated:
        return aggregated(graph, settings, collective, abilities);
    case Algorithm::automatic:
        if (!abilities.may_forward)
            return always(Algorithm::merged);
        // An operation that is left alone must not wait for the progress of a third process.
        if ((abilities.one_node || abilities.left_alone) && abilities.shared_bytes > 0)
            return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
        if (const std::size_t bytes = predicted_aggregation(graph, collective, abilities);
            bytes > 0 && !abilities.left_alone)
            return aggregated_up_to(bytes, settings, collective);
        return in_messages(graph, settings, collective, abilities);
    }
    return always(Algorithm::native);
}

std::vector<Choice> candidates(const Graph& graph, const Settings& settings, Collective collective,
                               const Abilities& abilities, std::optional<std::size_t> block_bytes)
{
    std::vector<Choice> result{choose(graph, settings, collective, abilities)(block_bytes.value_or(0))};
    if (!graph.unusable.empty() || result.front().algorithm == Algorithm::native)
        return result;
    const auto add = [&result](Choice choice) {
        const bool known = std::any_of(result.begin(), result.end(),
                                       [&choice](const Choice& other) { return other.algorithm == choice.algorithm; });
        if (!known)
            result.push_back(std::move(choice));
    };
    const bool large = block_bytes && *block_bytes > most_copied_bytes;
    if (collective == Collective::global_allgather) {
        if (!abilities.crowded)
            add(always(Algorithm::native, "tried by auto").small);
        return result;
    }
    if (!abilities.one_node && worth_combining(graph, settings, collective, abilities, block_bytes))
        add(always(Algorithm::combining).small);
    if (!abilities.one_node && abilities.aggregated_bytes > 0 && block_bytes.value_or(0) <= abilities.aggregated_bytes)
        add(aggregated(graph, settings, collective, abilities).small);
    add(always(Algorithm::merged).small);
    if (large)
        add(always(Algorithm::trivial).small);
    const bool through_memory = result.front().algorithm == Algorithm::shared;
    if (abilities.native_is_right && (large || (!through_memory && !abilities.crowded)))
        add(always(Algorithm::native, "tried by auto").small);
    return result;
}

} // namespace hopscotch::shim
