// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Collectives in the neighborhoods of a graph communicator as messages between a root and its neighbors, or of all with
// theirs.
#include "shim/hop/hop_graph.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/call/attachment.hpp"
#include "shim/call/registry.hpp"
#include "shim/hop/held_operators.hpp"
#include "shim/hop/hop_cartesian.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

namespace
{

/// Kept as an attribute of a graph communicator.
struct GraphLinks {
    GraphLinks(MPI_Comm comm, schedules::Edges lists) : neighborhood(comm, std::move(lists)), reducer(neighborhood) {}

    HopNeighborhood neighborhood;
    Reducer reducer;
};

GraphLinks& make_links(MPI_Comm comm)
{
    schedules::Edges edges = neighbor_lists(comm, topology_kind(comm));
    demand_both_ends(comm, edges);
    return CommAttribute<GraphLinks>::set(comm, std::make_unique<GraphLinks>(comm, std::move(edges)));
}

void demand_root(const HopNeighborhood& links, int root)
{
    demand(root >= 0 && root < size_of(links.comm()), MPI_ERR_ROOT);
}

/// Checks a block that this process sends or receives: the MPI library would not report an error on a communicator of
/// the program.
void demand_block(MPI_Count count, MPI_Datatype type)
{
    demand(count >= 0, MPI_ERR_COUNT);
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
}

} // namespace

bool is_graph(MPI_Comm comm)
{
    const int kind = topology_kind(comm);
    return kind == MPI_DIST_GRAPH || kind == MPI_GRAPH;
}

bool has_neighborhoods(MPI_Comm comm)
{
    return is_graph(comm) || CommAttribute<CartesianNeighborhood>::find(comm) != nullptr;
}

NeighborhoodServices services_of(MPI_Comm comm, const CallForm& call_form)
{
    demand_request(call_form);
    if (CartesianNeighborhood* const cartesian = CommAttribute<CartesianNeighborhood>::find(comm))
        return {cartesian->carrier(comm), cartesian->reducer(comm)};
    GraphLinks* links = CommAttribute<GraphLinks>::find(comm);
    if (links == nullptr && call_form.completion == Completion::nonblocking) {
        log(LogLevel::error, "a nonblocking collective of neighborhoods is not possible on a communicator made by "
                             "MPI_Comm_idup, before a blocking one or a persistent request");
        throw Refused{{MPI_ERR_UNSUPPORTED_OPERATION}};
    }
    if (links == nullptr)
        links = &make_links(comm);
    return {links->neighborhood, links->reducer};
}

namespace
{

/// Makes the links of a new communicator, in a program with collectives among neighbors. Collective: over comm.
void prepare_links(MPI_Comm comm)
{
    if (!runtime().active || runtime().settings.semantics != Semantics::orthogonal || comm == MPI_COMM_NULL)
        return;
    try {
        if (has_neighborhoods(comm))
            services_of(comm);
    } catch (const MpiError&) {
        // The first call that needs them reports the error.
    } catch (const NoMemory&) {
        end_without_memory("prepare a communicator");
    }
}

[[maybe_unused]] const bool prepares_links = [] {
    set_preparation(prepare_links);
    return true;
}();

} // namespace

CallPlan barrier_plan(const HopNeighborhood& links)
{
    CallPlan plan;
    for (const int source : links.edges().sources)
        if (source != schedules::no_rank)
            plan.receive(nullptr, 0, MPI_BYTE, source);
    for (const int destination : links.edges().destinations)
        if (destination != schedules::no_rank)
            plan.send(nullptr, 0, MPI_BYTE, destination);
    return plan;
}

CallPlan bcast_plan(const HopNeighborhood& links, void* buffer, MPI_Count count, MPI_Datatype datatype, int root)
{
    demand_block(count, datatype);
    demand_root(links, root);
    const schedules::Edges& edges = links.edges();
    CallPlan plan;
    if (edges.rank != root) {
        if (schedules::count_of(edges.sources, root) > 0)
            plan.receive(buffer, count, datatype, root);
        return plan;
    }
    for (std::size_t i = 0; i < edges.destinations.size(); ++i) {
        const int destination = edges.destinations[i];
        if (destination != root && destination != schedules::no_rank && edges.destination_order[i] == 0)
            plan.send(buffer, count, datatype, destination);
    }
    return plan;
}

