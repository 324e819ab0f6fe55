// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The reduction to one root in a graph communicator: the values of its sources, in the order of its list.
#include "shim/mpi/mpi_error.hpp"
#include "shim/papers/hop_graph.hpp"

#include "shim/reduction/held_operators.hpp"

namespace hopscotch::shim
{

CallPlan reduce_plan(const HopNeighborhood& links, ReduceArguments arguments, int root, const CallForm& call_form)
{
    demand_reduction(arguments.count, arguments.type, arguments.op);
    const schedules::Edges& edges = links.edges();
    int size = 0;
    check(next.MPI_Comm_size(links.comm(), &size));
    demand(root >= 0 && root < size, MPI_ERR_ROOT);
    demand(arguments.send != MPI_IN_PLACE || edges.rank == root, MPI_ERR_BUFFER);
    if (arguments.send == MPI_IN_PLACE)
        arguments.send = arguments.receive;
    CallPlan plan;
    if (call_form.later()) {
        arguments.type = kept_type(arguments.type, plan.kept);
        plan.kept.push_back(hold_operator(arguments.op));
    }
    const auto values = std::make_shared<ExchangedValues>(edges.rank == root ? edges.sources : std::vector<int>{});
    values->set(arguments, 1);
    const auto bytes = static_cast<MPI_Count>(values->reducing.bytes());
    for (std::size_t i = 0; i < values->sources.size(); ++i)
        if (values->sources[i] != schedules::no_rank)
            plan.receive(values->value(i), bytes, MPI_BYTE, values->sources[i]);
    for (int n = schedules::count_of(edges.destinations, root); n > 0; --n)
        plan.send(values->sent(), bytes, MPI_BYTE, root);
    plan.preparation = [values] { values->prepare(); };
    plan.conclusion = [values] { return values->fold(); };
    return plan;
}

} // namespace hopscotch::shim
