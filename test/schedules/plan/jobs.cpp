// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs to try schedules on: process grids, stencils, neighbor lists in any order, and the expected blocks.
#include "test/schedules/plan/jobs.hpp"

#include "test/schedules/plan/rules.hpp"
#include "test/schedules/plan/simulator.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>

using namespace hopscotch::schedules;

namespace
{

int uniform(int least, int most, std::mt19937& random)
{
    return std::uniform_int_distribution<int>(least, most)(random);
}

std::vector<int> negated(const Stencil& stencil, int i, int sign)
{
    std::vector<int> offset(stencil.offset(i), stencil.offset(i) + stencil.dimensions());
    for (int& shift : offset)
        shift *= sign;
    return offset;
}

std::vector<int> neighbor_list(const Job& job, int rank, int sign, std::mt19937& random)
{
    const bool keep_borders = uniform(0, 1, random) == 1;
    std::vector<int> list;
    for (int i = 0; i < job.stencil.size(); ++i) {
        const int other = plain_neighbor(job.topology, rank, negated(job.stencil, i, sign));
        if (other != no_rank || keep_borders)
            list.push_back(other);
    }
    std::shuffle(list.begin(), list.end(), random);
    return list;
}

std::vector<int> counted(const std::vector<int>& list)
{
    std::map<int, int> seen;
    std::vector<int> result;
    for (const int rank : list)
        result.push_back(rank == no_rank ? 0 : seen[rank]++);
    return result;
}

/// A source_order that matches the parallel edges from one process in any way.
std::vector<int> any_matching(const std::vector<int>& list, std::mt19937& random)
{
    std::map<int, std::vector<int>> orders;
    for (const int rank : list)
        orders[rank].push_back(static_cast<int>(orders[rank].size()));
    for (auto& [rank, order] : orders)
        std::shuffle(order.begin(), order.end(), random);
    std::vector<int> result;
    for (const int rank : list) {
        result.push_back(rank == no_rank ? 0 : orders[rank].back());
        orders[rank].pop_back();
    }
    return result;
}

void fill_orders(Edges& edges, std::mt19937& random)
{
    edges.destination_order = counted(edges.destinations);
    edges.source_order = any_matching(edges.sources, random);
}

std::vector<int> borders(const std::vector<int>& list)
{
    std::vector<int> result;
    for (std::size_t j = 0; j < list.size(); ++j)
        if (list[j] == no_rank)
            result.push_back(static_cast<int>(j));
    return result;
}

std::string first_difference(const Job& job, TestedOperation operation, const std::vector<std::vector<Label>>& received)
{
    for (std::size_t rank = 0; rank < received.size(); ++rank)
        for (std::size_t j = 0; j < received[rank].size(); ++j) {
            const Label expected = promised(job, operation, static_cast<int>(rank), j);
            if (received[rank][j] == expected)
                continue;
            std::ostringstream text;
            text << "receive slot " << j << " of process " << rank << " holds " << received[rank][j] << ", not "
                 << expected;
            return text.str();
        }
    return {};
}

} // namespace

Label promised(const Job& job, TestedOperation operation, int rank, std::size_t j)
{
    const Edges& edges = job.edges[rank];
    const int source = edges.sources[j];
    if (source == no_rank)
        return {};
    if (operation == TestedOperation::allgather)
        return {source, 0};
    int edge = edges.source_order[j];
    const std::vector<int>& list = job.edges[source].destinations;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i] == rank && edge-- == 0)
            return {source, static_cast<int>(i)};
    return {};
}

Stencil Job::planned_stencil() const
{
    return sorted(canonical(stencil, topology));
}

Neighborhood Job::neighborhood(int rank) const
{
    return place(topology, planned_stencil(), edges[rank]);
}

std::string describe(const Job& job)
{
    std::ostringstream text;
    text << to_string(job.topology) << " stencil";
    for (int i = 0; i < job.stencil.size(); ++i) {
        text << " (";
        for (int k = 0; k < job.stencil.dimensions(); ++k)
            text << (k > 0 ? "," : "") << job.stencil.shift(i, k);
        text << ")";
    }
    return text.str();
}

int plain_neighbor(const Topology& topology, int rank, const std::vector<int>& offset)
{
    int result = 0;
    int weight = 1;
    for (int k = topology.dimensions(); k-- > 0;) {
        const int n = topology.extent(k);
        int coordinate = rank % n + offset[k];
        rank /= n;
        if ((coordinate < 0 || coordinate >= n) && !topology.periodic(k))
            return no_rank;
        while (coordinate < 0)
            coordinate += n;
        while (coordinate >= n)
            coordinate -= n;
        result += coordinate * weight;
        weight *= n;
    }
    return result;
}

Job shuffled_job(const Topology& topology, const Stencil& stencil, std::mt19937& random)
{
    Job job{topology, stencil, {}};
    for (int rank = 0; rank < topology.size(); ++rank) {
        Edges edges;
        edges.rank = rank;
        edges.destinations = neighbor_list(job, rank, 1, random);
        edges.sources = neighbor_list(job, rank, -1, random);
        fill_orders(edges, random);
        job.edges.push_back(std::move(edges));
    }
    return job;
}

Job random_graph(int processes, int most_edges, std::mt19937& random)
{
    std::vector<std::pair<int, int>> edges(static_cast<std::size_t>(uniform(0, most_edges, random)));
    for (auto& [from, to] : edges) {
        from = uniform(0, processes - 1, random);
        to = uniform(0, processes - 1, random);
    }
    return job_of(processes, edges, random);
}

