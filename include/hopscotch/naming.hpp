// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian naming as a C++ object. Members are called as the functions of <hopscotch/naming.h>, without Hop_Cart_.
#ifndef HOPSCOTCH_NAMING_HPP
#define HOPSCOTCH_NAMING_HPP

#include <hopscotch/comm.hpp>

namespace hopscotch
{

/// A name: sizes and periods of the dimensions, and their order, from the slowest to the fastest.
struct Grid {
    int dimorder; ///< HOP_ROWMAJOR, HOP_COLMAJOR or HOP_PERMUTED
    std::vector<int> order;
    std::vector<bool> period;
    std::vector<int> permutation;
};

/// Any communicator, to be named or named already. Lists of coordinates and offsets are flat: d numbers each.
class Namedcomm : public Comm
{
  public:
    explicit Namedcomm(MPI_Comm comm) : Comm(comm) {}

    /// Hop_Cart_name; returns the number of points.
    int Name(const std::vector<int>& order, const std::vector<bool>& period, int dimorder = HOP_ROWMAJOR) const
    {
        if (period.size() != order.size())
            throw Error(MPI_ERR_ARG);
        int size = 0;
        Error::check(Hop_Cart_name(mpi_comm(), static_cast<int>(order.size()), dimorder, order.data(),
                                   integers(period).data(), &size));
        return size;
    }

    /// Hop_Cart_name_permuted; returns the number of points.
    int Name_permuted(const std::vector<int>& permutation, const std::vector<int>& order,
                      const std::vector<bool>& period) const
    {
        if (period.size() != order.size() || permutation.size() != order.size())
            throw Error(MPI_ERR_ARG);
        int size = 0;
        Error::check(Hop_Cart_name_permuted(mpi_comm(), static_cast<int>(order.size()), permutation.data(),
                                            order.data(), integers(period).data(), &size));
        return size;
    }

    /// Hop_Cart_test: true if there is a name.
    bool Test() const
    {
        int flag = 0, d = 0, size = 0;
        Error::check(Hop_Cart_test(mpi_comm(), &flag, &d, &size));
        return flag != 0;
    }

    /// Hop_Cart_testall: true if all processes gave the same name. Collective.
    bool Testall() const
    {
        int flag = 0, d = 0, size = 0, error_class = MPI_SUCCESS;
        const int code = Hop_Cart_testall(mpi_comm(), &flag, &d, &size);
        MPI_Error_class(code, &error_class);
        if (error_class == MPI_ERR_TOPOLOGY)
            return false;
        Error::check(code);
        return flag != 0;
    }

    /// Hop_Cart_get and Hop_Cart_get_permutation.
    Grid Get() const
    {
        const int d = dimensions();
        Grid grid = {HOP_ROWMAJOR, room(d), std::vector<bool>(), room(d)};
        std::vector<int> period = room(d);
        Error::check(Hop_Cart_get(mpi_comm(), &grid.dimorder, d, grid.order.data(), period.data()));
        for (int periodic : period)
            grid.period.push_back(periodic != 0);
        Error::check(Hop_Cart_get_permutation(mpi_comm(), d, grid.permutation.data()));
        return grid;
    }

    /// Hop_Cart_rank.
    int Rank(const std::vector<int>& coordinates) const
    {
        int rank = MPI_PROC_NULL;
        Error::check(Hop_Cart_rank(mpi_comm(), point(coordinates, dimensions()), &rank));
        return rank;
    }

    /// Hop_Cart_coordinates.
    std::vector<int> Coordinates(int rank) const
    {
        std::vector<int> coordinates = room(dimensions());
        Error::check(Hop_Cart_coordinates(mpi_comm(), rank, coordinates.data()));
        return coordinates;
    }

    /// Hop_Cart_relative_rank_from.
    int Relative_rank_from(int source, const std::vector<int>& relative) const
    {
        int rank = MPI_PROC_NULL;
        Error::check(Hop_Cart_relative_rank_from(mpi_comm(), source, point(relative, dimensions()), &rank));
        return rank;
    }

    /// Hop_Cart_relative_coordinates.
    std::vector<int> Relative_coordinates(int source, int dest) const
    {
        std::vector<int> relative = room(dimensions());
        Error::check(Hop_Cart_relative_coordinates(mpi_comm(), source, dest, relative.data()));
        return relative;
    }

