// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2020 paper, blocking, nonblocking and as a persistent request: neighborhoods on graph
// communicators, the MPI function on all others.
#include "include/hopscotch.h"
#include "shim/hop/orthogonal_call.hpp"
#include "shim/hop/wide_alltoallw.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/signatures.hpp"

#include <vector>

using namespace hopscotch::shim;

namespace
{

/// Calls `with_neighbors()` if the communicator has neighborhoods, else `elsewhere()`.
template <class WithNeighbors, class Elsewhere>
int by_topology(MPI_Comm comm, const CallForm& call_form, WithNeighbors&& with_neighbors, Elsewhere&& elsewhere)
{
    return bordered(comm, [&] {
        demand(!call_form.later() || call_form.request != nullptr, MPI_ERR_ARG);
        return has_neighborhoods(comm) ? with_neighbors() : elsewhere();
    });
}

/// Makes the links unless an earlier collective has made them. A nonblocking call, too, may wait here for the other
/// processes: under MPI's names it may not, and is refused instead.
void set_up(MPI_Comm comm, const CallForm& call_form)
{
    demand_request(call_form);
    if (call_form.later())
        services_of(comm);
}

/// Hop_Allgatherw in every form.
int own_exchange(MPI_Comm comm, const CallForm& call_form, const Buffers<SingleBlock<int>, WideBlocks>& buffers)
{
    const auto with_neighbors = [&] {
        set_up(comm, call_form);
        HopNeighborhood& neighborhood = services_of(comm, call_form).neighborhood;
        buffers.demand_right(neighborhood.edges());
        KeptBlocks kept;
        buffers(neighborhood.edges(), kept); // the MPI library knows no such call: it cannot report wrong arguments
        neighborhood.call(call_form, comm, buffers);
        return MPI_SUCCESS;
    };
    return by_topology(comm, call_form, with_neighbors, [&] {
        demand(!buffers.in_place(), MPI_ERR_BUFFER);
        const auto [buffer, count, type] = buffers.send.arguments();
        demand(count >= 0, MPI_ERR_COUNT);
        const auto n = static_cast<std::size_t>(peers_in(comm));
        const std::vector<int> counts(n, count);
        const std::vector<MPI_Aint> displacements(n, 0);
        const std::vector<MPI_Datatype> types(n, type);
        return wide_alltoallw(comm, call_form,
                              {WideBlocks{buffer, counts.data(), displacements.data(), types.data()}, buffers.receive});
    });
}

/// Hop_Alltoallw in every form.
int own_exchange(MPI_Comm comm, const CallForm& call_form, const WideBuffers& buffers)
{
    return by_topology(
        comm, call_form, [&] { return exchange_with_neighbors(comm, call_form, buffers); },
        [&] { return wide_alltoallw(comm, call_form, buffers); });
}

} // namespace

// A row defines the three functions of ours that it names, each before the function of MPI with its parameters, with
// int counts.
#define FIRST(ours, native) ours
#define SECOND(ours, native) native
#define FORM(names, call_form_, parameters, arguments, ...)                                                            \
    int FIRST names parameters                                                                                         \
    {                                                                                                                  \
        [[maybe_unused]] constexpr Call call = Call::SECOND names;                                                     \
        const CallForm call_form = call_form_;                                                                         \
        return by_topology(                                                                                            \
            comm, call_form, [&] { return __VA_ARGS__; }, [&] { return next.SECOND names arguments; });                \
    }
#define OURS(signature, blocking, native, nonblocking, native_nonblocking, persistent, native_persistent)              \
    FORMS(FORM, signature, int, (blocking, native), (nonblocking, native_nonblocking), (persistent, native_persistent))
#define PLANNED(...)                                                                                                   \
    (set_up(comm, call_form), by_plan(call, comm, call_form, [&]([[maybe_unused]] auto& links) { return __VA_ARGS__; }))
