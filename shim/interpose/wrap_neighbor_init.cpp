// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The persistent neighborhood collectives, with int and with large counts.
#include "shim/call/call_layouts.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"

using namespace hopscotch::shim;

HOPSCOTCH_WRAP(Neighbor_alltoall_init,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_alltoall_init, Collective::alltoall, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
                            return next.Neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                               recvtype, comm, info, request);
                        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallv_init,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request))
{
    return request_call(
        Call::Neighbor_alltoallv_init, Collective::alltoallv, Completion::persistent, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [&] {
            return next.Neighbor_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                                recvtype, comm, info, request);
        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallw_init,
               (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request))
{
    return request_call(
        Call::Neighbor_alltoallw_init, Collective::alltoallw, Completion::persistent, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [&] {
            return next.Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                                recvtypes, comm, info, request);
        });
}

HOPSCOTCH_WRAP(Neighbor_allgather_init,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_allgather_init, Collective::allgather, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
                            return next.Neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                                recvtype, comm, info, request);
                        });
}

HOPSCOTCH_WRAP(Neighbor_allgatherv_init,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_allgatherv_init, Collective::allgatherv, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [&] {
                            return next.Neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                                 displs, recvtype, comm, info, request);
                        });
}

HOPSCOTCH_WRAP(Neighbor_alltoall_init_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_alltoall_init_c, Collective::alltoall, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
                            return next.Neighbor_alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                                 recvtype, comm, info, request);
                        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallv_init_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request))
{
    return request_call(
        Call::Neighbor_alltoallv_init_c, Collective::alltoallv, Completion::persistent, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [&] {
            return next.Neighbor_alltoallv_init_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                                  recvtype, comm, info, request);
        });
}

HOPSCOTCH_WRAP(Neighbor_alltoallw_init_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request))
{
    return request_call(
        Call::Neighbor_alltoallw_init_c, Collective::alltoallw, Completion::persistent, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [&] {
            return next.Neighbor_alltoallw_init_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                                  recvtypes, comm, info, request);
        });
}

HOPSCOTCH_WRAP(Neighbor_allgather_init_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_allgather_init_c, Collective::allgather, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
                            return next.Neighbor_allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                                  recvtype, comm, info, request);
                        });
}

HOPSCOTCH_WRAP(Neighbor_allgatherv_init_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                MPI_Info info, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request))
{
    return request_call(Call::Neighbor_allgatherv_init_c, Collective::allgatherv, Completion::persistent, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [&] {
                            return next.Neighbor_allgatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                                   displs, recvtype, comm, info, request);
                        });
}
