// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/parallel_edges.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <numeric>

namespace hopscotch::shim
{

namespace
{

/// True if blocking native calls are possible at all: those of Open MPI 4.1.4 end the program if a list holds
/// MPI_PROC_NULL, unless the communicator is Cartesian. Collective: over comm.
bool blocking_works(MPI_Comm comm, const Graph& graph)
{
#ifdef OPEN_MPI
    const auto holds_null = [](const std::vector<int>& ranks) {
        return std::count(ranks.begin(), ranks.end(), schedules::no_rank) > 0;
    };
    int kind = MPI_UNDEFINED;
    check(next.MPI_Topo_test(comm, &kind));
    return CollectiveConsensus(comm).all(kind == MPI_CART ||
                                         !(holds_null(graph.edges.sources) || holds_null(graph.edges.destinations)));
#else
    static_cast<void>(comm);
    static_cast<void>(graph);
    return true;
#endif
}

/// Exchanges destination_order over any kind of native call; slot j receives the order of the edge that ends there.
/// Slots of MPI_PROC_NULL neighbors keep their 0.
class EdgeOrderProbe
{
  public:
    EdgeOrderProbe(MPI_Comm comm, const Graph& graph)
        : comm_(comm), blocking_works_(blocking_works(comm, graph)), sent_(graph.edges.destination_order),
          in_(graph.edges.sources.size()), ones_(std::max(in_, sent_.size()) + 1, 1), displacements_(ones_.size()),
          byte_displacements_(ones_.size()), types_(ones_.size(), MPI_INT)
    {
        std::iota(displacements_.begin(), displacements_.end(), 0);
        std::transform(displacements_.begin(), displacements_.end(), byte_displacements_.begin(),
                       [](MPI_Aint place) { return place * MPI_Aint{sizeof(int)}; });
        sent_.resize(sent_.size() + 1); // never an empty buffer
    }

    std::vector<int> ask_blocking(Matching matching)
    {
        if (!blocking_works_)
            return ask_nonblocking(matching);
        std::vector<int> received(in_ + 1); // never an empty buffer
        exchange(matching, received.data(), next.MPI_Neighbor_alltoall, next.MPI_Neighbor_alltoallv,
                 next.MPI_Neighbor_alltoallw);
        received.resize(in_);
        return received;
    }

    std::vector<int> ask_nonblocking(Matching matching)
    {
        std::vector<int> received(in_ + 1);
        MPI_Request request = MPI_REQUEST_NULL;
        exchange(matching, received.data(), next.MPI_Ineighbor_alltoall, next.MPI_Ineighbor_alltoallv,
                 next.MPI_Ineighbor_alltoallw, &request);
        check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
        received.resize(in_);
        return received;
    }

  private:
    /// Calls the function of a kind; `request`: its address, or nothing.
    template <class Alltoall, class Alltoallv, class Alltoallw, class... Request>
    void exchange(Matching matching, int* received, Alltoall alltoall, Alltoallv alltoallv, Alltoallw alltoallw,
                  Request... request) const
    {
        switch (matching) {
        case Matching::alltoall:
            return check(alltoall(sent_.data(), 1, MPI_INT, received, 1, MPI_INT, comm_, request...));
        case Matching::alltoallv:
            return check(alltoallv(sent_.data(), ones_.data(), displacements_.data(), MPI_INT, received, ones_.data(),
                                   displacements_.data(), MPI_INT, comm_, request...));
        case Matching::alltoallw:
            return check(alltoallw(sent_.data(), ones_.data(), byte_displacements_.data(), types_.data(), received,
                                   ones_.data(), byte_displacements_.data(), types_.data(), comm_, request...));
        }
    }

    MPI_Comm comm_;
    bool blocking_works_;
    std::vector<int> sent_;
    std::size_t in_;
    std::vector<int> ones_;
    std::vector<int> displacements_;
    std::vector<MPI_Aint> byte_displacements_;
    std::vector<MPI_Datatype> types_;
};

} // namespace

void learn_parallel_edges(MPI_Comm comm, Graph& graph)
{
    auto orders = std::make_shared<std::array<Graph::SourceOrders, 3>>();
    EdgeOrderProbe probe(comm, graph);
    for (const Matching matching : {Matching::alltoall, Matching::alltoallv, Matching::alltoallw}) {
        // MPICH 4.0.2 mixes up the degrees of MPI_Neighbor_alltoallw and hangs if they differ; its v form gives the
        // answer.
        const bool hangs = matching == Matching::alltoallw && graph.unequal_degrees;
        const Matching asked = hangs ? Matching::alltoallv : matching;
        (*orders)[static_cast<std::size_t>(matching)] = {probe.ask_blocking(asked), probe.ask_nonblocking(asked)};
    }
    graph.edges.source_order = orders->front().blocking;
    graph.source_orders = std::move(orders);
}

} // namespace hopscotch::shim
