// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators with a topology as C++ objects, after the class Topocomm that the 2008 proposal adds to MPI's C++
// bindings (section 2.4); MPI has since dropped these bindings. Functions: <hopscotch/topological.h>.
#ifndef HOPSCOTCH_TOPOLOGICAL_HPP
#define HOPSCOTCH_TOPOLOGICAL_HPP

#include <hopscotch/comm.hpp>

namespace hopscotch
{

/// A communicator with any topology.
class Topocomm : public Comm
{
  public:
    /// Throws: Error{MPI_ERR_TOPOLOGY} for a communicator without topology.
    explicit Topocomm(MPI_Comm comm) : Topocomm(comm, MPI_UNDEFINED) {}

    /// Hop_Comm_neighbors_count. Local. Throws: Error, as all below.
    int Get_neighbors_count(int rank) const
    {
        int count = 0;
        Error::check(Hop_Comm_neighbors_count(mpi_comm(), rank, &count));
        return count;
    }

    /// Hop_Comm_neighbors: the first maxneighbors neighbors of a rank. Local.
    void Get_neighbors(int rank, int maxneighbors, int neighbors[]) const
    {
        Error::check(Hop_Comm_neighbors(mpi_comm(), rank, maxneighbors, neighbors));
    }

    /// All of them. Local.
    std::vector<int> Get_neighbors(int rank) const
    {
        std::vector<int> neighbors(static_cast<std::vector<int>::size_type>(Get_neighbors_count(rank)));
        Get_neighbors(rank, static_cast<int>(neighbors.size()), neighbors.data());
        return neighbors;
    }

    /// Hop_Neighbor_xchg. Collective.
    void Neighbor_xchg(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype) const
    {
        call(Hop_Neighbor_xchg, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Neighbor_xchgv. Collective.
    void Neighbor_xchgv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Neighbor_xchgv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Ineighbor_xchg.
    MPI_Request Ineighbor_xchg(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype) const
    {
        return begin(Hop_Ineighbor_xchg, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Ineighbor_xchgv.
    MPI_Request Ineighbor_xchgv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        return begin(Hop_Ineighbor_xchgv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                     recvtype);
    }

  protected:
    enum Unchecked { unchecked };

    /// For a communicator with the topology, or a null one.
    Topocomm(MPI_Comm comm, Unchecked) : Comm(comm) {}

    /// `kind`: the expected answer of MPI_Topo_test; MPI_UNDEFINED for any topology.
    Topocomm(MPI_Comm comm, int kind) : Comm(comm)
    {
        if (comm == MPI_COMM_NULL)
            throw Error(MPI_ERR_COMM);
        int found = MPI_UNDEFINED;
        Error::check(MPI_Topo_test(comm, &found));
        if (found == MPI_UNDEFINED || (kind != MPI_UNDEFINED && found != kind))
            throw Error(MPI_ERR_TOPOLOGY);
    }
};

/// A communicator of MPI_Graph_create.
class Graphcomm : public Topocomm
{
  public:
    explicit Graphcomm(MPI_Comm comm) : Topocomm(comm, MPI_GRAPH) {}
};

/// A communicator of MPI_Dist_graph_create(_adjacent); the proposal is older than these.
class Distgraphcomm : public Topocomm
{
  public:
    explicit Distgraphcomm(MPI_Comm comm) : Topocomm(comm, MPI_DIST_GRAPH) {}
};

/// A communicator of MPI_Cart_create.
class Cartcomm : public Topocomm
{
  public:
    explicit Cartcomm(MPI_Comm comm) : Topocomm(comm, MPI_CART) {}

    /// Hop_Cart_shift_xchg. Collective.
    void Shift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,
                    int direction, int disp) const
    {
        call(Hop_Cart_shift_xchg, sbuf, scount, stype, rbuf, rcount, rtype, direction, disp);
    }

    /// Hop_Icart_shift_xchg. Collective.
    MPI_Request Ishift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,
                            MPI_Datatype rtype, int direction, int disp) const
    {
        return begin(Hop_Icart_shift_xchg, sbuf, scount, stype, rbuf, rcount, rtype, direction, disp);
    }

  protected:
    Cartcomm(MPI_Comm comm, Unchecked) : Topocomm(comm, unchecked) {}
};

} // namespace hopscotch

#endif
