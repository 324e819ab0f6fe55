// The collectives of the 2019 paper on Cartesian neighborhoods, and their _init forms.
#include "include/hopscotch.h"
#include "shim/call_layouts.hpp"
#include "shim/hop_cartesian.hpp"

using namespace hopscotch::shim;

namespace
{

template <class MakeLayouts, class Send, class Receive>
int carry(Call call, Collective collective, MPI_Comm cart, CartesianNeighborhood& known, MakeLayouts&& layouts,
          Send&& send, Receive&& receive)
{
    const PrivateNeighborhood& carrier = known.carrier(cart);
    if (known.one_by_one())
        check(passed_on(call, carrier.comm(), "info key blocking", [&] { return carrier.one_by_one(send, receive); }));
    else
        check(carrier.call(call, collective, layouts, send, receive));
    return MPI_SUCCESS;
}

/// Makes what the first call of the collective would make.
int prepare(Call call, Collective collective, MPI_Comm cart, CartesianNeighborhood& known)
{
    Communicator* const record = known.carrier(cart).record();
    if (record != nullptr && !known.one_by_one())
        record->way(call, collective, Completion::blocking, 0);
    return MPI_SUCCESS;
}

std::size_t blocks_of(const CartesianNeighborhood& known)
{
    return static_cast<std::size_t>(known.count());
}

/// The neighborhood of a call with these arguments. Throws: Refused.
CartesianNeighborhood& alltoall_arguments(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                          const void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm cart)
{
    CartesianNeighborhood& known = neighborhood_of(cart);
    demand_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    return known;
}

CartesianNeighborhood& alltoallv_arguments(const void* sendbuf, const int* sendcounts, const int* sdispls,
                                           MPI_Datatype sendtype, const void* recvbuf, const int* recvcounts,
                                           const int* rdispls, MPI_Datatype recvtype, MPI_Comm cart)
{
    CartesianNeighborhood& known = alltoall_arguments(sendbuf, 0, sendtype, recvbuf, 0, recvtype, cart);
    demand_counts(sendcounts, blocks_of(known));
    demand_counts(recvcounts, blocks_of(known));
    demand((sdispls != nullptr && rdispls != nullptr) || known.count() == 0, MPI_ERR_ARG);
    return known;
}

CartesianNeighborhood& alltoallw_arguments(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                                           const MPI_Datatype* sendtypes, const void* recvbuf, const int* recvcounts,
                                           const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm cart)
{
    CartesianNeighborhood& known = neighborhood_of(cart);
    demand(!in_place(sendbuf, recvbuf), MPI_ERR_BUFFER);
    demand_counts(sendcounts, blocks_of(known));
    demand_counts(recvcounts, blocks_of(known));
    demand_types(sendtypes, blocks_of(known));
    demand_types(recvtypes, blocks_of(known));
    demand((sdispls != nullptr && rdispls != nullptr) || known.count() == 0, MPI_ERR_ARG);
    return known;
}

CartesianNeighborhood& allgatherv_arguments(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                            const void* recvbuf, const int* recvcounts, const int* rdispls,
                                            MPI_Datatype recvtype, MPI_Comm cart)
{
    CartesianNeighborhood& known = alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, 0, recvtype, cart);
    demand_counts(recvcounts, blocks_of(known));
    demand(rdispls != nullptr || known.count() == 0, MPI_ERR_ARG);
    return known;
}

CartesianNeighborhood& allgatherw_arguments(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                            const void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls,
                                            const MPI_Datatype* recvtypes, MPI_Comm cart)
{
    CartesianNeighborhood& known = alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, 0, sendtype, cart);
    demand_counts(recvcounts, blocks_of(known));
    demand_types(recvtypes, blocks_of(known));
    demand(rdispls != nullptr || known.count() == 0, MPI_ERR_ARG);
    return known;
}

} // namespace

int Hop_Cart_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(Call::Neighbor_alltoall, Collective::alltoall, cartcomm,
                     alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm),
                     alltoall_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                     regular_blocks(sendbuf, sendcount, sendtype), regular_blocks(recvbuf, recvcount, recvtype));
    });
}

int Hop_Cart_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(Call::Neighbor_alltoallv, Collective::alltoallv, cartcomm,
                     alltoallv_arguments(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                         cartcomm),
                     alltoallv_layouts(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
                     varying_blocks(sendbuf, sendcounts, sdispls, sendtype),
                     varying_blocks(recvbuf, recvcounts, rdispls, recvtype));
    });
}

int Hop_Cart_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                       const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(
            Call::Neighbor_alltoallw, Collective::alltoallw, cartcomm,
            alltoallw_arguments(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                cartcomm),
            alltoallw_layouts(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
            general_blocks(sendbuf, sendcounts, sdispls, sendtypes),
            general_blocks(recvbuf, recvcounts, rdispls, recvtypes));
    });
}

int Hop_Cart_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(Call::Neighbor_allgather, Collective::allgather, cartcomm,
                     alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm),
                     allgather_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                     single_block(sendbuf, sendcount, sendtype), regular_blocks(recvbuf, recvcount, recvtype));
    });
}

int Hop_Cart_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(
            Call::Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherv_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm),
            allgatherv_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype),
            single_block(sendbuf, sendcount, sendtype), varying_blocks(recvbuf, recvcounts, rdispls, recvtype));
    });
}

int Hop_Cart_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                        MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] {
        return carry(
            Call::Neighbor_allgatherv, Collective::allgatherv, cartcomm,
            allgatherw_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm),
            allgatherw_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes),
            single_block(sendbuf, sendcount, sendtype), general_blocks(recvbuf, recvcounts, rdispls, recvtypes));
    });
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