#define REDUCED(...) (set_up(comm, call_form), by_reduction(comm, call_form, __VA_ARGS__))
#define UNDEFINED refuse_undefined()
#define EXCHANGED(...) exchange_with_neighbors(comm, call_form, Buffers{__VA_ARGS__})
OURS(OF_BARRIER, Hop_Barrier, MPI_Barrier, Hop_Ibarrier, MPI_Ibarrier, Hop_Barrier_init, MPI_Barrier_init)
OURS(OF_BCAST, Hop_Bcast, MPI_Bcast, Hop_Ibcast, MPI_Ibcast, Hop_Bcast_init, MPI_Bcast_init)
OURS(OF_GATHER, Hop_Gather, MPI_Gather, Hop_Igather, MPI_Igather, Hop_Gather_init, MPI_Gather_init)
OURS(OF_GATHERV, Hop_Gatherv, MPI_Gatherv, Hop_Igatherv, MPI_Igatherv, Hop_Gatherv_init, MPI_Gatherv_init)
OURS(OF_SCATTER, Hop_Scatter, MPI_Scatter, Hop_Iscatter, MPI_Iscatter, Hop_Scatter_init, MPI_Scatter_init)
OURS(OF_SCATTERV, Hop_Scatterv, MPI_Scatterv, Hop_Iscatterv, MPI_Iscatterv, Hop_Scatterv_init, MPI_Scatterv_init)
OURS(OF_ALLGATHER, Hop_Allgather, MPI_Allgather, Hop_Iallgather, MPI_Iallgather, Hop_Allgather_init, MPI_Allgather_init)
OURS(OF_ALLGATHERV, Hop_Allgatherv, MPI_Allgatherv, Hop_Iallgatherv, MPI_Iallgatherv, Hop_Allgatherv_init,
     MPI_Allgatherv_init)
OURS(OF_ALLTOALL, Hop_Alltoall, MPI_Alltoall, Hop_Ialltoall, MPI_Ialltoall, Hop_Alltoall_init, MPI_Alltoall_init)
OURS(OF_ALLTOALLV, Hop_Alltoallv, MPI_Alltoallv, Hop_Ialltoallv, MPI_Ialltoallv, Hop_Alltoallv_init, MPI_Alltoallv_init)
OURS(OF_REDUCE, Hop_Reduce, MPI_Reduce, Hop_Ireduce, MPI_Ireduce, Hop_Reduce_init, MPI_Reduce_init)
OURS(OF_ALLREDUCE, Hop_Allreduce, MPI_Allreduce, Hop_Iallreduce, MPI_Iallreduce, Hop_Allreduce_init, MPI_Allreduce_init)
OURS(OF_REDUCE_SCATTER_BLOCK, Hop_Reduce_scatter_block, MPI_Reduce_scatter_block, Hop_Ireduce_scatter_block,
     MPI_Ireduce_scatter_block, Hop_Reduce_scatter_block_init, MPI_Reduce_scatter_block_init)
OURS(OF_REDUCE_SCATTER, Hop_Reduce_scatter, MPI_Reduce_scatter, Hop_Ireduce_scatter, MPI_Ireduce_scatter,
     Hop_Reduce_scatter_init, MPI_Reduce_scatter_init)
OURS(OF_SCAN, Hop_Scan, MPI_Scan, Hop_Iscan, MPI_Iscan, Hop_Scan_init, MPI_Scan_init)
OURS(OF_SCAN, Hop_Exscan, MPI_Exscan, Hop_Iexscan, MPI_Iexscan, Hop_Exscan_init, MPI_Exscan_init)

// The parameters of these are not those of a function of MPI.
#undef EXCHANGED
#define EXCHANGED(...) own_exchange(comm, call_form, Buffers{__VA_ARGS__})
OWN_FORMS(OF_ALLGATHERW, Hop_Allgatherw, Hop_Iallgatherw, Hop_Allgatherw_init)
OWN_FORMS(OF_NEIGHBOR_ALLTOALLW, Hop_Alltoallw, Hop_Ialltoallw, Hop_Alltoallw_init)
#undef EXCHANGED
