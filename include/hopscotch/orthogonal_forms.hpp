// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking and persistent collectives that follow the topology of their communicator, as members, called as the
// functions of <hopscotch/orthogonal.h>, without Hop_.
#ifndef HOPSCOTCH_ORTHOGONAL_FORMS_HPP
#define HOPSCOTCH_ORTHOGONAL_FORMS_HPP

#include <hopscotch/comm.hpp>

namespace hopscotch
{

/// The collectives of an Orthogonalcomm that complete later. The request returned is the caller's to complete, and a
/// persistent one to start and to free.
class Orthogonal_forms : public Comm
{
  public:
    /// Hop_Ibarrier.
    MPI_Request Ibarrier() const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ibarrier(mpi_comm(), &request));
        return request;
    }

    /// Hop_Ibcast.
    MPI_Request Ibcast(void* buffer, int count, MPI_Datatype datatype, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ibcast(buffer, count, datatype, root, mpi_comm(), &request));
        return request;
    }

    /// Hop_Igather.
    MPI_Request Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, mpi_comm(), &request));
        return request;
    }

    /// Hop_Igatherv.
    MPI_Request Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, mpi_comm(),
                                  &request));
        return request;
    }

    /// Hop_Iscatter.
    MPI_Request Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iscatterv.
    MPI_Request Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                          void* recvbuf, int recvcount, MPI_Datatype recvtype, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                                   mpi_comm(), &request));
        return request;
    }

    /// Hop_Iallgather.
    MPI_Request Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iallgatherv.
    MPI_Request Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iallgatherw.
    MPI_Request Iallgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iallgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, mpi_comm(),
                                     &request));
        return request;
    }

    /// Hop_Ialltoall.
    MPI_Request Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, mpi_comm(), &request));
        return request;
    }

    /// Hop_Ialltoallv.
    MPI_Request Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                    mpi_comm(), &request));
        return request;
    }

    /// Hop_Ialltoallw.
    MPI_Request Ialltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                    mpi_comm(), &request));
        return request;
    }

    /// Hop_Ireduce.
    MPI_Request Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ireduce(sendbuf, recvbuf, count, datatype, op, root, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iallreduce.
    MPI_Request Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iallreduce(sendbuf, recvbuf, count, datatype, op, mpi_comm(), &request));
        return request;
    }

    /// Hop_Ireduce_scatter_block.
    MPI_Request Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                                      MPI_Op op) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, mpi_comm(), &request));
        return request;
    }

    /// Hop_Ireduce_scatter.
    MPI_Request Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                MPI_Op op) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iscan.
    MPI_Request Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iscan(sendbuf, recvbuf, count, datatype, op, mpi_comm(), &request));
        return request;
    }

    /// Hop_Iexscan.
    MPI_Request Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Iexscan(sendbuf, recvbuf, count, datatype, op, mpi_comm(), &request));
        return request;
    }

    /// Hop_Barrier_init.
    MPI_Request Barrier_init(MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Barrier_init(mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Bcast_init.
    MPI_Request Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Bcast_init(buffer, count, datatype, root, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Gather_init.
    MPI_Request Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, mpi_comm(), info,
                                     &request));
        return request;
    }

    /// Hop_Gatherv_init.
    MPI_Request Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                             MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Gatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                                      mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Scatter_init.
    MPI_Request Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, mpi_comm(),
                                      info, &request));
        return request;
    }

    /// Hop_Scatterv_init.
    MPI_Request Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                                       mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Allgather_init.
    MPI_Request Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Allgatherv_init.
    MPI_Request Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                         mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Allgatherw_init.
    MPI_Request Allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Allgatherw_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes,
                                         mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Alltoall_init.
    MPI_Request Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Alltoallv_init.
    MPI_Request Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                               void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                               MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                        mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Alltoallw_init.
    MPI_Request Alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                        recvtypes, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Reduce_init.
    MPI_Request Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Reduce_init(sendbuf, recvbuf, count, datatype, op, root, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Allreduce_init.
    MPI_Request Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Allreduce_init(sendbuf, recvbuf, count, datatype, op, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Reduce_scatter_block_init.
    MPI_Request Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                                          MPI_Op op, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(
            Hop_Reduce_scatter_block_init(sendbuf, recvbuf, recvcount, datatype, op, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Reduce_scatter_init.
    MPI_Request Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                    MPI_Op op, MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Reduce_scatter_init(sendbuf, recvbuf, recvcounts, datatype, op, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Scan_init.
    MPI_Request Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Scan_init(sendbuf, recvbuf, count, datatype, op, mpi_comm(), info, &request));
        return request;
    }

    /// Hop_Exscan_init.
    MPI_Request Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Info info) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(Hop_Exscan_init(sendbuf, recvbuf, count, datatype, op, mpi_comm(), info, &request));
        return request;
    }

  protected:
    explicit Orthogonal_forms(MPI_Comm comm) : Comm(comm) {}
};

} // namespace hopscotch

#endif
