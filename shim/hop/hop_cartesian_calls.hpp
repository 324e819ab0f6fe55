// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the collectives of the 2019 paper on Cartesian neighborhoods in all forms: blocking, nonblocking, persistent,
// with int and with large counts.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/hop/hop_cartesian.hpp"
#include "shim/mpi/mpi_error.hpp"

namespace hopscotch::shim
{

/// Prepares everything for the first call of the collective.
inline void prepare(Call call, Collective collective, Communicator* record)
{
    if (record == nullptr)
        return;
    record->set_up_for_good();
    record->selection().entry(call, collective, Completion::blocking, {});
}

/// A collective in the form asked for.
template <class MakeLayouts, class Send, class Receive>
int run_collective(Call call, Collective collective, MPI_Comm cart, CartesianNeighborhood& neighborhood,
                   const CallForm& call_form, MakeLayouts&& layouts, Send&& send, Receive&& receive)
{
    demand_request(call_form);
    HopNeighborhood& carrier = neighborhood.carrier(cart);
    if (call_form.prepares)
        prepare(call, collective, neighborhood.one_by_one() ? nullptr : carrier.record());
    else if (neighborhood.one_by_one() && !call_form.later())
        check(leave_to_library(call, carrier.comm(), schedules::reason::blocking_by_key,
                               [&] { return carrier.one_by_one(send, receive); }));
    else
        carrier.call(call, collective, call_form, cart, layouts, send, receive);
    return MPI_SUCCESS;
}

inline std::size_t blocks_of(const CartesianNeighborhood& neighborhood)
{
    return static_cast<std::size_t>(neighborhood.count());
}

/// The neighborhood of a call with these arguments. Throws: Refused.
inline CartesianNeighborhood& alltoall_arguments(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                                 const void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                                 MPI_Comm cart)
{
    CartesianNeighborhood& neighborhood = neighborhood_of(cart);
    demand_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    return neighborhood;
}

template <class Count, class Displacement>
CartesianNeighborhood& alltoallv_arguments(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls,
                                           MPI_Datatype sendtype, const void* recvbuf, const Count* recvcounts,
                                           const Displacement* rdispls, MPI_Datatype recvtype, MPI_Comm cart)
{
    CartesianNeighborhood& neighborhood = alltoall_arguments(sendbuf, 0, sendtype, recvbuf, 0, recvtype, cart);
    demand_counts(sendcounts, blocks_of(neighborhood));
    demand_counts(recvcounts, blocks_of(neighborhood));
    demand((sdispls != nullptr && rdispls != nullptr) || neighborhood.count() == 0, MPI_ERR_ARG);
    return neighborhood;
}

template <class Count>
CartesianNeighborhood& alltoallw_arguments(const void* sendbuf, const Count* sendcounts, const MPI_Aint* sdispls,
                                           const MPI_Datatype* sendtypes, const void* recvbuf, const Count* recvcounts,
                                           const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm cart)
{
    CartesianNeighborhood& neighborhood = neighborhood_of(cart);
    demand(!in_place(sendbuf, recvbuf), MPI_ERR_BUFFER);
    demand_counts(sendcounts, blocks_of(neighborhood));
    demand_counts(recvcounts, blocks_of(neighborhood));
    demand_types(sendtypes, blocks_of(neighborhood));
    demand_types(recvtypes, blocks_of(neighborhood));
    demand((sdispls != nullptr && rdispls != nullptr) || neighborhood.count() == 0, MPI_ERR_ARG);
    return neighborhood;
}

template <class Count, class Displacement>
CartesianNeighborhood& allgatherv_arguments(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                            const void* recvbuf, const Count* recvcounts, const Displacement* rdispls,
                                            MPI_Datatype recvtype, MPI_Comm cart)
{
    CartesianNeighborhood& neighborhood = alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, 0, recvtype, cart);
    demand_counts(recvcounts, blocks_of(neighborhood));
    demand(rdispls != nullptr || neighborhood.count() == 0, MPI_ERR_ARG);
    return neighborhood;
}

