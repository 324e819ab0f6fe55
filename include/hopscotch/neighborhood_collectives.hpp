// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Written by scripts/develop/members.py from <hopscotch/cartesian.h>.
#ifndef HOPSCOTCH_NEIGHBORHOOD_COLLECTIVES_HPP
#define HOPSCOTCH_NEIGHBORHOOD_COLLECTIVES_HPP

#include <hopscotch/topological.hpp>

namespace hopscotch
{

/// The collectives of a Neighborhood. All members are collective. A request that one returns is the caller's to
/// complete, and a persistent one to start and to free.
class Neighborhood_collectives : public Cartcomm
{
  public:
    /// Hop_Cart_alltoall.
    void Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype) const
    {
        call(Hop_Cart_alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Cart_alltoallv.
    void Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Cart_alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Cart_alltoallw.
    void Alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                   const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Cart_alltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Cart_allgather.
    void Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype) const
    {
        call(Hop_Cart_allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Cart_allgatherv.
    void Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Cart_allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Cart_allgatherw.
    void Allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Cart_allgatherw, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Icart_alltoall.
    MPI_Request Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype) const
    {
        return begin(Hop_Icart_alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Icart_alltoallv.
    MPI_Request Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        return begin(Hop_Icart_alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                     recvtype);
    }

    /// Hop_Icart_alltoallw.
    MPI_Request Ialltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        return begin(Hop_Icart_alltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                     recvtypes);
    }

    /// Hop_Icart_allgather.
    MPI_Request Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype) const
    {
        return begin(Hop_Icart_allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Icart_allgatherv.
    MPI_Request Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        return begin(Hop_Icart_allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Icart_allgatherw.
    MPI_Request Iallgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        return begin(Hop_Icart_allgatherw, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Cart_alltoall_init_request.
    MPI_Request Alltoall_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                      int recvcount, MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Cart_alltoall_init_request, info, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                       recvtype);
    }

    /// Hop_Cart_alltoallv_init_request.
    MPI_Request Alltoallv_init_request(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                       const int rdispls[], MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Cart_alltoallv_init_request, info, sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                       recvcounts, rdispls, recvtype);
    }

    /// Hop_Cart_alltoallw_init_request.
    MPI_Request Alltoallw_init_request(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Info info) const
    {
        return prepare(Hop_Cart_alltoallw_init_request, info, sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                       recvcounts, rdispls, recvtypes);
    }

    /// Hop_Cart_allgather_init_request.
    MPI_Request Allgather_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                       int recvcount, MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Cart_allgather_init_request, info, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                       recvtype);
    }

    /// Hop_Cart_allgatherv_init_request.
    MPI_Request Allgatherv_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                        MPI_Info info) const
    {
        return prepare(Hop_Cart_allgatherv_init_request, info, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                       rdispls, recvtype);
    }

    /// Hop_Cart_allgatherw_init_request.
    MPI_Request Allgatherw_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                        const int recvcounts[], const MPI_Aint rdispls[],
                                        const MPI_Datatype recvtypes[], MPI_Info info) const
    {
        return prepare(Hop_Cart_allgatherw_init_request, info, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                       rdispls, recvtypes);
    }

    /// Hop_Cart_allreduce.
    void Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Cart_allreduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Cart_reduce.
    void Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        call(Hop_Cart_reduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Icart_allreduce.
    MPI_Request Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        return begin(Hop_Icart_allreduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Icart_reduce.
    MPI_Request Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        return begin(Hop_Icart_reduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Cart_allreduce_init_request.
    MPI_Request Allreduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                       MPI_Info info) const
    {
        return prepare(Hop_Cart_allreduce_init_request, info, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Cart_reduce_init_request.
    MPI_Request Reduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Info info) const
    {
        return prepare(Hop_Cart_reduce_init_request, info, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Cart_alltoall_init.
    void Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype) const
    {
        call(Hop_Cart_alltoall_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Cart_alltoallv_init.
    void Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Cart_alltoallv_init, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Cart_alltoallw_init.
    void Alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                        const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Cart_alltoallw_init, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Cart_allgather_init.
    void Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype) const
    {
        call(Hop_Cart_allgather_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Cart_allgatherv_init.
    void Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        call(Hop_Cart_allgatherv_init, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Cart_allgatherw_init.
    void Allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        call(Hop_Cart_allgatherw_init, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Cart_alltoall_free.
    void Alltoall_free() const { call(Hop_Cart_alltoall_free); }

    /// Hop_Cart_allgather_free.
    void Allgather_free() const { call(Hop_Cart_allgather_free); }

  protected:
    explicit Neighborhood_collectives(MPI_Comm comm) : Cartcomm(comm) {}
    Neighborhood_collectives(MPI_Comm comm, Unchecked) : Cartcomm(comm, unchecked) {}
};

} // namespace hopscotch

#endif
