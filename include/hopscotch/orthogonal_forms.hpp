// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Written by scripts/develop/members.py from <hopscotch/orthogonal.h>.
#ifndef HOPSCOTCH_ORTHOGONAL_FORMS_HPP
#define HOPSCOTCH_ORTHOGONAL_FORMS_HPP

#include <hopscotch/comm.hpp>

namespace hopscotch
{

/// The collectives of an Orthogonalcomm. All members are collective. A request that one returns is the caller's to
/// complete, and a persistent one to start and to free.
class Orthogonal_forms : public Comm
{
  public:
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

    /// Hop_Ibarrier.
    MPI_Request Ibarrier() const { return begin(Hop_Ibarrier); }

    /// Hop_Ibcast.
    MPI_Request Ibcast(void* buffer, int count, MPI_Datatype datatype, int root) const
    {
        return begin(Hop_Ibcast, buffer, count, datatype, root);
    }

    /// Hop_Igather.
    MPI_Request Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype, int root) const
    {
        return begin(Hop_Igather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Igatherv.
    MPI_Request Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root) const
    {
        return begin(Hop_Igatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root);
    }

    /// Hop_Iscatter.
    MPI_Request Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root) const
    {
        return begin(Hop_Iscatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Iscatterv.
    MPI_Request Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                          void* recvbuf, int recvcount, MPI_Datatype recvtype, int root) const
    {
        return begin(Hop_Iscatterv, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Iallgather.
    MPI_Request Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype) const
    {
        return begin(Hop_Iallgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Iallgatherv.
    MPI_Request Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype) const
    {
        return begin(Hop_Iallgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
    }

    /// Hop_Iallgatherw.
    MPI_Request Iallgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        return begin(Hop_Iallgatherw, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Ialltoall.
    MPI_Request Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype) const
    {
        return begin(Hop_Ialltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Ialltoallv.
    MPI_Request Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype) const
    {
        return begin(Hop_Ialltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
    }

    /// Hop_Ialltoallw.
    MPI_Request Ialltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]) const
    {
        return begin(Hop_Ialltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
    }

    /// Hop_Ireduce.
    MPI_Request Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root) const
    {
        return begin(Hop_Ireduce, sendbuf, recvbuf, count, datatype, op, root);
    }

    /// Hop_Iallreduce.
    MPI_Request Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        return begin(Hop_Iallreduce, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Ireduce_scatter_block.
    MPI_Request Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                                      MPI_Op op) const
    {
        return begin(Hop_Ireduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op);
    }

    /// Hop_Ireduce_scatter.
    MPI_Request Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                MPI_Op op) const
    {
        return begin(Hop_Ireduce_scatter, sendbuf, recvbuf, recvcounts, datatype, op);
    }

    /// Hop_Iscan.
    MPI_Request Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        return begin(Hop_Iscan, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Iexscan.
    MPI_Request Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) const
    {
        return begin(Hop_Iexscan, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Barrier_init.
    MPI_Request Barrier_init(MPI_Info info) const { return prepare(Hop_Barrier_init, info); }

    /// Hop_Bcast_init.
    MPI_Request Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Info info) const
    {
        return prepare(Hop_Bcast_init, info, buffer, count, datatype, root);
    }

    /// Hop_Gather_init.
    MPI_Request Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        return prepare(Hop_Gather_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Gatherv_init.
    MPI_Request Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                             MPI_Info info) const
    {
        return prepare(Hop_Gatherv_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                       root);
    }

    /// Hop_Scatter_init.
    MPI_Request Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        return prepare(Hop_Scatter_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /// Hop_Scatterv_init.
    MPI_Request Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Info info) const
    {
        return prepare(Hop_Scatterv_init, info, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                       root);
    }

    /// Hop_Allgather_init.
    MPI_Request Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Allgather_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Allgatherv_init.
    MPI_Request Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Allgatherv_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
    }

    /// Hop_Allgatherw_init.
    MPI_Request Allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                MPI_Info info) const
    {
        return prepare(Hop_Allgatherw_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls,
                       recvtypes);
    }

    /// Hop_Alltoall_init.
    MPI_Request Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Info info) const
    {
        return prepare(Hop_Alltoall_init, info, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /// Hop_Alltoallv_init.
    MPI_Request Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                               void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                               MPI_Info info) const
    {
        return prepare(Hop_Alltoallv_init, info, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                       recvtype);
    }

    /// Hop_Alltoallw_init.
    MPI_Request Alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Info info) const
    {
        return prepare(Hop_Alltoallw_init, info, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                       recvtypes);
    }

    /// Hop_Reduce_init.
    MPI_Request Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Info info) const
    {
        return prepare(Hop_Reduce_init, info, sendbuf, recvbuf, count, datatype, op, root);
    }

    /// Hop_Allreduce_init.
    MPI_Request Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Info info) const
    {
        return prepare(Hop_Allreduce_init, info, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Reduce_scatter_block_init.
    MPI_Request Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                                          MPI_Op op, MPI_Info info) const
    {
        return prepare(Hop_Reduce_scatter_block_init, info, sendbuf, recvbuf, recvcount, datatype, op);
    }

    /// Hop_Reduce_scatter_init.
    MPI_Request Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                    MPI_Op op, MPI_Info info) const
    {
        return prepare(Hop_Reduce_scatter_init, info, sendbuf, recvbuf, recvcounts, datatype, op);
    }

    /// Hop_Scan_init.
    MPI_Request Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Info info) const
    {
        return prepare(Hop_Scan_init, info, sendbuf, recvbuf, count, datatype, op);
    }

    /// Hop_Exscan_init.
    MPI_Request Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Info info) const
    {
        return prepare(Hop_Exscan_init, info, sendbuf, recvbuf, count, datatype, op);
    }

  protected:
    explicit Orthogonal_forms(MPI_Comm comm) : Comm(comm) {}
};

} // namespace hopscotch

#endif