template <class Count>
CartesianNeighborhood& allgatherw_arguments(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                            const void* recvbuf, const Count* recvcounts, const MPI_Aint* rdispls,
                                            const MPI_Datatype* recvtypes, MPI_Comm cart)
{
    CartesianNeighborhood& neighborhood = alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, 0, sendtype, cart);
    demand_counts(recvcounts, blocks_of(neighborhood));
    demand_types(recvtypes, blocks_of(neighborhood));
    demand(rdispls != nullptr || neighborhood.count() == 0, MPI_ERR_ARG);
    return neighborhood;
}

inline int cart_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(Call::MPI_Neighbor_alltoall, Collective::alltoall, cartcomm,
                              alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm),
                              call_form, alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                              regular_blocks(sendbuf, sendcount, sendtype),
                              regular_blocks(recvbuf, recvcount, recvtype));
    });
}

template <class Count, class Displacement>
int cart_alltoallv(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, MPI_Datatype sendtype,
                   void* recvbuf, const Count* recvcounts, const Displacement* rdispls, MPI_Datatype recvtype,
                   MPI_Comm cartcomm, const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(
            Call::MPI_Neighbor_alltoallv, Collective::alltoallv, cartcomm,
            alltoallv_arguments(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                cartcomm),
            call_form,
            alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
            varying_blocks(sendbuf, sendcounts, sdispls, sendtype),
            varying_blocks(recvbuf, recvcounts, rdispls, recvtype));
    });
}

template <class Count>
int cart_alltoallw(const void* sendbuf, const Count* sendcounts, const MPI_Aint* sdispls,
                   const MPI_Datatype sendtypes[], void* recvbuf, const Count* recvcounts, const MPI_Aint* rdispls,
                   const MPI_Datatype recvtypes[], MPI_Comm cartcomm, const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(
            Call::MPI_Neighbor_alltoallw, Collective::alltoallw, cartcomm,
            alltoallw_arguments(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                cartcomm),
            call_form,
            alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
            general_blocks(sendbuf, sendcounts, sdispls, sendtypes),
            general_blocks(recvbuf, recvcounts, rdispls, recvtypes));
    });
}

inline int cart_allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                          MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(Call::MPI_Neighbor_allgather, Collective::allgather, cartcomm,
                              alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm),
                              call_form, allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                              single_block(sendbuf, sendcount, sendtype), regular_blocks(recvbuf, recvcount, recvtype));
    });
}

template <class Count, class Displacement>
int cart_allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const Count* recvcounts, const Displacement* rdispls, MPI_Datatype recvtype, MPI_Comm cartcomm,
                    const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(
            Call::MPI_Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm),
            call_form, allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype),
            single_block(sendbuf, sendcount, sendtype), varying_blocks(recvbuf, recvcounts, rdispls, recvtype));
    });
}

template <class Count>
int cart_allgatherw(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const Count* recvcounts, const MPI_Aint* rdispls, const MPI_Datatype recvtypes[], MPI_Comm cartcomm,
                    const CallForm& call_form)
{
    return bordered(cartcomm, [&] {
        return run_collective(
            Call::MPI_Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherw_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm),
            call_form, allgatherw_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes),
            single_block(sendbuf, sendcount, sendtype), general_blocks(recvbuf, recvcounts, rdispls, recvtypes));
    });
}

} // namespace hopscotch::shim

/// Defines the three forms of a collective of ours on the communicator `comm`, the last parameter but those of the
/// form. `carried` carries the collective in the form `completing`; the other parameters follow.
#define HOPSCOTCH_OWN_FORMS(blocking_form, nonblocking_form, request_form, comm, carried, ...)                         \
    int blocking_form(__VA_ARGS__, MPI_Comm comm)                                                                      \
    {                                                                                                                  \
        const CallForm call_form;                                                                                      \
        return carried;                                                                                                \
    }                                                                                                                  \
    int nonblocking_form(__VA_ARGS__, MPI_Comm comm, MPI_Request* request)                                             \
    {                                                                                                                  \
        const CallForm call_form{Completion::nonblocking, request};                                                    \
        return carried;                                                                                                \
    }                                                                                                                  \
    int request_form(__VA_ARGS__, MPI_Comm comm, MPI_Info info, MPI_Request* request)                                  \
    {                                                                                                                  \
        const CallForm call_form{Completion::persistent, request, info};                                               \
        return carried;                                                                                                \
    }
