// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators with collectives that follow their topology, and windows, as C++ objects. Members are called as the
// functions of <hopscotch/orthogonal.h>, without Hop_, Hop_Comm_ and Hop_Win_.
#ifndef HOPSCOTCH_ORTHOGONAL_HPP
#define HOPSCOTCH_ORTHOGONAL_HPP

#include <hopscotch/orthogonal_forms.hpp>

namespace hopscotch
{

/// Any communicator; on a graph communicator its collectives go to the neighbors. Parts made of it are to be freed.
class Orthogonalcomm : public Orthogonal_forms
{
  public:
    explicit Orthogonalcomm(MPI_Comm comm) : Orthogonal_forms(comm) {}

    /// Hop_Comm_base.
    MPI_Comm Base() const
    {
        MPI_Comm basecomm = MPI_COMM_NULL;
        Error::check(Hop_Comm_base(mpi_comm(), &basecomm));
        return basecomm;
    }

    /// Hop_Comm_split.
    MPI_Comm Split(int color, int key) const
    {
        MPI_Comm newcomm = MPI_COMM_NULL;
        Error::check(Hop_Comm_split(mpi_comm(), color, key, &newcomm));
        return newcomm;
    }

    /// Hop_Comm_split_type.
    MPI_Comm Split_type(int split_type, int key, MPI_Info info) const
    {
        MPI_Comm newcomm = MPI_COMM_NULL;
        Error::check(Hop_Comm_split_type(mpi_comm(), split_type, key, info, &newcomm));
        return newcomm;
    }

    /// Hop_Comm_create.
    MPI_Comm Create(MPI_Group group) const
    {
        MPI_Comm newcomm = MPI_COMM_NULL;
        Error::check(Hop_Comm_create(mpi_comm(), group, &newcomm));
        return newcomm;
    }

    /// Hop_Comm_create_group.
    MPI_Comm Create_group(MPI_Group group, int tag) const
    {
        MPI_Comm newcomm = MPI_COMM_NULL;
        Error::check(Hop_Comm_create_group(mpi_comm(), group, tag, &newcomm));
        return newcomm;
    }

    /// Hop_Comm_subgraph. Collective over subcomm.
    MPI_Comm Subgraph(MPI_Comm subcomm) const
    {
        MPI_Comm subgraph = MPI_COMM_NULL;
        Error::check(Hop_Comm_subgraph(mpi_comm(), subcomm, &subgraph));
        return subgraph;
    }
};

/// Sources and targets as groups, to be freed.
struct Neighbor_groups {
    MPI_Group sources, targets;
};

/// A window with epochs towards neighbors.
class Window
{
  public:
    /// For a window that was made or bound by Hopscotch.
    explicit Window(MPI_Win win) : win_(win) {}

    /// Hop_Win_create. Collective.
    static Window Create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm)
    {
        MPI_Win win = MPI_WIN_NULL;
        Error::check(Hop_Win_create(base, size, disp_unit, info, comm, &win));
        return Window(win);
    }

    /// Hop_Win_bind.
    static Window Bind(MPI_Comm comm, MPI_Win win)
    {
        Error::check(Hop_Win_bind(comm, win));
        return Window(win);
    }

    MPI_Win mpi_win() const noexcept { return win_; }

    /// Hop_Win_neighbor_groups.
    Neighbor_groups Get_neighbor_groups() const
    {
        Neighbor_groups groups = {MPI_GROUP_NULL, MPI_GROUP_NULL};
        Error::check(Hop_Win_neighbor_groups(win_, &groups.sources, &groups.targets));
        return groups;
    }

    /// Hop_Win_fence. Collective.
    void Fence(int assertion = 0) const { Error::check(Hop_Win_fence(assertion, win_)); }

    /// Hop_Win_post.
    void Post(int assertion = 0) const { Error::check(Hop_Win_post(assertion, win_)); }

    /// Hop_Win_start.
    void Start(int assertion = 0) const { Error::check(Hop_Win_start(assertion, win_)); }

    /// Hop_Win_free. Collective.
    void Free() { Error::check(Hop_Win_free(&win_)); }

  private:
    MPI_Win win_;
};

} // namespace hopscotch

#endif