Job job_of(int processes, const std::vector<std::pair<int, int>>& all_edges, std::mt19937& random)
{
    Job job{Topology({processes}, {true}), Stencil(1, {}), {}};
    job.edges.resize(static_cast<std::size_t>(processes));
    for (int rank = 0; rank < processes; ++rank)
        job.edges[rank].rank = rank;
    for (const auto& [from, to] : all_edges) {
        job.edges[from].destinations.push_back(to);
        job.edges[to].sources.push_back(from);
    }
    for (Edges& edges : job.edges) {
        edges.destinations.resize(edges.destinations.size() + static_cast<std::size_t>(uniform(0, 2, random)), no_rank);
        edges.sources.resize(edges.sources.size() + static_cast<std::size_t>(uniform(0, 2, random)), no_rank);
        std::shuffle(edges.destinations.begin(), edges.destinations.end(), random);
        std::shuffle(edges.sources.begin(), edges.sources.end(), random);
        fill_orders(edges, random);
    }
    return job;
}

Job graph_where(int processes, const std::function<bool(int, int)>& has_edge)
{
    Job job{Topology({processes}, {true}), Stencil(1, {}), {}};
    for (int rank = 0; rank < processes; ++rank) {
        std::vector<int> to, from;
        for (int other = 0; other < processes; ++other) {
            if (other != rank && has_edge(rank, other))
                to.push_back(other);
            if (other != rank && has_edge(other, rank))
                from.push_back(other);
        }
        job.edges.push_back({rank, to, from, counted(to), counted(from)});
    }
    return job;
}

std::vector<Topology> grids(int dimensions, int most)
{
    std::vector<Topology> result;
    const Stencil all_dims = grid(dimensions, most, 1);
    const Stencil all_periods = grid(dimensions, 2, 0);
    for (int i = 0; i < all_dims.size(); ++i)
        for (int j = 0; j < all_periods.size(); ++j)
            result.emplace_back(std::vector<int>(all_dims.offset(i), all_dims.offset(i) + dimensions),
                                std::vector<bool>(all_periods.offset(j), all_periods.offset(j) + dimensions));
    return result;
}

Stencil random_stencil(int dimensions, int size, int radius, std::mt19937& random)
{
    Stencil result(dimensions, {});
    std::vector<int> offset(static_cast<std::size_t>(dimensions));
    while (result.size() < size) {
        for (int& shift : offset)
            shift = uniform(-radius, radius, random);
        for (int repeats = uniform(0, 4, random) == 0 ? 3 : 1; repeats > 0; --repeats)
            result.append(offset.data());
    }
    return result;
}

std::vector<Stencil> stencils(int dimensions, std::mt19937& random)
{
    std::vector<Stencil> result;
    result.push_back(moore(dimensions, 1));
    result.push_back(star(dimensions, 2));
    result.push_back(grid(dimensions, 3, -1));
    result.push_back(grid(dimensions, 2, 0));
    if (dimensions < 4)
        result.push_back(grid(dimensions, 4, -1));
    if (dimensions < 3)
        result.push_back(moore(dimensions, 2));
    result.push_back(random_stencil(dimensions, 6, 1, random));
    result.push_back(random_stencil(dimensions, 10, 2, random));
    result.push_back(random_stencil(dimensions, 7, 9, random));
    result.push_back(Stencil(dimensions, std::vector<int>(2 * static_cast<std::size_t>(dimensions), 0)));
    result.push_back(Stencil(dimensions, {}));
    return result;
}

void for_every_small_job(const std::function<void(const Job&)>& try_out)
{
    constexpr int most[] = {0, 7, 5, 3, 2};
    std::mt19937 random(1);
    for (int dimensions = 1; dimensions <= 4; ++dimensions)
        for (const Topology& topology : grids(dimensions, most[dimensions]))
            for (const Stencil& stencil : stencils(dimensions, random))
                try_out(shuffled_job(topology, stencil, random));
}

void for_random_jobs(unsigned seeds, const std::function<void(const Job&, unsigned seed)>& try_out)
{
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        std::mt19937 random(seed);
        const int dimensions = uniform(1, 5, random);
        std::vector<int> dims(static_cast<std::size_t>(dimensions), 1);
        std::vector<bool> periods(dims.size());
        for (std::size_t k = 0; k < dims.size(); ++k) {
            const int size = std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<int>());
            dims[k] = uniform(1, std::max(1, std::min(9, 200 / size)), random);
            periods[k] = uniform(0, 2, random) > 0;
        }
        std::shuffle(dims.begin(), dims.end(), random);
        const Stencil stencil = random_stencil(dimensions, uniform(0, 40, random), uniform(1, 6, random), random);
        try_out(shuffled_job(Topology(dims, periods), stencil, random), seed);
    }
}

std::string fault(const Job& job, TestedOperation operation, const std::function<Schedule(const Job&, int rank)>& plan)
{
    try {
        std::vector<Schedule> schedules;
        std::vector<int> receive_slots;
        for (const Edges& edges : job.edges) {
            schedules.push_back(plan(job, edges.rank));
            receive_slots.push_back(static_cast<int>(edges.sources.size()));
            const int send_slots =
                operation == TestedOperation::allgather ? 1 : static_cast<int>(edges.destinations.size());
            validate(schedules.back(), send_slots, receive_slots.back(), borders(edges.sources));
        }
        const std::string difference = first_difference(job, operation, simulate(schedules, receive_slots));
        return difference.empty() ? difference : difference + "; " + describe(job);
    } catch (const std::exception& error) {
        return std::string(error.what()) + "; " + describe(job);
    }
}
