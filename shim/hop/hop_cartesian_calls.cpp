// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2019 paper on Cartesian neighborhoods, in every form: blocking, nonblocking, as a persistent
// request, and the _init forms, which prepare everything for the first call.
#include "include/hopscotch.h"
#include "shim/hop/hop_cartesian.hpp"

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

#define EXCHANGED(...) cart_collective(comm, call_form, Buffers{__VA_ARGS__})
#define PREPARING(name, call_form, parameters, arguments, ...)                                                         \
    HOPSCOTCH_OWN(name, (CallForm{Completion::blocking, nullptr, MPI_INFO_NULL, true}), parameters, arguments,         \
                  __VA_ARGS__)
#define COLLECTIVE(signature, blocking, nonblocking, persistent, preparing)                                            \
    OWN_FORMS(signature, blocking, nonblocking, persistent)                                                            \
    BLOCKING_FORM(PREPARING, signature, int, preparing)

COLLECTIVE(OF_ALLTOALL, Hop_Cart_alltoall, Hop_Icart_alltoall, Hop_Cart_alltoall_init_request, Hop_Cart_alltoall_init)
COLLECTIVE(OF_ALLTOALLV, Hop_Cart_alltoallv, Hop_Icart_alltoallv, Hop_Cart_alltoallv_init_request,
           Hop_Cart_alltoallv_init)
COLLECTIVE(OF_NEIGHBOR_ALLTOALLW, Hop_Cart_alltoallw, Hop_Icart_alltoallw, Hop_Cart_alltoallw_init_request,
           Hop_Cart_alltoallw_init)
COLLECTIVE(OF_ALLGATHER, Hop_Cart_allgather, Hop_Icart_allgather, Hop_Cart_allgather_init_request,
           Hop_Cart_allgather_init)
COLLECTIVE(OF_ALLGATHERV, Hop_Cart_allgatherv, Hop_Icart_allgatherv, Hop_Cart_allgatherv_init_request,
           Hop_Cart_allgatherv_init)
COLLECTIVE(OF_ALLGATHERW, Hop_Cart_allgatherw, Hop_Icart_allgatherw, Hop_Cart_allgatherw_init_request,
           Hop_Cart_allgatherw_init)

#define REDUCED(...) reduce(Call::MPI_Allreduce, Blocks::common, __VA_ARGS__, comm, call_form)
OWN_FORMS(OF_ALLREDUCE, Hop_Cart_allreduce, Hop_Icart_allreduce, Hop_Cart_allreduce_init_request)
#undef REDUCED
#define REDUCED(...) reduce(Call::MPI_Reduce_scatter_block, Blocks::individual, __VA_ARGS__, comm, call_form)
OWN_FORMS(OF_ALLREDUCE, Hop_Cart_reduce, Hop_Icart_reduce, Hop_Cart_reduce_init_request)

#undef REDUCED
#undef EXCHANGED
#undef COLLECTIVE

int Hop_Cart_alltoall_free(MPI_Comm cartcomm)
{
    return bordered(cartcomm, [&] { neighborhood_of(cartcomm); });
}

int Hop_Cart_allgather_free(MPI_Comm cartcomm)
{
    return Hop_Cart_alltoall_free(cartcomm);
}
