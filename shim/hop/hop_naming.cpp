// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian naming of the 2020 paper: coordinates for the ranks of any communicator, all of it local.
#include "shim/hop/hop_naming.hpp"
#include "include/hopscotch.h"
#include "schedules/grid/ordering.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <climits>
#include <mutex>
#include <numeric>

namespace hopscotch::shim
{

namespace
{

/// The dimensions from the slowest to the fastest. Throws: Refused{MPI_ERR_DIMS} for a dimorder that is none.
std::vector<int> slowest_first(int dimorder, int d)
{
    demand(dimorder == HOP_ROWMAJOR || dimorder == HOP_COLMAJOR, MPI_ERR_DIMS);
    std::vector<int> order(static_cast<std::size_t>(std::max(d, 0)));
    std::iota(order.begin(), order.end(), 0);
    if (dimorder == HOP_COLMAJOR)
        std::reverse(order.begin(), order.end());
    return order;
}

/// The name of a communicator of MPI_Cart_create, or null for others.
std::unique_ptr<CartesianName> name_of_cartesian(MPI_Comm comm)
{
    const std::optional<schedules::Topology> grid = cartesian_grid(comm);
    if (!grid)
        return nullptr;
    const schedules::Naming naming(grid->dims(), grid->periods(), slowest_first(HOP_ROWMAJOR, grid->dimensions()));
    return std::make_unique<CartesianName>(CartesianName{{naming, naming.size()}, HOP_ROWMAJOR});
}

/// The common part of Hop_Cart_name and Hop_Cart_name_permuted, for a known order of dimensions.
int give_name(MPI_Comm comm, int dimorder, const std::vector<int>& order_of_dimensions, const int order[],
              const int period[], int* size)
{
    const std::size_t d = order_of_dimensions.size();
    long long points = 1;
    for (std::size_t k = 0; k < d; ++k) {
        demand(order[k] >= 1, MPI_ERR_DIMS);
        points *= order[k];
        demand(points <= INT_MAX, MPI_ERR_DIMS);
    }
    *size = static_cast<int>(points);
    std::vector<bool> periodic;
    for (std::size_t k = 0; k < d; ++k)
        periodic.push_back(period[k] != 0);
    const schedules::Naming naming({order, order + d}, periodic, order_of_dimensions);
    const int processes = size_of(comm);
    if (runtime().active && naming.size() >= processes)
        record_grid(naming.grid().dims(), naming.grid().periods(), rank_in(comm));
    CommAttribute<CartesianName>::set(comm,
                                      std::make_unique<CartesianName>(CartesianName{{naming, processes}, dimorder}));
    return MPI_SUCCESS;
}

} // namespace

int mpi_rank(int rank) noexcept
{
    return rank != schedules::no_rank ? rank : MPI_PROC_NULL;
}

const CartesianName* find_name(MPI_Comm comm)
{
    if (const CartesianName* const given = CommAttribute<CartesianName>::find(comm))
        return given;
    std::unique_ptr<CartesianName> made = name_of_cartesian(comm);
    if (made == nullptr)
        return nullptr;
    // Threads may ask at once: the second one finds the value of the first in use.
    static std::mutex keeping;
    const std::lock_guard<std::mutex> lock(keeping);
    const CartesianName* const kept = CommAttribute<CartesianName>::find(comm);
    return kept != nullptr ? kept : &CommAttribute<CartesianName>::set(comm, std::move(made));
}

const CartesianName& name_of(MPI_Comm comm)
{
    const CartesianName* const name = find_name(comm);
    demand(name != nullptr, MPI_ERR_COMM);
    return *name;
}

void demand_rank(MPI_Comm comm, int rank)
{
    demand(rank >= 0 && rank < size_of(comm), MPI_ERR_RANK);
}

} // namespace hopscotch::shim

using namespace hopscotch;
using namespace hopscotch::shim;

int Hop_Cart_name(MPI_Comm comm, int d, int dimorder, const int order[], const int period[], int* size)
{
    return bordered(comm, [&] {
        demand(size != nullptr && (d < 1 || (order != nullptr && period != nullptr)), MPI_ERR_ARG);
        demand(d >= 1, MPI_ERR_DIMS);
        return give_name(comm, dimorder, slowest_first(dimorder, d), order, period, size);
    });
}

