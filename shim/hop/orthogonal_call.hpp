// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the global collectives of calls.def among neighbors, in every form; for MPI_ names.
#pragma once

#include "shim/hop/hop_cartesian_calls.hpp"
#include "shim/hop/hop_graph.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <type_traits>

namespace hopscotch::shim
{

/// True if HOPSCOTCH_SEMANTICS=orthogonal sends the call on comm to neighbors. An inter-communicator has no
/// neighborhoods: MPI's meaning stays there, and one log line says so.
bool goes_to_neighbors(Call call, MPI_Comm comm);

/// The same. Cost: one predicted branch if it never does.
inline bool to_neighbors(Call call, MPI_Comm comm)
{
    return __builtin_expect(runtime().settings.semantics == Semantics::orthogonal, 0) && goes_to_neighbors(call, comm);
}

/// A collective with the plan `make_plan(links)`. Returns MPI_SUCCESS. Throws: Refused for arguments, MpiError.
template <class MakePlan>
int by_plan(Call call, MPI_Comm comm, const CallForm& call_form, MakePlan&& make_plan)
{
    HopNeighborhood& links = services_of(comm, call_form).neighborhood;
    Channel channel = links.channel_of(call_form);
    run_planned_call(call, links, make_plan(links), std::move(channel), call_form, comm);
    return MPI_SUCCESS;
}

/// The same; an error goes through the communicator's error handler.
template <class MakePlan>
int planned(Call call, MPI_Comm comm, const CallForm& call_form, MakePlan&& make_plan)
{
    return guarded(name(call), comm, [&] { return by_plan(call, comm, call_form, make_plan); });
}

/// MPI_Allreduce over the sources, as by_plan and as planned.
int by_reduction(MPI_Comm comm, const CallForm& call_form, const ReduceArguments& arguments);
int reduced(MPI_Comm comm, const CallForm& call_form, const ReduceArguments& arguments);

/// A collective without meaning in neighborhoods.
int undefined(MPI_Comm comm);

/// True if comm has a Cartesian neighborhood, and is not a graph.
bool is_cartesian_neighborhood(MPI_Comm comm);

/// Keeps it as long as the library's request behind a handle may need it.
void keep_with_request(const CallForm& call_form, std::shared_ptr<const void> kept) noexcept;

/// The forms of one operation.
template <class Blocking, class Nonblocking, class Persistent>
struct Forms {
    Blocking blocking;
    Nonblocking nonblocking;
    Persistent persistent;
};
template <class Blocking, class Nonblocking, class Persistent>
Forms(Blocking, Nonblocking, Persistent) -> Forms<Blocking, Nonblocking, Persistent>;

/// A call of the form asked for.
template <class Forms, class... Arguments>
int in_form(const CallForm& call_form, const Forms& forms, Arguments... arguments)
{
    if (call_form.persistent())
        return forms.persistent(arguments..., call_form.info, call_form.request);
    return call_form.later() ? forms.nonblocking(arguments..., call_form.request) : forms.blocking(arguments...);
}

/// Makes the call in its form, with int or with large counts.
template <class Count, class WithInt, class Large, class... Arguments>
int in_form_with(const CallForm& call_form, const WithInt& with_int, const Large& large, Arguments... arguments)
{
    if constexpr (std::is_same_v<Count, int>)
        return in_form(call_form, with_int, arguments...);
    else
        return in_form(call_form, large, arguments...);
}

template <class Count>
int neighbor_allgather(const CallForm& call_form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (is_cartesian_neighborhood(comm))
        return cart_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, call_form);
    return in_form_with<Count>(
        call_form, Forms{act::MPI_Neighbor_allgather, act::MPI_Ineighbor_allgather, act::MPI_Neighbor_allgather_init},
        Forms{act::MPI_Neighbor_allgather_c, act::MPI_Ineighbor_allgather_c, act::MPI_Neighbor_allgather_init_c},
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

template <class Count, class Displacement>
int neighbor_allgatherv(const CallForm& call_form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, const Count* recvcounts, const Displacement* displs, MPI_Datatype recvtype,
                        MPI_Comm comm)
{
    if (is_cartesian_neighborhood(comm))
        return cart_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, call_form);
    return in_form_with<Count>(
        call_form,
        Forms{act::MPI_Neighbor_allgatherv, act::MPI_Ineighbor_allgatherv, act::MPI_Neighbor_allgatherv_init},
        Forms{act::MPI_Neighbor_allgatherv_c, act::MPI_Ineighbor_allgatherv_c, act::MPI_Neighbor_allgatherv_init_c},
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

template <class Count>
int neighbor_alltoall(const CallForm& call_form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (is_cartesian_neighborhood(comm))
        return cart_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, call_form);
    return in_form_with<Count>(
        call_form, Forms{act::MPI_Neighbor_alltoall, act::MPI_Ineighbor_alltoall, act::MPI_Neighbor_alltoall_init},
        Forms{act::MPI_Neighbor_alltoall_c, act::MPI_Ineighbor_alltoall_c, act::MPI_Neighbor_alltoall_init_c}, sendbuf,
        sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

template <class Count, class Displacement>
int neighbor_alltoallv(const CallForm& call_form, const void* sendbuf, const Count* sendcounts,
                       const Displacement* sdispls, MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                       const Displacement* rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    if (is_cartesian_neighborhood(comm))
        return cart_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                              call_form);
    return in_form_with<Count>(
        call_form, Forms{act::MPI_Neighbor_alltoallv, act::MPI_Ineighbor_alltoallv, act::MPI_Neighbor_alltoallv_init},
        Forms{act::MPI_Neighbor_alltoallv_c, act::MPI_Ineighbor_alltoallv_c, act::MPI_Neighbor_alltoallv_init_c},
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

template <class Count>
int neighbor_alltoallw(const CallForm& call_form, const void* sendbuf, const Count* sendcounts, const MPI_Aint* sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, const Count* recvcounts, const MPI_Aint* rdispls,
                       const MPI_Datatype* recvtypes, MPI_Comm comm)
{
    if (is_cartesian_neighborhood(comm))
        return cart_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                              call_form);
    return in_form_with<Count>(
        call_form, Forms{act::MPI_Neighbor_alltoallw, act::MPI_Ineighbor_alltoallw, act::MPI_Neighbor_alltoallw_init},
        Forms{act::MPI_Neighbor_alltoallw_c, act::MPI_Ineighbor_alltoallw_c, act::MPI_Neighbor_alltoallw_init_c},
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

/// The displacements of MPI_Alltoallw are of type int, those of its neighborhood form of type MPI_Aint.
template <class Count>
int neighbor_alltoallw(const CallForm& call_form, const void* sendbuf, const Count* sendcounts, const int* sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, const Count* recvcounts, const int* rdispls,
                       const MPI_Datatype* recvtypes, MPI_Comm comm)
{
    return guarded("MPI_Alltoallw", comm, [&] {
        const schedules::Edges& edges = services_of(comm, call_form).neighborhood.edges();
        const auto addresses = [](const int* displacements, std::size_t n) {
            return displacements == nullptr ? std::vector<MPI_Aint>{}
                                            : std::vector<MPI_Aint>(displacements, displacements + n);
        };
        const auto kept = std::make_shared<std::pair<std::vector<MPI_Aint>, std::vector<MPI_Aint>>>(
            addresses(sdispls, edges.destinations.size()), addresses(rdispls, edges.sources.size()));
        const int code = neighbor_alltoallw(call_form, sendbuf, sendcounts, kept->first.data(), sendtypes, recvbuf,
                                            recvcounts, kept->second.data(), recvtypes, comm);
        if (code == MPI_SUCCESS && call_form.later())
            keep_with_request(call_form, kept);
        return code;
    });
}

} // namespace hopscotch::shim

/// Defines MPI_name and PMPI_name of one form of a collective: to neighbors, by the action `...` with the form
/// `call_form_`, or to the MPI library.
#define HOPSCOTCH_COLLECTIVE(name, parameters, arguments, call_form_, ...)                                             \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        constexpr Call call = Call::name;                                                                              \
        [[maybe_unused]] const CallForm call_form = call_form_;                                                        \
        return to_neighbors(call, comm) ? (__VA_ARGS__) : next.name arguments;                                         \
    }