CallPlan gather_plan(const HopNeighborhood& links, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     const std::function<UserBlock(int)>& slot, int root)
{
    demand_root(links, root);
    const schedules::Edges& edges = links.edges();
    const bool stays = sendbuf == MPI_IN_PLACE;
    demand(!stays || edges.rank == root, MPI_ERR_BUFFER);
    CallPlan plan;
    for (std::size_t i = 0; edges.rank == root && i < edges.sources.size(); ++i) {
        if (edges.sources[i] == schedules::no_rank || (stays && edges.sources[i] == root))
            continue;
        const UserBlock block = slot(static_cast<int>(i));
        plan.receive(const_cast<void*>(block.address), block.count, block.type, edges.sources[i]);
    }
    const int blocks = stays ? 0 : schedules::count_of(edges.destinations, root);
    if (blocks > 0)
        demand_block(sendcount, sendtype);
    for (int n = 0; n < blocks; ++n)
        plan.send(sendbuf, sendcount, sendtype, root);
    return plan;
}

CallPlan scatter_plan(const HopNeighborhood& links, const std::function<UserBlock(int)>& slot, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    demand_root(links, root);
    const schedules::Edges& edges = links.edges();
    const bool stays = recvbuf == MPI_IN_PLACE;
    demand(!stays || edges.rank == root, MPI_ERR_BUFFER);
    CallPlan plan;
    for (std::size_t i = 0; edges.rank == root && i < edges.destinations.size(); ++i) {
        if (edges.destinations[i] == schedules::no_rank || (stays && edges.destinations[i] == root))
            continue;
        const UserBlock block = slot(static_cast<int>(i));
        plan.send(block.address, block.count, block.type, edges.destinations[i]);
    }
    const int blocks = stays ? 0 : schedules::count_of(edges.sources, root);
    if (blocks > 0)
        demand_block(recvcount, recvtype);
    if (blocks > 1) {
        const auto earlier = std::make_shared<Elements>(1, Reducing(recvcount, recvtype, MPI_OP_NULL));
        for (int n = 1; n < blocks; ++n)
            plan.receive((*earlier)[0], recvcount, recvtype, root);
        plan.kept.push_back(earlier);
    }
    if (blocks > 0)
        plan.receive(recvbuf, recvcount, recvtype, root);
    return plan;
}

void run_planned_call(Call call, HopNeighborhood& links, CallPlan plan, Channel channel, const CallForm& call_form,
                      MPI_Comm comm)
{
    Communicator* const record = links.record();
    SelectionEntry& entry =
        record != nullptr ? record->selection().find_entry(call, {Algorithm::native, schedules::reason::by_messages})
                          : unknown_entry(call, comm);
    links.run_counted(std::move(plan), std::move(channel), entry, call_form, comm);
}

int undefined_on_graphs()
{
    static const int code = []() -> int {
        int error_class = 0;
        if (next.MPI_Add_error_class(&error_class) != MPI_SUCCESS ||
            next.MPI_Add_error_string(error_class, "Hopscotch: Reduce_scatter, Scan and Exscan are not defined on "
                                                   "communicators with a graph topology") != MPI_SUCCESS)
            return MPI_ERR_UNSUPPORTED_OPERATION;
        return error_class;
    }();
    return code;
}

CallPlan reduce_plan(const HopNeighborhood& links, ReduceArguments arguments, int root, const CallForm& call_form)
{
    demand_reduction(arguments.count, arguments.type, arguments.op);
    const schedules::Edges& edges = links.edges();
    demand_root(links, root);
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
    plan.hooks = {[values] { values->prepare(); }, [values] { return values->fold(); }};
    return plan;
}

} // namespace hopscotch::shim
