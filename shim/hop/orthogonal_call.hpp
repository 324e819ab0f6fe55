// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the global collectives of calls.def among neighbors, in every form; for MPI_ names.
#pragma once

#include "shim/hop/hop_cartesian.hpp"
#include "shim/hop/hop_graph.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

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

// The following return MPI_SUCCESS. Throw: Refused for arguments, MpiError.

/// A collective with the plan `make_plan(links)`.
template <class MakePlan>
int by_plan(Call call, MPI_Comm comm, const CallForm& call_form, MakePlan&& make_plan)
{
    HopNeighborhood& links = services_of(comm, call_form).neighborhood;
    Channel channel = links.channel_of(call_form);
    run_planned_call(call, links, make_plan(links), std::move(channel), call_form, comm);
    return MPI_SUCCESS;
}

/// MPI_Allreduce over the sources.
int by_reduction(MPI_Comm comm, const CallForm& call_form, const ReduceArguments& arguments);

/// A collective without meaning in neighborhoods.
int refuse_undefined();

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

/// The collective of each first column of calls.def.
namespace rows
{
constexpr Collective OF_ALLTOALL = Collective::alltoall, OF_ALLTOALLV = Collective::alltoallv;
constexpr Collective OF_NEIGHBOR_ALLTOALLW = Collective::alltoallw;
constexpr Collective OF_ALLGATHER = Collective::allgather, OF_ALLGATHERV = Collective::allgatherv;
} // namespace rows

/// The forms of a neighborhood collective.
template <Collective collective, class Count>
inline constexpr int neighborhood_forms = 0;
#define CALL(name, family)
#define NEIGHBORHOOD(signature, Count, blocking, nonblocking, persistent)                                              \
    template <>                                                                                                        \
    inline constexpr auto neighborhood_forms<rows::signature, Count> =                                                 \
        Forms{act::blocking, act::nonblocking, act::persistent};
#include "shim/mpi/calls.def"

/// Carries the neighborhood collective with these buffers, on a communicator with neighborhoods.
template <class Send, class Receive>
int exchange_with_neighbors(MPI_Comm comm, const CallForm& call_form, const Buffers<Send, Receive>& buffers)
{
    if (is_cartesian_neighborhood(comm))
        return cart_collective(comm, call_form, buffers);
    const auto& forms = neighborhood_forms<Buffers<Send, Receive>::collective, typename Send::Count>;
    if (call_form.persistent())
        return buffers.call(forms.persistent, comm, call_form.info, call_form.request);
    return call_form.later() ? buffers.call(forms.nonblocking, comm, call_form.request)
                             : buffers.call(forms.blocking, comm);
}

/// The displacements of MPI_Alltoallw are of type int, those of its neighborhood form of type MPI_Aint.
using NarrowBlocks = GeneralBlocks<int, int>;
inline int exchange_with_neighbors(MPI_Comm comm, const CallForm& call_form,
                                   const Buffers<NarrowBlocks, NarrowBlocks>& buffers)
{
    return guarded("MPI_Alltoallw", comm, [&] {
        const schedules::Edges& edges = services_of(comm, call_form).neighborhood.edges();
        const auto addresses = [](const int* displacements, std::size_t n) {
            return displacements == nullptr ? std::vector<MPI_Aint>{}
                                            : std::vector<MPI_Aint>(displacements, displacements + n);
        };
        const auto kept = std::make_shared<std::pair<std::vector<MPI_Aint>, std::vector<MPI_Aint>>>(
            addresses(buffers.send.displacements, edges.destinations.size()),
            addresses(buffers.receive.displacements, edges.sources.size()));
        const auto with = [](const NarrowBlocks& blocks, const std::vector<MPI_Aint>& displacements) {
            return GeneralBlocks{blocks.buffer, blocks.counts, displacements.data(), blocks.types};
        };
        const int code = exchange_with_neighbors(
            comm, call_form, Buffers{with(buffers.send, kept->first), with(buffers.receive, kept->second)});
        if (code == MPI_SUCCESS && call_form.later())
            keep_with_request(call_form, kept);
        return code;
    });
}

} // namespace hopscotch::shim

/// Defines `function` and the one with P before it, one form of a collective: to neighbors, by the action `...` with
/// the form `call_form_`, or to the MPI library.
#define HOPSCOTCH_COLLECTIVE(function, call_form_, parameters, arguments, ...)                                         \
    HOPSCOTCH_WRAP(function, parameters, arguments)                                                                    \
    {                                                                                                                  \
        constexpr Call call = Call::function;                                                                          \
        if (!to_neighbors(call, comm))                                                                                 \
            return next.function arguments;                                                                            \
        [[maybe_unused]] const CallForm call_form = call_form_;                                                        \
        return guarded(name(call), comm, [&]() -> int { return __VA_ARGS__; });                                        \
    }
