// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2019 paper on Cartesian neighborhoods, in every form: blocking, nonblocking, as a persistent
// request, and the _init forms, which prepare everything for the first call.
#include "shim/hop/hop_cartesian_calls.hpp"

#include "include/hopscotch.h"

using namespace hopscotch;
using namespace hopscotch::shim;
using schedules::Blocks;

namespace
{

int reduce(Call call, Blocks blocks, const ReduceArguments& arguments, MPI_Comm cart, const CallForm& call_form)
{
    return bordered(cart,
                    [&] { neighborhood_of(cart).reducer(cart).reduce(call, blocks, arguments, call_form, cart); });
}

} // namespace

// A row defines the functions it names. Its next column carries the collective in the form `completing`; the parameters
// follow.
#define CARTESIAN_FORMS(blocking_form, nonblocking_form, request_form, carried, ...)                                   \
    HOPSCOTCH_OWN_FORMS(blocking_form, nonblocking_form, request_form, cartcomm, carried, __VA_ARGS__)
#define COLLECTIVE(blocking_form, nonblocking_form, request_form, init_form, carried, ...)                             \
    CARTESIAN_FORMS(blocking_form, nonblocking_form, request_form, carried, __VA_ARGS__)                               \
    int init_form(__VA_ARGS__, MPI_Comm cartcomm)                                                                      \
    {                                                                                                                  \
        const CallForm call_form{Completion::blocking, nullptr, MPI_INFO_NULL, true};                                  \
        return carried;                                                                                                \
    }

COLLECTIVE(Hop_Cart_alltoall, Hop_Icart_alltoall, Hop_Cart_alltoall_init_request, Hop_Cart_alltoall_init,
           cart_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, call_form),
           const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype)

COLLECTIVE(Hop_Cart_alltoallv, Hop_Icart_alltoallv, Hop_Cart_alltoallv_init_request, Hop_Cart_alltoallv_init,
           cart_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
                          call_form),
           const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
           const int recvcounts[], const int rdispls[], MPI_Datatype recvtype)

COLLECTIVE(Hop_Cart_alltoallw, Hop_Icart_alltoallw, Hop_Cart_alltoallw_init_request, Hop_Cart_alltoallw_init,
           cart_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                          call_form),
           const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
           void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[])

COLLECTIVE(Hop_Cart_allgather, Hop_Icart_allgather, Hop_Cart_allgather_init_request, Hop_Cart_allgather_init,
           cart_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, call_form),
           const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype)

COLLECTIVE(Hop_Cart_allgatherv, Hop_Icart_allgatherv, Hop_Cart_allgatherv_init_request, Hop_Cart_allgatherv_init,
           cart_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm, call_form),
           const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
           const int rdispls[], MPI_Datatype recvtype)

COLLECTIVE(Hop_Cart_allgatherw, Hop_Icart_allgatherw, Hop_Cart_allgatherw_init_request, Hop_Cart_allgatherw_init,
           cart_allgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm, call_form),
           const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[])

CARTESIAN_FORMS(Hop_Cart_allreduce, Hop_Icart_allreduce, Hop_Cart_allreduce_init_request,
                reduce(Call::MPI_Allreduce, Blocks::common, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                       call_form),
                const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op)

CARTESIAN_FORMS(Hop_Cart_reduce, Hop_Icart_reduce, Hop_Cart_reduce_init_request,
                reduce(Call::MPI_Reduce_scatter_block, Blocks::individual, {sendbuf, recvbuf, count, datatype, op},
                       cartcomm, call_form),
                const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op)

int Hop_Cart_alltoall_free(MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] { neighborhood_of(cartcomm); });
}

int Hop_Cart_allgather_free(MPI_Comm cartcomm)
{
    return Hop_Cart_alltoall_free(cartcomm);
}
