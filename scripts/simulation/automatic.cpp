// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The choice of `auto` for the simulated job before it has measured calls, by the rules of the library.
#include "scripts/simulation/automatic.hpp"

#include "schedules/nodes/effort.hpp"
#include "schedules/selection/reasons.hpp"
#include "schedules/selection/selection_rules.hpp"

#include <algorithm>
#include <limits>

using namespace hopscotch::schedules;

namespace simulation
{

std::vector<Choice> automatic_choices(const Setting& setting, const Network& network)
{
    constexpr std::size_t enough = std::numeric_limits<std::size_t>::max();
    Facts facts;
    facts.collective = Collective::alltoall;
    facts.ranks = setting.grid().size();
    facts.most_neighbors = direct_volume(setting.stencil());
    facts.message_cost = cost_of_message(network);
    if (setting.nodes().count() < setting.grid().size()) {
        facts.shared_bytes = facts.aggregated_bytes = enough;
        std::vector<Efforts> compared = {setting.efforts(Way::aggregated), setting.efforts(Way::merged)};
        if (!setting.partial_grid())
            compared.push_back(setting.efforts(Way::combining));
        facts.aggregating_pays_up_to = aggregating_pays_up_to(compared, network);
    }
    GraphOfFacts graph;
    graph.network = network;
    if (setting.partial_grid()) {
        facts.declined = reason::not_isomorphic;
        graph.partial = &*setting.partial_grid();
    } else {
        graph.grid = &setting.grid();
        graph.stencil = &setting.stencil();
        graph.nodes = &setting.nodes();
    }
    return choose(with_facts_of_graph(facts, graph, [&] { return setting.preferred(setting.family(), network); }));
}

const Choice& choice_for(const std::vector<Choice>& choices, std::size_t bytes)
{
    return *std::find_if(choices.begin(), choices.end(),
                         [bytes](const Choice& choice) { return choice.sizes.holds(bytes); });
}

} // namespace simulation
