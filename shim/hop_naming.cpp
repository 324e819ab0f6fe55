// Cartesian naming of the 2020 paper: coordinates for the ranks of any communicator, all of it local.
#include "shim/hop_naming.hpp"
#include "include/hopscotch.h"
#include "shim/detection.hpp"

#include <algorithm>
#include <climits>

namespace hopscotch::shim
{

namespace
{

/// HOP_ROWMAJOR or HOP_COLMAJOR. Throws: Refused{MPI_ERR_DIMS}.
int read_dimorder(int dimorder)
{
    demand(dimorder == HOP_ROWMAJOR || dimorder == HOP_COLMAJOR, MPI_ERR_DIMS);
    return dimorder;
}

} // namespace

std::vector<int> CartesianName::coordinates(int rank) const
{
    const std::size_t d = order.size();
    std::vector<int> result(d);
    for (std::size_t i = 0; i < d; ++i) {
        const std::size_t k = dimorder == HOP_ROWMAJOR ? d - 1 - i : i;
        result[k] = rank % order[k];
        rank /= order[k];
    }
    return result;
}

int CartesianName::rank_at(const int* coordinates) const noexcept
{
    const std::size_t d = order.size();
    int rank = 0;
    for (std::size_t i = 0; i < d; ++i) {
        const std::size_t k = dimorder == HOP_ROWMAJOR ? i : d - 1 - i;
        int coordinate = coordinates[k];
        if (periodic[k])
            coordinate = (coordinate % order[k] + order[k]) % order[k];
        if (coordinate < 0 || coordinate >= order[k])
            return MPI_PROC_NULL;
        rank = rank * order[k] + coordinate;
    }
    return rank;
}

int CartesianName::rank_from(int source, const int* relative, int sign) const
{
    if (source >= size)
        return MPI_PROC_NULL;
    std::vector<int> there = coordinates(source);
    for (std::size_t k = 0; k < there.size(); ++k) {
        // Beyond these bounds a shift leaves every mesh, and in a torus only its remainder counts.
        const int bounded = periodic[k] ? relative[k] % order[k] : std::clamp(relative[k], -order[k], order[k]);
        there[k] += sign * bounded;
    }
    return rank_at(there.data());
}

schedules::Topology CartesianName::topology() const
{
    std::vector<int> dims = order;
    std::vector<bool> periods = periodic;
    if (dimorder == HOP_COLMAJOR) {
        std::reverse(dims.begin(), dims.end());
        std::reverse(periods.begin(), periods.end());
    }
    return {std::move(dims), std::move(periods)};
}

const CartesianName* find_name(MPI_Comm comm)
{
    return CommAttribute<CartesianName>::find(comm);
}

const CartesianName& name_of(MPI_Comm comm)
{
    const CartesianName* const name = find_name(comm);
    demand(name != nullptr, MPI_ERR_COMM);
    return *name;
}

void demand_rank(MPI_Comm comm, int rank)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    demand(rank >= 0 && rank < size, MPI_ERR_RANK);
}

} // namespace hopscotch::shim

using namespace hopscotch;
using namespace hopscotch::shim;

int Hop_Cart_name(MPI_Comm comm, int d, int dimorder, const int order[], const int period[], int* size)
{
    return bordered(comm, [&] {
        demand(size != nullptr && (d < 1 || (order != nullptr && period != nullptr)), MPI_ERR_ARG);
        demand(d >= 1, MPI_ERR_DIMS);
        auto name = std::make_unique<CartesianName>();
        name->dimorder = read_dimorder(dimorder);
        long long points = 1;
        for (int k = 0; k < d; ++k) {
            demand(order[k] >= 1, MPI_ERR_DIMS);
            points *= order[k];
            demand(points <= INT_MAX, MPI_ERR_DIMS);
            name->order.push_back(order[k]);
            name->periodic.push_back(period[k] != 0);
        }
        name->size = *size = static_cast<int>(points);
        int processes = 0;
        check(next.Comm_size(comm, &processes));
        demand(name->size <= processes, MPI_ERR_COMM);
        if (runtime().active && name->size == processes) {
            const schedules::Topology box = name->topology();
            const std::vector<bool> periods = box.periods();
            record_box(box.dims(), &periods);
        }
        CommAttribute<CartesianName>::set(comm, std::move(name));
        return MPI_SUCCESS;
    });
}

