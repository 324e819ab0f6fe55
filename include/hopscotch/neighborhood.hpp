// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A Cartesian neighborhood as a C++ object. Members are called as the functions of <hopscotch/cartesian.h>, without
// Hop_Cart_.
#ifndef HOPSCOTCH_NEIGHBORHOOD_HPP
#define HOPSCOTCH_NEIGHBORHOOD_HPP

#include <hopscotch/neighborhood_collectives.hpp>

namespace hopscotch
{

/// The neighbors that exist, in list order.
struct Neighbor_lists {
    std::vector<int> sources, source_weights, targets, target_weights; ///< weights are 0 if there are none
};

/// List positions.
struct Positions {
    std::vector<int> sources, targets;
};

/// A communicator with a list of offsets, the same on all processes. Lists of offsets are flat: d numbers each.
class Neighborhood : public Neighborhood_collectives
{
  public:
    /// For a communicator with a neighborhood. Throws: Error{MPI_ERR_TOPOLOGY} for others.
    explicit Neighborhood(MPI_Comm cartcomm) : Neighborhood_collectives(cartcomm), d_(number(MPI_Cartdim_get))
    {
        Neighbor_count();
    }

    /// Hop_Cart_neighborhood_create. Is_null() on processes beyond the grid; without weights no list of them.
    /// Collective.
    static Neighborhood Create(MPI_Comm comm, const std::vector<int>& dims, const std::vector<bool>& periods,
                               const std::vector<int>& offsets, MPI_Info info = MPI_INFO_NULL, bool reorder = false,
                               const std::vector<int>& weights = std::vector<int>())
    {
        const int d = static_cast<int>(dims.size()), t = points(offsets, d);
        if (periods.size() != dims.size() || (!weights.empty() && weights.size() != static_cast<std::size_t>(t)))
            throw Error(MPI_ERR_ARG);
        MPI_Comm made = MPI_COMM_NULL;
        Error::check(Hop_Cart_neighborhood_create(comm, d, dims.data(), integers(periods).data(), t, offsets.data(),
                                                  weights.empty() ? MPI_UNWEIGHTED : weights.data(), info,
                                                  reorder ? 1 : 0, &made));
        return Neighborhood(made, d);
    }

    /// Hop_Cart_relative_rank.
    int Relative_rank(const std::vector<int>& relative) const
    {
        int rank = MPI_PROC_NULL;
        Error::check(Hop_Cart_relative_rank(mpi_comm(), point(relative, d_), &rank));
        return rank;
    }

    /// Hop_Cart_relative_shift.
    Shift Relative_shift(const std::vector<int>& relative) const
    {
        Shift shift = {MPI_PROC_NULL, MPI_PROC_NULL};
        Error::check(Hop_Cart_relative_shift(mpi_comm(), point(relative, d_), &shift.source, &shift.target));
        return shift;
    }

    /// Hop_Cart_relative_coord.
    std::vector<int> Relative_coord(int rank) const
    {
        std::vector<int> relative = room(d_);
        Error::check(Hop_Cart_relative_coord(mpi_comm(), rank, relative.data()));
        return relative;
    }

    /// Hop_Cart_neighbor_count.
    int Neighbor_count() const { return number(Hop_Cart_neighbor_count); }

    /// Hop_Cart_neighbor_get; as many as Hop_Cart_neighbor_degrees says.
    Neighbor_lists Neighbor_get() const
    {
        int in = 0, out = 0;
        Error::check(Hop_Cart_neighbor_degrees(mpi_comm(), &in, &out));
        Neighbor_lists lists = {room(in), room(in), room(out), room(out)};
        Error::check(Hop_Cart_neighbor_get(mpi_comm(), in, lists.sources.data(), lists.source_weights.data(), out,
                                           lists.targets.data(), lists.target_weights.data()));
        return lists;
    }

    /// Hop_Cart_neighbor_get_relative: all offsets.
    std::vector<int> Neighbor_get_relative() const
    {
        const int t = Neighbor_count();
        std::vector<int> offsets = room(t * d_), weights = room(t);
        Error::check(Hop_Cart_neighbor_get_relative(mpi_comm(), t, offsets.data(), weights.data()));
        return offsets;
    }

    /// Hop_Cart_neighbor_find_rank: all positions.
    Positions Neighbor_find_rank(int rank) const
    {
        int t = Neighbor_count(), in = 0, out = 0;
        Positions positions = {room(t), room(t)};
        Error::check(Hop_Cart_neighbor_find_rank(mpi_comm(), rank, t, positions.sources.data(), &in, t,
                                                 positions.targets.data(), &out));
        return cut(positions, in, out);
    }

    /// Hop_Cart_neighbor_find_coord: all positions.
    Positions Neighbor_find_coord(const std::vector<int>& relative) const
    {
        int t = Neighbor_count(), in = 0, out = 0;
        Positions positions = {room(t), room(t)};
        Error::check(Hop_Cart_neighbor_find_coord(mpi_comm(), point(relative, d_), t, positions.sources.data(), &in, t,
                                                  positions.targets.data(), &out));
        return cut(positions, in, out);
    }

    /// Hop_Cart_axis_neighbors; as many as Hop_Cart_axis_neighbors_count says. Without weights.
    Neighbor_lists Axis_neighbors() const
    {
        int in = 0, out = 0;
        Error::check(Hop_Cart_axis_neighbors_count(mpi_comm(), &out, &in));
        Neighbor_lists lists = {room(in), room(0), room(out), room(0)};
        Error::check(Hop_Cart_axis_neighbors(mpi_comm(), in, lists.sources.data(), out, lists.targets.data()));
        return lists;
    }

  private:
    Neighborhood(MPI_Comm made, int d) : Neighborhood_collectives(made, unchecked), d_(d) {}

    static Positions cut(Positions positions, int in, int out)
    {
        positions.sources.resize(static_cast<std::vector<int>::size_type>(in));
        positions.targets.resize(static_cast<std::vector<int>::size_type>(out));
        return positions;
    }

    int d_;
};

} // namespace hopscotch

#endif
