// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the ranks of the processes of a topology, by agreement or by each process alone.
#include "shim/call/new_ranks.hpp"

#include "schedules/grid/ordering.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

using schedules::Objective;

/// The weights of all edges, on the first process. Collective: over consensus.
schedules::EdgeWeights gathered_weights(CollectiveConsensus& consensus, std::vector<int> own, int offsets)
{
    own.resize(static_cast<std::size_t>(offsets), 1); // adds nothing if there are weights
    const std::vector<int> all = consensus.gathered(own, 0);
    schedules::EdgeWeights weights;
    for (const int weight : all)
        weights.push_back(std::max(weight, 0)); // MPI forbids others
    return weights;
}

std::optional<Objective> parse_objective(std::string_view text)
{
    if (text == "sum")
        return Objective::sum;
    if (text == "max")
        return Objective::most;
    return std::nullopt;
}

} // namespace

std::string in_words(const NewRanks& ranks)
{
    const schedules::Remapping& remapping = ranks.remapping;
    const bool of_one_node = remapping.objective == Objective::most;
    const std::string number = std::to_string(of_one_node ? remapping.now.most : remapping.now.sum);
    return "mapped by " + to_string(remapping.mapper) + "; " + (ranks.weighted ? "weight " : "") + number +
           (ranks.weighted ? " of edges" : " edges") +
           (of_one_node ? " from the node with most to others before" : " between nodes before");
}

NewRanks agreed_ranks(CollectiveConsensus& consensus, const schedules::StencilOnGrid& mapped,
                      const schedules::Nodes& nodes, std::vector<int> own_weights, Objective objective)
{
    NewRanks ranks;
    ranks.weighted = !consensus.all(own_weights.empty());
    schedules::EdgeWeights weights;
    if (ranks.weighted)
        weights = gathered_weights(consensus, std::move(own_weights), mapped.stencil.size());
    const int rank = rank_in(consensus.communicator());
    if (rank == 0)
        ranks.remapping = schedules::best_remapping(mapped.grid, mapped.stencil, nodes, weights, objective);
    consensus.broadcast(&ranks.remapping, sizeof ranks.remapping, 0);
    if (!ranks.remapping.spares_edges())
        return ranks;
    ranks.of_rank.resize(nodes.of_rank.size());
    if (rank == 0)
        ranks.of_rank = schedules::new_ranks(ranks.remapping, mapped.grid, mapped.stencil, nodes, weights);
    consensus.broadcast(ranks.of_rank.data(), ranks.of_rank.size() * sizeof(int), 0);
    return ranks;
}

std::vector<int> ranks_of_all(const schedules::StencilOnGrid& mapped, const schedules::Nodes& nodes)
{
    const schedules::Remapping remapping = schedules::best_remapping(mapped.grid, mapped.stencil, nodes);
    return remapping.spares_edges() ? schedules::new_ranks(remapping, mapped.grid, mapped.stencil, nodes)
                                    : schedules::identity(mapped.grid.size());
}

std::optional<schedules::StencilOnGrid> grid_of_lists(const std::vector<std::vector<int>>& neighbors)
{
    const Settings& settings = runtime().settings;
    const int p = static_cast<int>(neighbors.size());
    std::vector<schedules::Candidate> candidates = schedules::trusted_grids(p, std::nullopt, set_grid(settings), {});
    if (settings.infer)
        for (const bool all_patterns : {false, true}) {
            const std::vector<schedules::Candidate> more = schedules::inferred_grids(p, all_patterns);
            candidates.insert(candidates.end(), more.begin(), more.end());
        }
    return schedules::explained(neighbors, candidates);
}

Objective wanted_objective(MPI_Info info)
{
    try {
        return parsed_info(info, info_key::objective, parse_objective, "which is not sum or max")
            .value_or(Objective::sum);
    } catch (const MpiError&) {
        return Objective::sum; // the library will report the fault of the info object
    }
}

} // namespace hopscotch::shim
