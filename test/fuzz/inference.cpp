// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Inference. The input is a number of processes, a stencil on one of their grids, and changes to the neighbor lists
// that come of it. A grid that all processes accept for the lists must also carry a schedule on them.
#include "test/fuzz/targets.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/plan/combining.hpp"
#include "test/schedules/plan/rules.hpp"

#include <algorithm>

using namespace hopscotch::schedules;
using fuzz::Bytes;
using fuzz::demand;

namespace
{

/// The same comparison, without any short cut.
bool same_set(std::vector<int> one, std::vector<int> other)
{
    for (std::vector<int>* list : {&one, &other}) {
        list->erase(std::remove(list->begin(), list->end(), no_rank), list->end());
        std::sort(list->begin(), list->end());
    }
    return one == other;
}

Stencil read_stencil(Bytes& bytes, const Topology& grid)
{
    constexpr int most_offsets = 9;
    Stencil stencil(grid.dimensions(), {});
    std::vector<int> offset(static_cast<std::size_t>(grid.dimensions()));
    for (int count = bytes.below(most_offsets); count > 0; --count) {
        for (int& shift : offset)
            shift = bytes.below(7) - 3;
        stencil.append(offset.data());
    }
    return stencil;
}

/// Moves the far end of an edge, drops it, doubles it, or puts it elsewhere in its list.
void change(Bytes& bytes, std::vector<Edges>& edges)
{
    const int processes = static_cast<int>(edges.size());
    std::vector<int>& list = edges[static_cast<std::size_t>(bytes.below(processes))].destinations;
    const int what = bytes.below(4);
    if (list.empty())
        return;
    const auto place = list.begin() + bytes.below(static_cast<int>(list.size()));
    if (what == 0)
        *place = bytes.below(processes + 1) - 1;
    else if (what == 1)
        list.erase(place);
    else if (what == 2)
        list.push_back(*place);
    else
        std::swap(*place, list.front());
}

/// Adds source lists that fit the destinations, and orders of parallel edges.
void complete(std::vector<Edges>& edges)
{
    for (Edges& process : edges)
        process.sources.clear();
    for (const Edges& process : edges)
        for (const int destination : process.destinations)
            if (destination != no_rank)
                edges[static_cast<std::size_t>(destination)].sources.push_back(process.rank);
    for (Edges& process : edges) {
        process.destination_order = occurrence(process.destinations);
        process.source_order = occurrence(process.sources);
    }
}

/// True if all processes accept the grid that follows from the list of process 0.
bool try_grid(const Topology& grid, const std::vector<Edges>& edges)
{
    const std::vector<int>& listed = edges.front().destinations;
    const Stencil stencil = offsets(grid, 0, listed);
    bool all = true;
    for (const Edges& process : edges) {
        const Edges expected = edges_of(grid, stencil, process.rank);
        const bool same =
            same_set(expected.destinations, process.destinations) && same_set(expected.sources, process.sources);
        demand(explains(grid, stencil, process.rank, process.destinations, process.sources) == same);
        all = all && same_as(grid, 0, listed, process.rank, process.destinations, process.sources);
    }
    if (!all)
        return false;
    for (const Edges& process : edges) {
        const Neighborhood neighborhood = place(grid, sorted(canonical(stencil, grid)), process);
        std::vector<int> unused;
        for (std::size_t slot = 0; slot < process.sources.size(); ++slot)
            if (process.sources[slot] == no_rank)
                unused.push_back(static_cast<int>(slot));
        validate(combining_alltoall(neighborhood), static_cast<int>(process.destinations.size()),
                 static_cast<int>(process.sources.size()), unused);
    }
    return true;
}

} // namespace

bool try_inference(const std::uint8_t* data, std::size_t size)
{
    constexpr int most_processes = 24;
    constexpr int most_dimensions = 4;
    Bytes bytes(data, size);
    const int processes = 1 + bytes.below(most_processes);
    std::vector<Topology> grids;
    for (const std::vector<int>& dims : factorizations(processes, most_dimensions, 100))
        for (const Topology& grid : with_periods(dims, true))
            grids.push_back(grid);
    const Topology& origin = grids[static_cast<std::size_t>(bytes.below(static_cast<int>(grids.size())))];
    demand(origin.size() == processes);
    const Stencil stencil = read_stencil(bytes, origin);
    std::vector<Edges> edges;
    for (int rank = 0; rank < processes; ++rank)
        edges.push_back(edges_of(origin, stencil, rank));
    const bool unchanged = !bytes.more();
    while (bytes.more())
        change(bytes, edges);
    complete(edges);

    std::vector<std::vector<int>> lists;
    for (const Edges& process : edges)
        lists.push_back(process.destinations);
    bool any = false;
    for (const Topology& grid : grids) {
        any = try_grid(grid, edges) || any;
        const std::optional<Stencil> cover = covering(grid, lists);
        for (const Edges& process : edges)
            demand(!cover || offsets(grid, process.rank, process.destinations).size() <= cover->size());
        demand(cover || !unchanged || !(grid == origin));
    }
    // On a torus process 0 sees the whole stencil, so the lists lead back to the grid.
    demand(any || !unchanged || !origin.fully_periodic());
    return any;
}
