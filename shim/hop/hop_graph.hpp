// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives in the neighborhoods of a graph communicator, as the 2020 paper defines them; for Hop_ and for
// MPI_ names, in every form.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/hop/reducer.hpp"

namespace hopscotch::shim
{

/// True if it is an MPI_DIST_GRAPH or MPI_GRAPH. Local.
bool is_graph(MPI_Comm comm);

/// True if its collectives go to neighbors: on graphs, and on communicators with a Cartesian neighborhood. Local.
bool has_neighborhoods(MPI_Comm comm);

/// The objects that a communicator with neighborhoods needs for its collectives.
struct NeighborhoodServices {
    HopNeighborhood& neighborhood;
    Reducer& reducer;
};

/// Made by the first blocking or persistent call, or together with the communicator. Throws: Refused{MPI_ERR_TOPOLOGY}
/// as demand_both_ends does; Refused{MPI_ERR_UNSUPPORTED_OPERATION} after a line on stderr if a nonblocking call would
/// have to make them. Collective: over comm, a communicator with neighborhoods, unless it has been called before.
NeighborhoodServices services_of(MPI_Comm comm, const CallForm& call_form = {});

/// Plans of the collectives that are messages between a root and its neighbors, or of all with theirs. The arguments
/// are those of the MPI functions; `links`: of a graph communicator, in a Cartesian neighborhood slots beyond a border
/// stay empty. Throw: Refused for arguments, MpiError.
CallPlan barrier_plan(const HopNeighborhood& links);
CallPlan bcast_plan(const HopNeighborhood& links, void* buffer, MPI_Count count, MPI_Datatype datatype, int root);

/// Blocks of the root's sources into `slot(i)`.
CallPlan gather_plan(const HopNeighborhood& links, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     const std::function<UserBlock(int)>& slot, int root);

/// `slot(i)` to the root's target i. The last block of parallel edges stays.
CallPlan scatter_plan(const HopNeighborhood& links, const std::function<UserBlock(int)>& slot, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, int root);

/// The values of the root's sources, folded in list order.
CallPlan reduce_plan(const HopNeighborhood& links, ReduceArguments arguments, int root, const CallForm& call_form);

/// Carries a plan out on its channel in the form asked for, counted as `call`. Throws: MpiError, std::bad_alloc.
void run_planned_call(Call call, HopNeighborhood& links, CallPlan plan, Channel channel, const CallForm& call_form,
                      MPI_Comm comm);

/// The record of the exchanges of the 2008 proposal on comm; null before the first one. Local.
const Communicator* record_of_exchange(MPI_Comm comm);

/// The error of a collective that has no meaning on graph communicators; its MPI_Error_string says so. Local.
int undefined_on_graphs();

} // namespace hopscotch::shim
