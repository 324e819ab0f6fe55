// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators with a topology as C++ objects, after the class Topocomm that the 2008 proposal adds to MPI's C++
// bindings (section 2.4), which MPI has since dropped. Header only; needs C++11 and the library.
#ifndef HOPSCOTCH_HPP
#define HOPSCOTCH_HPP

#include <hopscotch.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hopscotch
{

/// An MPI error as an exception; what() is its MPI_Error_string. Communicators must return errors for it to be thrown
/// where the MPI library has met the error itself: MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN).
class Error : public std::runtime_error
{
  public:
    explicit Error(int code) : std::runtime_error(text(code)), code_(code) {}

    int code() const noexcept { return code_; }

    /// Throws: Error unless code is MPI_SUCCESS.
    static void check(int code)
    {
        if (code != MPI_SUCCESS)
            throw Error(code);
    }

  private:
    static std::string text(int code)
    {
        char buffer[MPI_MAX_ERROR_STRING] = {};
        int length = 0;
        MPI_Error_string(code, buffer, &length);
        return std::string(buffer, static_cast<std::string::size_type>(length));
    }

    int code_;
};

/// A communicator with any topology. A handle, like MPI_Comm itself: copies are the same communicator, and nothing is
/// freed but by Free().
class Topocomm
{
  public:
    /// Throws: Error{MPI_ERR_TOPOLOGY} for a communicator without topology.
    explicit Topocomm(MPI_Comm comm) : Topocomm(comm, MPI_UNDEFINED) {}

    MPI_Comm mpi_comm() const noexcept { return comm_; }
    int Get_rank() const { return number(MPI_Comm_rank); }
    int Get_size() const { return number(MPI_Comm_size); }
    void Free() { Error::check(MPI_Comm_free(&comm_)); }

    /// Number of neighbors of a rank. Local. Throws: Error, as all below.
    int Get_neighbors_count(int rank) const
    {
        int count = 0;
        Error::check(Hop_Comm_neighbors_count(comm_, rank, &count));
        return count;
    }

    /// The first maxneighbors neighbors of a rank; see Hop_Comm_neighbors for their order. Local.
    void Get_neighbors(int rank, int maxneighbors, int neighbors[]) const
    {
        Error::check(Hop_Comm_neighbors(comm_, rank, maxneighbors, neighbors));
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
        Error::check(Hop_Neighbor_xchg(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm_));
    }

    /// Hop_Neighbor_xchgv. Collective.
    void Neighbor_xchgv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        Error::check(
            Hop_Neighbor_xchgv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm_));
    }

  protected:
    /// `kind`: what MPI_Topo_test must say; MPI_UNDEFINED for any topology.
    Topocomm(MPI_Comm comm, int kind) : comm_(comm)
    {
        if (comm == MPI_COMM_NULL)
            throw Error(MPI_ERR_COMM);
        int found = MPI_UNDEFINED;
        Error::check(MPI_Topo_test(comm, &found));
        if (found == MPI_UNDEFINED || (kind != MPI_UNDEFINED && found != kind))
            throw Error(MPI_ERR_TOPOLOGY);
    }

  private:
    int number(int (*function)(MPI_Comm, int*)) const
    {
        int value = 0;
        Error::check(function(comm_, &value));
        return value;
    }

    MPI_Comm comm_;
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
        Error::check(Hop_Cart_shift_xchg(sbuf, scount, stype, rbuf, rcount, rtype, direction, disp, mpi_comm()));
    }
};

} // namespace hopscotch

#endif
