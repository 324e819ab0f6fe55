// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighborhoods by distance for the names of the 2020 paper: Manhattan and Chebychev, with shadow and depth.
#include "include/hopscotch.h"
#include "schedules/grid/metric_ball.hpp"
#include "shim/hop/hop_naming.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <vector>

namespace hopscotch::shim
{

namespace
{

using schedules::Metric;
using schedules::MetricBall;
using Offset = std::vector<int>;

/// The offsets up to a distance, by the arguments of the program. Throws: Refused{MPI_ERR_ARG} for wrong ones, and for
/// more offsets than an int counts.
MetricBall ball_of(int dimensions, int metric, int depth)
{
    demand(metric == HOP_MANHATTAN_DISTANCE || metric == HOP_CHEBYCHEV_DISTANCE, MPI_ERR_ARG);
    demand(depth >= 0, MPI_ERR_ARG);
    const MetricBall ball(dimensions, metric == HOP_CHEBYCHEV_DISTANCE ? Metric::chebychev : Metric::manhattan, depth);
    demand(ball.count() <= INT_MAX, MPI_ERR_ARG);
    return ball;
}

/// Calls visit(offset, rank) for the offsets of the neighborhood that lead from `rank` to a process.
void visit_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth,
                     const std::function<void(const Offset&, int)>& visitor)
{
    const CartesianName& name = name_of(comm);
    const MetricBall offsets = ball_of(name.dimensions(), metric, depth);
    demand_rank(comm, rank);
    if (!name.names(rank))
        return;
    offsets.visit(shadow, [&](const Offset& offset) {
        const int neighbor = name.rank_from(rank, offset.data(), 1);
        if (neighbor != schedules::no_rank)
            visitor(offset, neighbor);
    });
}

} // namespace

} // namespace hopscotch::shim

using namespace hopscotch::shim;

int Hop_Cart_neighbors_count(MPI_Comm comm, int rank, int metric, int shadow, int depth, int* size)
{
    return bordered(comm, [&] {
        demand(size != nullptr, MPI_ERR_ARG);
        int count = 0;
        visit_neighbors(comm, rank, metric, shadow, depth, [&](const Offset&, int) { ++count; });
        *size = count;
    });
}

int Hop_Cart_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[])
{
    return bordered(comm, [&] {
        demand(maxsize >= 0 && (neighbors != nullptr || maxsize == 0), MPI_ERR_ARG);
        int written = 0;
        visit_neighbors(comm, rank, metric, shadow, depth, [&](const Offset& offset, int) {
            if (written++ < maxsize)
                neighbors = std::copy(offset.begin(), offset.end(), neighbors);
        });
    });
}

int Hop_Cart_neighbors_ranks(MPI_Comm comm, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[])
{
    return bordered(comm, [&] {
        demand(maxsize >= 0 && (neighbors != nullptr || maxsize == 0), MPI_ERR_ARG);
        int written = 0;
        visit_neighbors(comm, rank, metric, shadow, depth, [&](const Offset&, int neighbor) {
            if (written < maxsize)
                neighbors[written++] = neighbor;
        });
    });
}

int Hop_Cart_stencil_count(MPI_Comm comm, int metric, int depth, int* size)
{
    return bordered(comm, [&] {
        demand(size != nullptr, MPI_ERR_ARG);
        *size = static_cast<int>(ball_of(name_of(comm).dimensions(), metric, depth).count());
    });
}

int Hop_Cart_stencil(MPI_Comm comm, int metric, int depth, int maxsize, int coordinates[])
{
    return bordered(comm, [&] {
        demand(maxsize >= 0 && (coordinates != nullptr || maxsize == 0), MPI_ERR_ARG);
        int written = 0;
        ball_of(name_of(comm).dimensions(), metric, depth).visit(0, [&](const Offset& offset) {
            if (written++ < maxsize)
                coordinates = std::copy(offset.begin(), offset.end(), coordinates);
        });
    });
}

int Hop_Cart_stencil_diff(MPI_Comm comm, int n0, const int coordinates0[], int n1, const int coordinates1[], int* n,
                          int coordinates[])
{
    return bordered(comm, [&] {
        const int d = name_of(comm).dimensions();
        demand(n != nullptr && n0 >= 0 && n1 >= 0, MPI_ERR_ARG);
        demand((coordinates0 != nullptr && coordinates != nullptr) || n0 == 0, MPI_ERR_ARG);
        demand(coordinates1 != nullptr || n1 == 0, MPI_ERR_ARG);
        std::vector<Offset> without;
        for (int i = 0; i < n1; ++i)
            without.emplace_back(coordinates1 + i * d, coordinates1 + (i + 1) * d);
        std::sort(without.begin(), without.end());
        int* to = coordinates;
        for (int i = 0; i < n0; ++i) {
            const Offset offset(coordinates0 + i * d, coordinates0 + (i + 1) * d);
            if (!std::binary_search(without.begin(), without.end(), offset))
                to = std::copy(offset.begin(), offset.end(), to);
        }
        *n = static_cast<int>((to - coordinates) / d);
    });
}
