// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocking neighborhood collectives, with int and with large counts.
#include "shim/call/call_layouts.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/interpose/intercept.hpp"

using namespace hopscotch::shim;

HOPSCOTCH_WRAP(Neighbor_alltoall,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoall, Collective::alltoall, comm, in_place(sendbuf, recvbuf),
        alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
        [=] { return next.Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

HOPSCOTCH_WRAP(Neighbor_alltoallv,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoallv, Collective::alltoallv, comm, in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [=] {
            return next.Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                           recvtype, comm);
        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallw,
               (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoallw, Collective::alltoallw, comm, in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [=] {
            return next.Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                           recvtypes, comm);
        });
}

HOPSCOTCH_WRAP(Neighbor_allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_allgather, Collective::allgather, comm, in_place(sendbuf, recvbuf),
        allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
        [=] { return next.Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

HOPSCOTCH_WRAP(Neighbor_allgatherv,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_allgatherv, Collective::allgatherv, comm, in_place(sendbuf, recvbuf),
        allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [=] {
            return next.Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        });
}

HOPSCOTCH_WRAP(Neighbor_alltoall_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoall_c, Collective::alltoall, comm, in_place(sendbuf, recvbuf),
        alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
        [=] { return next.Neighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

HOPSCOTCH_WRAP(Neighbor_alltoallv_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoallv_c, Collective::alltoallv, comm, in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [=] {
            return next.Neighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                             recvtype, comm);
        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallw_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                const MPI_Datatype recvtypes[], MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
{
    return neighborhood_call(
        Call::Neighbor_alltoallw_c, Collective::alltoallw, comm, in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [=] {
            return next.Neighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                             recvtypes, comm);
        });
}

HOPSCOTCH_WRAP(Neighbor_allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    return neighborhood_call(
        Call::Neighbor_allgather_c, Collective::allgather, comm, in_place(sendbuf, recvbuf),
        allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
        [=] { return next.Neighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

HOPSCOTCH_WRAP(Neighbor_allgatherv_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
{
    return neighborhood_call(Call::Neighbor_allgatherv_c, Collective::allgatherv, comm, in_place(sendbuf, recvbuf),
                             allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
                             [=] {
                                 return next.Neighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                                   displs, recvtype, comm);
                             });
}
