// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2019 paper on Cartesian neighborhoods, and their _init forms.
#include "shim/papers/hop_cartesian_calls.hpp"

#include "include/hopscotch.h"

using namespace hopscotch;
using namespace hopscotch::shim;
using schedules::Blocks;

namespace
{

/// Makes what the first call of the collective would make.
int prepare(Call call, Collective collective, MPI_Comm cart, CartesianNeighborhood& known)
{
    Communicator* const record = known.carrier(cart).record();
    if (record != nullptr && !known.one_by_one()) {
        record->set_up();
        record->selection().entry(call, collective, Completion::blocking, 0);
    }
    return MPI_SUCCESS;
}

} // namespace

int Hop_Cart_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return cart_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, {});
}

int Hop_Icart_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Request* request)
{
    return cart_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm,
                         {Completion::nonblocking, request});
}

int Hop_Cart_alltoall_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   int recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info,
                                   MPI_Request* request)
{
    return cart_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm,
                         {Completion::persistent, request, info});
}

int Hop_Cart_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm cartcomm)
{
    return cart_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm, {});
}

int Hop_Icart_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                        MPI_Comm cartcomm, MPI_Request* request)
{
    return cart_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
                          {Completion::nonblocking, request});
}

int Hop_Cart_alltoallv_init_request(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                    MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                                    MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info, MPI_Request* request)
{
    return cart_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
                          {Completion::persistent, request, info});
}

int Hop_Cart_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                       const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return cart_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                          {});
}

int Hop_Icart_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                        const MPI_Datatype recvtypes[], MPI_Comm cartcomm, MPI_Request* request)
{
    return cart_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                          {Completion::nonblocking, request});
}

int Hop_Cart_alltoallw_init_request(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm cartcomm,
                                    MPI_Info info, MPI_Request* request)
{
    return cart_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                          {Completion::persistent, request, info});
}

int Hop_Cart_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return cart_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, {});
}

int Hop_Icart_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Request* request)
{
    return cart_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm,
                          {Completion::nonblocking, request});
}

int Hop_Cart_allgather_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                    int recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info,
                                    MPI_Request* request)
{
    return cart_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm,
                          {Completion::persistent, request, info});
}

int Hop_Cart_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return cart_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm, {});
}

int Hop_Icart_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm,
                         MPI_Request* request)
{
    return cart_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
                           {Completion::nonblocking, request});
}

int Hop_Cart_allgatherv_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                     MPI_Comm cartcomm, MPI_Info info, MPI_Request* request)
{
    return cart_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
                           {Completion::persistent, request, info});
}

int Hop_Cart_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                        MPI_Comm cartcomm)
{
    return cart_allgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm, {});
}

int Hop_Icart_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                         MPI_Comm cartcomm, MPI_Request* request)
{
    return cart_allgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                           {Completion::nonblocking, request});
}

int Hop_Cart_allgatherw_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm cartcomm, MPI_Info info, MPI_Request* request)
{
    return cart_allgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
                           {Completion::persistent, request, info});
}

namespace
{

int reduce(Call call, schedules::Blocks blocks, const ReduceArguments& arguments, MPI_Comm cart,
           const Completing& completing)
{
    return bordered(cart, [&] {
        CartesianNeighborhood& known = neighborhood_of(cart);
        known.reducer(cart).reduce(call, blocks, arguments, completing, cart);
        return MPI_SUCCESS;
    });
}

} // namespace

int Hop_Cart_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm cartcomm)
{
    return reduce(Call::Allreduce, Blocks::common, {sendbuf, recvbuf, count, datatype, op}, cartcomm, {});
}

int Hop_Icart_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm cartcomm, MPI_Request* request)
{
    return reduce(Call::Allreduce, Blocks::common, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                  {Completion::nonblocking, request});
}

int Hop_Cart_allreduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm cartcomm, MPI_Info info, MPI_Request* request)
{
    return reduce(Call::Allreduce, Blocks::common, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                  {Completion::persistent, request, info});
}

int Hop_Cart_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm cartcomm)
{
    return reduce(Call::Reduce_scatter_block, Blocks::individual, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                  {});
}

int Hop_Icart_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm cartcomm,
                     MPI_Request* request)
{
    return reduce(Call::Reduce_scatter_block, Blocks::individual, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                  {Completion::nonblocking, request});
}

int Hop_Cart_reduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm cartcomm, MPI_Info info, MPI_Request* request)
{
    return reduce(Call::Reduce_scatter_block, Blocks::individual, {sendbuf, recvbuf, count, datatype, op}, cartcomm,
                  {Completion::persistent, request, info});
}

int Hop_Cart_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(Call::Neighbor_alltoall, Collective::alltoall, cartcomm,
                       alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm));
    });
}

int Hop_Cart_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(Call::Neighbor_alltoallv, Collective::alltoallv, cartcomm,
                       alltoallv_arguments(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                           recvtype, cartcomm));
    });
}

int Hop_Cart_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(Call::Neighbor_alltoallw, Collective::alltoallw, cartcomm,
                       alltoallw_arguments(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                           recvtypes, cartcomm));
    });
}

int Hop_Cart_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(Call::Neighbor_allgather, Collective::allgather, cartcomm,
                       alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm));
    });
}

int Hop_Cart_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(
            Call::Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm));
    });
}

int Hop_Cart_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return prepare(
            Call::Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherw_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm));
    });
}

int Hop_Cart_alltoall_free(MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        neighborhood_of(cartcomm);
        return MPI_SUCCESS;
    });
}

int Hop_Cart_allgather_free(MPI_Comm cartcomm)
{
    return Hop_Cart_alltoall_free(cartcomm);
}
