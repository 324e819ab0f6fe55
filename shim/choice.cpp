// Which algorithm carries a collective on a graph: decided from values all its processes share.
#include "shim/choice.hpp"

#include "schedules/allgather.hpp"
#include "schedules/cost.hpp"
#include "shim/global_allgather.hpp"

#include <algorithm>
#include <limits>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// Distinct processes other than itself that a process reaches through the stencil: messages of the merged schedule.
int distinct_peers(const schedules::Stencil& sorted)
{
    int peers = 0;
    for (int i = 0; i < sorted.size(); ++i) {
        const int* offset = sorted.offset(i);
        const bool repeated = i > 0 && std::equal(offset, offset + sorted.dimensions(), sorted.offset(i - 1));
        if (!repeated && schedules::hops(sorted, i) > 0)
            ++peers;
    }
    return peers;
}

/// Block size up to which C messages with V blocks beat one message per distinct peer.
std::size_t predicted_cutoff(const Graph& graph, Collective collective)
{
    const int messages = schedules::rounds(graph.stencil);
    const int direct_messages = distinct_peers(graph.stencil);
    if (messages >= direct_messages)
        return 0;
    const bool gather = is_allgather(collective);
    const int volume = gather ? schedules::tree_volume(graph.stencil, schedules::best_dimension_order(graph.stencil))
                              : schedules::alltoall_volume(graph.stencil);
    const int direct_volume = gather ? direct_messages : schedules::direct_volume(graph.stencil);
    if (volume <= direct_volume)
        return unlimited;
    return static_cast<std::size_t>(schedules::assumed_cost.alpha_seconds /
                                    schedules::assumed_cost.beta_seconds_per_byte * (direct_messages - messages) /
                                    (volume - direct_volume));
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

Choices aggregated_up_to(std::size_t bytes, const Settings& settings, Collective collective)
{
    const std::size_t cutoff = std::min(bytes, settings.cutoff_bytes.value_or(bytes));
    Choices choices = in_memory_up_to(cutoff, Algorithm::aggregated, collective);
    choices.small.cutoff_bytes = cutoff;
    return choices;
}

/// Where there is but one node, what it would aggregate is shared; where memory is not, merged.
Choices aggregated(const Settings& settings, Collective collective, const Abilities& abilities)
{
    if (!abilities.may_forward)
        return always(Algorithm::merged, "the MPI library does not drive operations that must forward blocks");
    if (abilities.one_node && abilities.shared_bytes > 0)
        return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
    if (abilities.aggregated_bytes == 0)
        return always(Algorithm::merged, "no node has several processes that share memory");
    return aggregated_up_to(std::min(abilities.aggregated_bytes, abilities.shared_bytes), settings, collective);
}

/// Largest block for which aggregating is possible and predicted to pay; 0: none.
std::size_t predicted_aggregation(const Graph& graph, Collective collective, const Abilities& abilities)
{
    const schedules::Blocks blocks =
        is_allgather(collective) ? schedules::Blocks::common : schedules::Blocks::individual;
    return std::min(
        {graph.aggregated_up_to[static_cast<std::size_t>(blocks)], abilities.aggregated_bytes, abilities.shared_bytes});
}

} // namespace

bool is_allgather(Collective collective) noexcept
{
    return collective == Collective::allgather || collective == Collective::allgatherv ||
           collective == Collective::global_allgather;
}

bool is_regular(Collective collective) noexcept
{
    return collective == Collective::alltoall || collective == Collective::allgather ||
           collective == Collective::global_allgather;
}

Choices choose(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities)
{
    if (collective == Collective::global_allgather)
        return choose_global_allgather(graph, settings, abilities);
    if (!graph.unusable.empty())
        return always(Algorithm::native, graph.unusable);
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
            return always(Algorithm::native, "no memory is shared between its processes");
        if (!abilities.may_forward)
            return always(Algorithm::merged);
        return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
    case Algorithm::aggregated:
        return aggregated(settings, collective, abilities);
    case Algorithm::automatic:
        if (!abilities.may_forward)
            return always(Algorithm::merged);
        if (abilities.one_node && abilities.shared_bytes > 0)
            return in_memory_up_to(abilities.shared_bytes, Algorithm::shared, collective);
        if (const std::size_t bytes = predicted_aggregation(graph, collective, abilities); bytes > 0)
            return aggregated_up_to(bytes, settings, collective);
        if (!graph.isomorphic())
            return always(Algorithm::merged);
        return up_to(settings.cutoff_bytes.value_or(predicted_cutoff(graph, collective)), Algorithm::combining);
    }
    return always(Algorithm::native);
}

} // namespace hopscotch::shim
