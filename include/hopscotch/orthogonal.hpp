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

    /// Hop_Barrier.
    void Barrier() const { call(Hop_Barrier); }

    /// Hop_Bcast.
    void Bcast(void* buffer, int count, MPI_Datatype datatype, int root) const
    {
        call(Hop_Bcast, buffer, count, datatype, root);
    }

    /// Hop_Gather.
    void Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root) const
    {
        call(Hop_Gather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Gatherv.
    void Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root) const
    {
        call(Hop_Gatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root);
    }

    /// Hop_Scatter.
    void Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root) const
    {
        call(Hop_Scatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Scatterv.
    void Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root) const
    {
        call(Hop_Scatterv, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Allgather.
    void Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype) const
    {
        call(Hop_Allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Allgatherv.
    void Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype) const
    {
        call(Hop_Allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
    }

    /// Hop_Allgatherw.
    void Allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Allgatherw, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Alltoall.
    void Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype) const
    {
        call(Hop_Alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Alltoallv.
    void Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Alltoallw.
    void Alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                   const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Alltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Reduce.
    void Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root) const
    {
        call(Hop_Reduce, sendbuf, recvbuf, count, datatype, op, root);
    }

    /// Hop_Allreduce.
    void Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Allreduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Reduce_scatter_block.
    void Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Reduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op);
    }

    /// Hop_Reduce_scatter.
    void Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                        MPI_Op op) const
    {
        call(Hop_Reduce_scatter, sendbuf, recvbuf, recvcounts, datatype, op);
    }

    /// Hop_Scan.
    void Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Scan, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Exscan.
    void Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Exscan, sendbuf, recvbuf, count, datatype, op);
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
