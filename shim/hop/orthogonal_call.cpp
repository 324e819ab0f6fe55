// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the global collectives of calls.def among neighbors, in every form; for MPI_ names.
#include "shim/hop/orthogonal_call.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <atomic>
#include <string>

namespace hopscotch::shim
{

namespace
{

/// Once, on the first process of a group.
void say_once(Call call, MPI_Comm comm)
{
    static std::atomic<bool> said{false};
    int rank = 0;
    if (next.MPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == 0 && !said.exchange(true))
        log(LogLevel::warn, std::string("HOPSCOTCH_SEMANTICS=orthogonal: ") + name(call) +
                                " on an inter-communicator keeps the meaning MPI gives it: it has no neighborhoods");
}

} // namespace

bool goes_to_neighbors(Call call, MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    if (!runtime().active || comm == MPI_COMM_NULL || next.MPI_Topo_test(comm, &kind) != MPI_SUCCESS)
        return false;
    if (kind == MPI_DIST_GRAPH || kind == MPI_GRAPH)
        return true;
    if (kind == MPI_CART)
        return is_cartesian_neighborhood(comm);
    int between_groups = 0;
    if (next.MPI_Comm_test_inter(comm, &between_groups) == MPI_SUCCESS && between_groups != 0)
        say_once(call, comm);
    return false;
}

bool is_cartesian_neighborhood(MPI_Comm comm)
{
    try {
        return CommAttribute<CartesianNeighborhood>::find(comm) != nullptr;
    } catch (const MpiError&) {
        return false;
    }
}

int by_reduction(MPI_Comm comm, const CallForm& call_form, const ReduceArguments& arguments)
{
    Reducer& reducer = services_of(comm, call_form).reducer;
    reducer.reduce(Call::MPI_Allreduce, schedules::Blocks::common, arguments, call_form, comm);
    return MPI_SUCCESS;
}

int refuse_undefined()
{
    throw Refused{{undefined_on_graphs()}};
}

void keep_with_request(const CallForm& call_form, std::shared_ptr<const void> kept) noexcept
{
    if (const auto native = std::dynamic_pointer_cast<NativeRequest>(tracked(*call_form.request)))
        native->keep(std::move(kept));
}

} // namespace hopscotch::shim
