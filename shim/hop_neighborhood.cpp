// Neighborhoods of ours on a communicator of their own: carried like those of the program, or over plain messages.
#include "shim/hop_neighborhood.hpp"

#include "shim/adoption.hpp"
#include "shim/call_layouts.hpp"

#include <algorithm>
#include <dlfcn.h>

namespace hopscotch::shim
{

const int* unweighted() noexcept
{
#ifdef OPEN_MPI
    return MPI_UNWEIGHTED;
#else
    static const int* const value = [] {
        const void* symbol = dlsym(RTLD_DEFAULT, "MPI_UNWEIGHTED");
        return symbol != nullptr ? *static_cast<const int* const*>(symbol) : nullptr;
    }();
    return value;
#endif
}

namespace
{

Communicator* record_of(MPI_Comm comm)
{
    return runtime().active ? find_communicator(comm) : nullptr;
}

/// Null where messages can travel on the private communicator of a record.
std::shared_ptr<PrivateCommunicator> own_communicator(MPI_Comm comm)
{
    const Communicator* const record = record_of(comm);
    return record != nullptr && record->group() != nullptr ? nullptr : std::make_shared<PrivateCommunicator>(comm);
}

} // namespace

CarriedNeighborhood::CarriedNeighborhood(Call created_by, MPI_Comm comm, const Graph& graph)
    : edges_(graph.edges), own_(std::make_shared<PrivateCommunicator>(comm)), comm_(own_->get()), channels_(own_)
{
    adopt_neighborhood(created_by, comm_, graph);
    record_ = record_of(comm_);
}

CarriedNeighborhood::CarriedNeighborhood(MPI_Comm comm, schedules::Edges lists)
    : edges_(std::move(lists)), own_(own_communicator(comm)), comm_(comm), record_(record_of(comm)),
      channels_(own_ != nullptr ? Channels(own_) : Channels(*record_))
{
}

void demand_request(const Completing& completing)
{
    if (!completing.later())
        return;
    demand(completing.request != nullptr, MPI_ERR_ARG);
    demand(completes_requests(), MPI_ERR_UNSUPPORTED_OPERATION);
}

schedules::Edges edges_in_order(int rank, std::vector<int> sources, std::vector<int> destinations)
{
    schedules::Edges edges;
    edges.rank = rank;
    edges.destination_order = schedules::occurrence(destinations);
    edges.source_order = schedules::occurrence(sources);
    edges.destinations = std::move(destinations);
    edges.sources = std::move(sources);
    return edges;
}

void demand_both_ends(MPI_Comm comm, const schedules::Edges& edges)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    std::uint64_t sums[2] = {schedules::imbalance(edges), schedules::all_exist(edges, size) ? 0u : 1u};
    check(next.Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, comm));
    demand(sums[0] == 0 && sums[1] == 0, MPI_ERR_TOPOLOGY);
}

void demand_arguments(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, const void* receive_buffer,
                      MPI_Count receive_count, MPI_Datatype receive_type)
{
    demand(!in_place(send_buffer, receive_buffer), MPI_ERR_BUFFER);
    demand(send_count >= 0 && receive_count >= 0, MPI_ERR_COUNT);
    demand(send_type != MPI_DATATYPE_NULL && receive_type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
}

void demand_types(const MPI_Datatype* types, std::size_t n)
{
    demand(types != nullptr || n == 0, MPI_ERR_ARG);
    demand(std::all_of(types, types + n, [](MPI_Datatype type) { return type != MPI_DATATYPE_NULL; }), MPI_ERR_TYPE);
}

} // namespace hopscotch::shim