    /// Hop_Cart_relative_shift_from.
    Shift Relative_shift_from(int rank, const std::vector<int>& relative) const
    {
        Shift shift = {MPI_PROC_NULL, MPI_PROC_NULL};
        Error::check(Hop_Cart_relative_shift_from(mpi_comm(), rank, point(relative, dimensions()), &shift.source,
                                                  &shift.target));
        return shift;
    }

    /// Hop_Cart_allranks.
    std::vector<int> Allranks(const std::vector<int>& coordinates) const
    {
        const int n = points(coordinates, dimensions());
        std::vector<int> ranks = room(n);
        Error::check(Hop_Cart_allranks(mpi_comm(), n, coordinates.data(), ranks.data()));
        return ranks;
    }

    /// Hop_Cart_allranks_relative.
    std::vector<int> Allranks_relative(int source, const std::vector<int>& relatives) const
    {
        const int n = points(relatives, dimensions());
        std::vector<int> ranks = room(n);
        Error::check(Hop_Cart_allranks_relative(mpi_comm(), source, n, relatives.data(), ranks.data()));
        return ranks;
    }

    /// Hop_Cart_create_sub. Collective.
    MPI_Comm Create_sub(const std::vector<bool>& dimension) const
    {
        if (dimension.size() != static_cast<std::vector<bool>::size_type>(dimensions()))
            throw Error(MPI_ERR_ARG);
        MPI_Comm subcart = MPI_COMM_NULL;
        Error::check(Hop_Cart_create_sub(mpi_comm(), integers(dimension).data(), &subcart));
        return subcart;
    }

    /// Hop_Cart_neighbors_count.
    int Neighbors_count(int rank, int metric, int shadow, int depth) const
    {
        int size = 0;
        Error::check(Hop_Cart_neighbors_count(mpi_comm(), rank, metric, shadow, depth, &size));
        return size;
    }

    /// Hop_Cart_neighbors: all of them, as offsets.
    std::vector<int> Neighbors(int rank, int metric, int shadow, int depth) const
    {
        const int size = Neighbors_count(rank, metric, shadow, depth);
        std::vector<int> neighbors = room(size * dimensions());
        Error::check(Hop_Cart_neighbors(mpi_comm(), rank, metric, shadow, depth, size, neighbors.data()));
        return neighbors;
    }

    /// Hop_Cart_neighbors_ranks: all of them, as ranks.
    std::vector<int> Neighbors_ranks(int rank, int metric, int shadow, int depth) const
    {
        std::vector<int> neighbors = room(Neighbors_count(rank, metric, shadow, depth));
        Error::check(Hop_Cart_neighbors_ranks(mpi_comm(), rank, metric, shadow, depth,
                                              static_cast<int>(neighbors.size()), neighbors.data()));
        return neighbors;
    }

    /// Hop_Cart_stencil; as many offsets as Hop_Cart_stencil_count says.
    std::vector<int> Stencil(int metric, int depth) const
    {
        int size = 0;
        Error::check(Hop_Cart_stencil_count(mpi_comm(), metric, depth, &size));
        std::vector<int> coordinates = room(size * dimensions());
        Error::check(Hop_Cart_stencil(mpi_comm(), metric, depth, size, coordinates.data()));
        return coordinates;
    }

    /// Hop_Cart_stencil_diff: the offsets of the first list that are not in the second.
    std::vector<int> Stencil_diff(std::vector<int> first, const std::vector<int>& second) const
    {
        const int d = dimensions();
        int n = 0;
        Error::check(Hop_Cart_stencil_diff(mpi_comm(), points(first, d), first.data(), points(second, d), second.data(),
                                           &n, first.data()));
        first.resize(static_cast<std::vector<int>::size_type>(n * d));
        return first;
    }

    /// Hop_Comm_is_cartesian: true if the neighborhoods of a graph communicator are Cartesian in this name. Collective.
    bool Is_cartesian(MPI_Comm cart) const
    {
        int flag = 0;
        Error::check(Hop_Comm_is_cartesian(mpi_comm(), cart, &flag));
        return flag != 0;
    }

  private:
    /// Throws: Error{MPI_ERR_COMM} without a name.
    int dimensions() const
    {
        int flag = 0, d = 0, size = 0;
        Error::check(Hop_Cart_test(mpi_comm(), &flag, &d, &size));
        if (flag == 0)
            throw Error(MPI_ERR_COMM);
        return d;
    }
};

} // namespace hopscotch

#endif
