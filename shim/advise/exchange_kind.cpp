// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/exchange_kind.hpp"

#include "schedules/irregular/embeddings.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

using Lists = std::vector<std::vector<int>>;

bool is_symmetric(const Lists& destinations)
{
    for (std::size_t rank = 0; rank < destinations.size(); ++rank)
        for (const int other : destinations[rank]) {
            const std::vector<int>& back = destinations[static_cast<std::size_t>(other)];
            if (!std::binary_search(back.begin(), back.end(), static_cast<int>(rank)))
                return false;
        }
    return true;
}

/// True if one process is an end of every edge, and the others are more than a pair.
bool is_star(const Lists& destinations)
{
    for (int center = 0; center < static_cast<int>(destinations.size()) && destinations.size() > 2; ++center) {
        bool touches = true;
        for (int rank = 0; rank < static_cast<int>(destinations.size()) && touches; ++rank)
            for (const int other : destinations[static_cast<std::size_t>(rank)])
                touches = touches && (rank == center || other == center);
        if (touches)
            return true;
    }
    return false;
}

/// A grid that explains most edges, where none explains all.
void find_part(RepeatedExchange& exchange, const std::vector<schedules::Candidate>& given)
{
    // Any graph is some part of a stencil with many neighbors.
    constexpr double most_of_them = 0.8;
    constexpr double filled = 0.6;
    constexpr std::size_t steps = 1 << 20;
    schedules::SearchBudget budget(steps);
    const auto partial = schedules::find_partial_grid(std::nullopt, given, true, exchange.destinations, budget);
    if (!partial || partial->edges == 0)
        return;
    const double share = static_cast<double>(partial->combined_edges) / static_cast<double>(partial->edges);
    const std::int64_t places = std::int64_t{exchange.processes} * partial->stencil.size();
    const bool is_sparse = 2 * partial->stencil.size() <= exchange.processes;
    if (share < most_of_them || !is_sparse ||
        static_cast<double>(partial->combined_edges) < filled * static_cast<double>(places))
        return;
    exchange.kind = Kind::partly_grid;
    exchange.explained = share;
    const std::vector<int>& extents = partial->cells.extents();
    exchange.found = {schedules::Topology(extents, std::vector<bool>(extents.size(), true)), partial->stencil};
    exchange.periodic = exchange.found->grid.periods();
}

void find_grid(RepeatedExchange& exchange)
{
    const int p = exchange.processes;
    std::vector<schedules::Candidate> given = schedules::trusted_grids(p, exchange.given, std::nullopt, {});
    std::vector<schedules::Candidate> grids = given;
    exchange.found = given.empty() ? std::nullopt : schedules::explained(exchange.destinations, grids);
    const bool complete = std::all_of(exchange.destinations.begin(), exchange.destinations.end(),
                                      [&](const auto& list) { return static_cast<int>(list.size()) == p - 1; });
    if (!exchange.found && complete) {
        exchange.kind = Kind::everyone;
        return;
    }
    if (!exchange.found) {
        grids = schedules::inferred_grids(p, false);
        const std::vector<schedules::Candidate> others = schedules::inferred_grids(p, true);
        grids.insert(grids.end(), others.begin(), others.end());
        exchange.found = schedules::explained(exchange.destinations, grids);
    }
    if (!exchange.found)
        return find_part(exchange, given);
    exchange.kind = Kind::grid;
    exchange.explained = 1;
    // Along one or two processes a torus and a mesh have the same messages: then it is what the program said.
    exchange.periodic = exchange.found->grid.periods();
    const bool is_given = exchange.given && exchange.given->dims() == exchange.found->grid.dims();
    exchange.either.resize(exchange.periodic.size());
    for (int k = 0; k < exchange.found->grid.dimensions(); ++k)
        if (exchange.found->grid.extent(k) <= 2) {
            exchange.periodic[static_cast<std::size_t>(k)] = is_given && exchange.given->periodic(k);
            exchange.either[static_cast<std::size_t>(k)] = !is_given;
        }
}

} // namespace

const char* name(Kind kind) noexcept
{
    constexpr const char* names[] = {"grid", "partly grid", "irregular", "everyone",
                                     "pair", "one way",     "star",      "changing"};
    return names[static_cast<int>(kind)];
}

void explain(RepeatedExchange& exchange)
{
    if (is_star(exchange.destinations))
        exchange.kind = Kind::star;
    else if (exchange.kind == Kind::changing)
        return;
    else if (exchange.processes == 2)
        exchange.kind = Kind::pair;
    else if (!is_symmetric(exchange.destinations))
        exchange.kind = Kind::one_way;
    else
        find_grid(exchange);
    if (!exchange.found || exchange.kind != Kind::grid)
        return;
    for (std::vector<NeighborBlock>* blocks : {&exchange.sent, &exchange.received})
        for (NeighborBlock& block : *blocks) {
            const schedules::Stencil offset = schedules::offsets(exchange.found->grid, exchange.sample, {block.peer});
            block.offset.assign(offset.offset(0), offset.offset(0) + offset.dimensions());
        }
}

schedules::Stencil both_ways(const RepeatedExchange& exchange)
{
    const schedules::Topology& grid = exchange.found->grid;
    schedules::Stencil stencil = exchange.found->stencil;
    for (int k = 0; k < grid.dimensions(); ++k) {
        const int known = stencil.size();
        const bool once = grid.extent(k) == 2 && grid.periodic(k); // as the search has it
        for (int i = 0; i < known && once; ++i) {
            std::vector<int> offset(stencil.offset(i), stencil.offset(i) + grid.dimensions());
            offset[static_cast<std::size_t>(k)] *= -1;
            if (offset[static_cast<std::size_t>(k)] != 0)
                stencil.append(offset.data());
        }
    }
    return stencil;
}

} // namespace hopscotch::shim
