// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses for MPI_Allgather on communicators with a topology: among all processes, as MPI says, by what is known of
// them.
#include "shim/selection/global_allgather.hpp"

#include "schedules/cost.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

Choice natively(std::string reason)
{
    return {Algorithm::native, std::move(reason), unlimited};
}

Choices always(const Choice& choice)
{
    return {choice, choice, unlimited};
}

/// Block size up to which MPICH 4.0.2 needs log2(p) messages one after the other; for larger blocks, p - 1.
/// Source: MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE and MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE, bytes of all blocks together.
std::size_t few_messages_up_to(int processes)
{
    constexpr std::size_t recursive_doubling_bytes = 524288;
    constexpr std::size_t bruck_bytes = 81920;
    const bool power_of_two = (processes & (processes - 1)) == 0;
    return (power_of_two ? recursive_doubling_bytes : bruck_bytes) / static_cast<std::size_t>(processes);
}

/// Block size up to which `saved` of the ring's messages outweigh that blocks are copied into messages and out of them.
std::size_t worth_copying_up_to(int saved, int processes)
{
    const double copies = 2.0 * (processes - 1);
    return static_cast<std::size_t>(schedules::assumed_cost.alpha_seconds * saved /
                                    (schedules::assumed_cost.beta_seconds_per_byte * copies));
}

/// The library's logarithmic algorithms are not to be beaten by the sum of (extent - 1) messages, its ring is.
Choices over_the_torus(const Graph& graph)
{
    const std::vector<int>& dims = graph.topology.dims();
    const int messages = std::accumulate(dims.begin(), dims.end(), 0) - static_cast<int>(dims.size());
    const std::size_t few_messages = few_messages_up_to(graph.ranks);
    const std::size_t most = worth_copying_up_to(graph.ranks - 1 - messages, graph.ranks);
    if (most <= few_messages)
        return always(natively("the MPI library is faster among this many processes"));
    return {natively("the MPI library needs fewer messages for blocks of this size"),
            {Algorithm::combining, {}, unlimited},
            few_messages,
            natively("the MPI library need not copy blocks of this size"),
            most};
}

Choices in_memory(const Abilities& abilities)
{
    return {{Algorithm::shared, {}, unlimited},
            natively("its blocks do not fit into the shared memory"),
            abilities.shared_bytes};
}

/// In memory every process tells every other one, which takes longer than the library's logarithmic algorithms when
/// they are many; not where processes share cores, and every message waits for its receiver to get one.
bool among_few(const Graph& graph, const Abilities& abilities) noexcept
{
    constexpr int few_processes = 32;
    return abilities.crowded || graph.ranks <= few_processes;
}

Choices large_in_memory(const Graph& graph, const Abilities& abilities)
{
    const Choices all = in_memory(abilities);
    return {natively("the MPI library needs fewer messages for blocks of this size"), all.small,
            few_messages_up_to(graph.ranks), all.large, all.cutoff_bytes};
}

} // namespace

Choices choose_global_allgather(const Graph& graph, const Settings& settings, const Abilities& abilities)
{
    if (!graph.unusable.empty())
        return always(natively(std::string(graph.unusable)));
    if (graph.ranks == 1)
        return always(natively("there is one process only"));
    const bool can_share = abilities.one_node && abilities.shared_bytes > 0;
    switch (settings.algorithm(Collective::global_allgather)) {
    case Algorithm::native:
        return always(natively("HOPSCOTCH_ALGORITHM=native"));
    case Algorithm::combining:
        if (!graph.isomorphic())
            return always(natively(graph.declined));
        return {{Algorithm::combining, {}, unlimited},
                natively("its blocks are larger than HOPSCOTCH_CUTOFF"),
                settings.cutoff_bytes.value_or(unlimited)};
    case Algorithm::shared:
        if (!can_share)
            return always(natively("its processes are not all on one node with memory in common"));
        return in_memory(abilities);
    case Algorithm::automatic:
        if (can_share)
            return among_few(graph, abilities) ? in_memory(abilities) : large_in_memory(graph, abilities);
        if (!graph.isomorphic())
            return always(natively(graph.declined));
        return over_the_torus(graph);
    default:
        return always(natively("MPI_Allgather is carried by combining and shared only"));
    }
}

} // namespace hopscotch::shim