int Hop_Cart_test(MPI_Comm comm, int* flag, int* d, int* size)
{
    return bordered(comm, [&] {
        demand(flag != nullptr && d != nullptr && size != nullptr, MPI_ERR_ARG);
        const CartesianName* const name = find_name(comm);
        *flag = name != nullptr ? 1 : 0;
        *d = name != nullptr ? name->dimensions() : -1;
        *size = name != nullptr ? name->size : -1;
        return MPI_SUCCESS;
    });
}

int Hop_Cart_get(MPI_Comm comm, int* dimorder, int maxd, int order[], int period[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(dimorder != nullptr && maxd >= 0 && (maxd == 0 || (order != nullptr && period != nullptr)), MPI_ERR_ARG);
        *dimorder = name.dimorder;
        for (int k = 0; k < std::min(maxd, name.dimensions()); ++k) {
            order[k] = name.order[static_cast<std::size_t>(k)];
            period[k] = name.periodic[static_cast<std::size_t>(k)] ? 1 : 0;
        }
        return MPI_SUCCESS;
    });
}

int Hop_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(coordinates != nullptr && rank != nullptr, MPI_ERR_ARG);
        *rank = name.rank_at(coordinates);
        demand(*rank != MPI_PROC_NULL, MPI_ERR_DIMS);
        return MPI_SUCCESS;
    });
}

int Hop_Cart_coordinates(MPI_Comm comm, int rank, int coordinates[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(coordinates != nullptr, MPI_ERR_ARG);
        demand(rank >= 0 && rank < name.size, MPI_ERR_RANK);
        const std::vector<int> there = name.coordinates(rank);
        std::copy(there.begin(), there.end(), coordinates);
        return MPI_SUCCESS;
    });
}

int Hop_Cart_relative_rank_from(MPI_Comm comm, int source, const int relative[], int* rank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr && rank != nullptr, MPI_ERR_ARG);
        demand_rank(comm, source);
        *rank = name.rank_from(source, relative, 1);
        return MPI_SUCCESS;
    });
}

int Hop_Cart_relative_coordinates(MPI_Comm comm, int source, int dest, int relative[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr, MPI_ERR_ARG);
        demand(source >= 0 && source < name.size && dest >= 0 && dest < name.size, MPI_ERR_RANK);
        const std::vector<int> from = name.coordinates(source);
        const std::vector<int> to = name.coordinates(dest);
        for (std::size_t k = 0; k < from.size(); ++k)
            relative[k] = to[k] - from[k];
        return MPI_SUCCESS;
    });
}

int Hop_Cart_relative_shift_from(MPI_Comm comm, int rank, const int relative[], int* inrank, int* outrank)
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(relative != nullptr && inrank != nullptr && outrank != nullptr, MPI_ERR_ARG);
        demand_rank(comm, rank);
        *inrank = name.rank_from(rank, relative, -1);
        *outrank = name.rank_from(rank, relative, 1);
        return MPI_SUCCESS;
    });
}

int Hop_Cart_allranks(MPI_Comm comm, int n, const int coordinates[], int ranks[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(n >= 0 && (n == 0 || (coordinates != nullptr && ranks != nullptr)), MPI_ERR_ARG);
        for (int i = 0; i < n; ++i)
            ranks[i] = name.rank_at(coordinates + static_cast<std::ptrdiff_t>(i) * name.dimensions());
        return MPI_SUCCESS;
    });
}

int Hop_Cart_allranks_relative(MPI_Comm comm, int source, int n, const int relatives[], int ranks[])
{
    return bordered(comm, [&] {
        const CartesianName& name = name_of(comm);
        demand(n >= 0 && (n == 0 || (relatives != nullptr && ranks != nullptr)), MPI_ERR_ARG);
        demand_rank(comm, source);
        for (int i = 0; i < n; ++i)
            ranks[i] = name.rank_from(source, relatives + static_cast<std::ptrdiff_t>(i) * name.dimensions(), 1);
        return MPI_SUCCESS;
    });
}
