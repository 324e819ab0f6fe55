// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The nonblocking neighborhood collectives, with int and with large counts.
#include "shim/call/call_layouts.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"

using namespace hopscotch::shim;

HOPSCOTCH_WRAP(Ineighbor_alltoall,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoall, Collective::alltoall, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf), alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
            return next.Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_alltoallv,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoallv, Collective::alltoallv, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [&] {
            return next.Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                            recvtype, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_alltoallw,
               (const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoallw, Collective::alltoallw, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [&] {
            return next.Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                            recvtypes, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
{
    return request_call(
        Call::Ineighbor_allgather, Collective::allgather, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf), allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
            return next.Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_allgatherv,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request))
{
    return request_call(Call::Ineighbor_allgatherv, Collective::allgatherv, Completion::nonblocking, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [&] {
                            return next.Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                                             recvtype, comm, request);
                        });
}

HOPSCOTCH_WRAP(Ineighbor_alltoall_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoall_c, Collective::alltoall, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf), alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
            return next.Ineighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_alltoallv_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoallv_c, Collective::alltoallv, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [&] {
            return next.Ineighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                              recvtype, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_alltoallw_c,
               (const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request))
{
    return request_call(
        Call::Ineighbor_alltoallw_c, Collective::alltoallw, Completion::nonblocking, comm, request,
        in_place(sendbuf, recvbuf),
        alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), [&] {
            return next.Ineighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                              recvtypes, comm, request);
        });
}

HOPSCOTCH_WRAP(Ineighbor_allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
{
    return request_call(Call::Ineighbor_allgather_c, Collective::allgather, Completion::nonblocking, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [&] {
                            return next.Ineighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                              recvtype, comm, request);
                        });
}

HOPSCOTCH_WRAP(Ineighbor_allgatherv_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                MPI_Request* request),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request))
{
    return request_call(Call::Ineighbor_allgatherv_c, Collective::allgatherv, Completion::nonblocking, comm, request,
                        in_place(sendbuf, recvbuf),
                        allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [&] {
                            return next.Ineighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                               displs, recvtype, comm, request);
                        });
}
