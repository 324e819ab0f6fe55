// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighborhoods by distance for the names of the 2020 paper: Manhattan and Chebychev, with shadow and depth.
#include "include/hopscotch.h"
#include "shim/hop/hop_naming.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>

namespace hopscotch::shim
{

namespace
{

using Offset = std::vector<int>;

/// Calls visit(offset) for every offset up to `depth` in the documented order. Cost: the number of offsets, times d.
class Offsets
{
  public:
    Offsets(int dimensions, int metric, int depth)
        : dimensions_(static_cast<std::size_t>(dimensions)), metric_(metric), depth_(depth)
    {
        demand(metric == HOP_MANHATTAN_DISTANCE || metric == HOP_CHEBYCHEV_DISTANCE, MPI_ERR_ARG);
        demand(depth >= 0, MPI_ERR_ARG);
        demand(count() <= INT_MAX, MPI_ERR_ARG);
    }

    /// Number of offsets, INT_MAX + 1 for more than an int counts.
    /// Source: Manhattan: sum over k of 2^k C(d,k) C(depth,k), here by the recurrence over d.
    long long count() const
    {
        constexpr long long too_many = static_cast<long long>(INT_MAX) + 1;
        if (metric_ == HOP_CHEBYCHEV_DISTANCE) {
            long long n = 1;
            for (std::size_t k = 0; k < dimensions_; ++k)
                n = std::min(too_many, n * (2LL * depth_ + 1));
            return n;
        }
        // ball(d, r) = ball(d-1, r) + ball(d, r-1) + ball(d-1, r-1)
        if (dimensions_ == 1)
            return 2LL * depth_ + 1;
        if (depth_ >= 1 << 15) // ball(2, r) = 2r^2 + 2r + 1
            return too_many;
        std::vector<long long> ball(static_cast<std::size_t>(depth_) + 1, 1);
        for (std::size_t k = 0; k < dimensions_; ++k) {
            long long before = ball[0];
            for (std::size_t r = 1; r < ball.size(); ++r) {
                const long long here = ball[r];
                ball[r] = std::min(too_many, here + ball[r - 1] + before);
                before = here;
            }
        }
        return ball.back();
    }

    void visit(int from, const std::function<void(const Offset&)>& visitor) const
    {
        Offset offset(dimensions_, 0);
        if (metric_ == HOP_CHEBYCHEV_DISTANCE) {
            grid(offset, dimensions_, std::max(from, 0), 0, visitor);
            return;
        }
        for (int distance = std::max(from, 0); distance <= depth_; ++distance)
            sphere(offset, 0, distance, visitor);
    }

  private:
    /// The first shift varies fastest; offsets nearer than `from` are left out.
    void grid(Offset& offset, std::size_t free, int from, int largest,
              const std::function<void(const Offset&)>& visitor) const
    {
        if (free == 0) {
            if (largest >= from)
                visitor(offset);
            return;
        }
        for (int shift = -depth_; shift <= depth_; ++shift) {
            offset[free - 1] = shift;
            grid(offset, free - 1, from, std::max(largest, std::abs(shift)), visitor);
        }
    }

    /// Offsets with absolute shifts that add up to `left` from dimension k on, larger ones first, negative before
    /// positive.
    void sphere(Offset& offset, std::size_t k, int left, const std::function<void(const Offset&)>& visitor) const
    {
        if (k + 1 == dimensions_ || left == 0) {
            std::fill(offset.begin() + static_cast<std::ptrdiff_t>(k), offset.end(), 0);
            for (const int sign : {-1, 1}) {
                if (left == 0 && sign > 0)
                    break;
                offset[k] = sign * left;
                visitor(offset);
            }
            return;
        }
        for (int size = left; size >= 0; --size) {
            for (const int sign : {-1, 1}) {
                if (size == 0 && sign > 0)
                    break;
                offset[k] = sign * size;
                sphere(offset, k + 1, left - size, visitor);
            }
        }
    }

    std::size_t dimensions_;
    int metric_;
    int depth_;
};

/// Calls visit(offset, rank) for the offsets of the neighborhood that lead from `rank` to a process.
void visit_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth,
                     const std::function<void(const Offset&, int)>& visitor)
{
    const CartesianName& name = name_of(comm);
    const Offsets offsets(name.dimensions(), metric, depth);
    demand_rank(comm, rank);
    if (!name.names(rank))
        return;
    offsets.visit(shadow, [&](const Offset& offset) {
        const int neighbor = name.rank_from(rank, offset.data(), 1);
        if (neighbor != MPI_PROC_NULL)
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
        *size = static_cast<int>(Offsets(name_of(comm).dimensions(), metric, depth).count());
    });
}

int Hop_Cart_stencil(MPI_Comm comm, int metric, int depth, int maxsize, int coordinates[])
{
    return bordered(comm, [&] {
        demand(maxsize >= 0 && (coordinates != nullptr || maxsize == 0), MPI_ERR_ARG);
        int written = 0;
        Offsets(name_of(comm).dimensions(), metric, depth).visit(0, [&](const Offset& offset) {
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