int Hop_Cart_name_permuted(MPI_Comm comm, int d, const int permutation[], const int order[], const int period[],
                           int* size)
{
    return bordered(comm, [&] {
        demand(size != nullptr && (d < 1 || (permutation != nullptr && order != nullptr && period != nullptr)),
               MPI_ERR_ARG);
        demand(d >= 1, MPI_ERR_DIMS);
        const std::vector<int> dimensions(permutation, permutation + d);
        demand(schedules::is_permutation(dimensions), MPI_ERR_DIMS);
        const bool is_row_major = dimensions == slowest_first(HOP_ROWMAJOR, d);
        const bool is_column_major = dimensions == slowest_first(HOP_COLMAJOR, d);
        const int dimorder = is_row_major ? HOP_ROWMAJOR : is_column_major ? HOP_COLMAJOR : HOP_PERMUTED;
        return give_name(comm, dimorder, dimensions, order, period, size);
    });
}

int Hop_Cart_get_permutation(MPI_Comm comm, int maxd, int permutation[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(maxd >= 0 && (maxd == 0 || permutation != nullptr), MPI_ERR_ARG);
        std::copy_n(name.naming().slowest_first().begin(), std::min(maxd, name.dimensions()), permutation);
    });
}

int Hop_Cart_test(MPI_Comm comm, int* flag, int* d, int* size)
{
    return bordered(comm, [&] {
        demand(flag != nullptr && d != nullptr && size != nullptr, MPI_ERR_ARG);
        const CartesianName* const name = find_name(comm);
        *flag = name != nullptr ? 1 : 0;
        *d = name != nullptr ? name->dimensions() : -1;
        *size = name != nullptr ? name->size() : -1;
    });
}

int Hop_Cart_get(MPI_Comm comm, int* dimorder, int maxd, int order[], int period[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(dimorder != nullptr && maxd >= 0 && (maxd == 0 || (order != nullptr && period != nullptr)), MPI_ERR_ARG);
        *dimorder = name.dimorder;
        for (int k = 0; k < std::min(maxd, name.dimensions()); ++k) {
            order[k] = name.naming().extent(k);
            period[k] = name.naming().periodic(k) ? 1 : 0;
        }
    });
}

int Hop_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(coordinates != nullptr && rank != nullptr, MPI_ERR_ARG);
        *rank = mpi_rank(name.rank_at(coordinates));
        demand(*rank != MPI_PROC_NULL, MPI_ERR_DIMS);
    });
}

int Hop_Cart_coordinates(MPI_Comm comm, int rank, int coordinates[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(coordinates != nullptr, MPI_ERR_ARG);
        demand(name.names(rank), MPI_ERR_RANK);
        const std::vector<int> there = name.naming().coordinates(rank);
        std::copy(there.begin(), there.end(), coordinates);
    });
}

int Hop_Cart_relative_rank_from(MPI_Comm comm, int source, const int relative[], int* rank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr && rank != nullptr, MPI_ERR_ARG);
        demand_rank(comm, source);
        *rank = mpi_rank(name.rank_from(source, relative, 1));
    });
}

int Hop_Cart_relative_coordinates(MPI_Comm comm, int source, int dest, int relative[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr, MPI_ERR_ARG);
        demand(name.names(source) && name.names(dest), MPI_ERR_RANK);
        const std::vector<int> from = name.naming().coordinates(source);
        const std::vector<int> to = name.naming().coordinates(dest);
        for (std::size_t k = 0; k < from.size(); ++k)
            relative[k] = to[k] - from[k];
    });
}

int Hop_Cart_relative_shift_from(MPI_Comm comm, int rank, const int relative[], int* inrank, int* outrank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr && inrank != nullptr && outrank != nullptr, MPI_ERR_ARG);
        demand_rank(comm, rank);
        *inrank = mpi_rank(name.rank_from(rank, relative, -1));
        *outrank = mpi_rank(name.rank_from(rank, relative, 1));
    });
}

int Hop_Cart_allranks(MPI_Comm comm, int n, const int coordinates[], int ranks[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(n >= 0 && (n == 0 || (coordinates != nullptr && ranks != nullptr)), MPI_ERR_ARG);
        for (int i = 0; i < n; ++i)
            ranks[i] = mpi_rank(name.rank_at(coordinates + static_cast<std::ptrdiff_t>(i) * name.dimensions()));
    });
}

int Hop_Cart_allranks_relative(MPI_Comm comm, int source, int n, const int relatives[], int ranks[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(n >= 0 && (n == 0 || (relatives != nullptr && ranks != nullptr)), MPI_ERR_ARG);
        demand_rank(comm, source);
        for (int i = 0; i < n; ++i)
            ranks[i] =
                mpi_rank(name.rank_from(source, relatives + static_cast<std::ptrdiff_t>(i) * name.dimensions(), 1));
    });
}
