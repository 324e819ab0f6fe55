// Neighborhoods of ours on a communicator of their own: carried like those of the program, or over plain messages.
#include "shim/hop_neighborhood.hpp"

#include "shim/adoption.hpp"
#include "shim/call_layouts.hpp"
#include "shim/progress.hpp"
#include "shim/returned_errors.hpp"

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

PrivateCommunicator::PrivateCommunicator(MPI_Comm comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    check(next.Comm_group(comm, &group));
    const int code = next.Comm_create(comm, group, &comm_);
    next.Group_free(&group);
    check(code);
    check(next.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
}

PrivateCommunicator::~PrivateCommunicator()
{
    int finalized = 0;
    if (comm_ != MPI_COMM_NULL && next.Finalized(&finalized) == MPI_SUCCESS && finalized == 0)
        next.Comm_free(&comm_);
}

void Transfers::receive(void* buffer, int count, MPI_Datatype type, int source)
{
    requests_.push_back(MPI_REQUEST_NULL);
    keep(next.Irecv(buffer, count, type, source, tag_, comm_, &requests_.back()));
}

void Transfers::send(const void* buffer, int count, MPI_Datatype type, int destination)
{
    requests_.push_back(MPI_REQUEST_NULL);
    keep(next.Isend(buffer, count, type, destination, tag_, comm_, &requests_.back()));
}

int Transfers::finish()
{
    const int n = static_cast<int>(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    int code = MPI_SUCCESS;
    const auto complete = [&] {
        int flag = 0;
        const ReturnedErrors returned;
        code = next.Testall(n, requests_.data(), &flag, statuses.data());
        return flag != 0 || code != MPI_SUCCESS;
    };
    progress_until(complete, give_way);
    if (code == MPI_ERR_IN_STATUS) {
        for (const MPI_Status& status : statuses)
            if (status.MPI_ERROR != MPI_ERR_PENDING)
                keep(status.MPI_ERROR);
    } else {
        keep(code);
    }
    requests_.clear();
    return error_;
}

PrivateNeighborhood::PrivateNeighborhood(Call created_by, MPI_Comm comm, const Graph& graph)
    : comm_(comm), edges_(graph.edges)
{
    adopt_neighborhood(created_by, comm_.get(), graph);
    if (runtime().active)
        record_ = find_communicator(comm_.get());
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

void demand_arguments(const void* send_buffer, int send_count, MPI_Datatype send_type, const void* receive_buffer,
                      int receive_count, MPI_Datatype receive_type)
{
    demand(!in_place(send_buffer, receive_buffer), MPI_ERR_BUFFER);
    demand(send_count >= 0 && receive_count >= 0, MPI_ERR_COUNT);
    demand(send_type != MPI_DATATYPE_NULL && receive_type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
}

void demand_counts(const int* counts, std::size_t n)
{
    demand(counts != nullptr || n == 0, MPI_ERR_ARG);
    demand(std::all_of(counts, counts + n, [](int count) { return count >= 0; }), MPI_ERR_COUNT);
}

void demand_types(const MPI_Datatype* types, std::size_t n)
{
    demand(types != nullptr || n == 0, MPI_ERR_ARG);
    demand(std::all_of(types, types + n, [](MPI_Datatype type) { return type != MPI_DATATYPE_NULL; }), MPI_ERR_TYPE);
}

} // namespace hopscotch::shim
