// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns from the MPI library which of several edges between two processes ends in which slot.
#include "shim/graph/parallel_edges.hpp"

#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// Whether the blocking native calls may be made at all: those of Open MPI 4.1.4 end the program where a list holds
/// MPI_PROC_NULL, unless the communicator is Cartesian. Collective: over comm.
bool blocking_works(MPI_Comm comm, const Graph& graph)
{
#ifdef OPEN_MPI
    const auto holds_null = [](const std::vector<int>& ranks) {
        return std::count(ranks.begin(), ranks.end(), schedules::no_rank) > 0;
    };
    int kind = MPI_UNDEFINED;
    check(next.Topo_test(comm, &kind));
    return CollectiveConsensus(comm).all(kind == MPI_CART ||
                                         !(holds_null(graph.edges.sources) || holds_null(graph.edges.destinations)));
#else
    static_cast<void>(comm);
    static_cast<void>(graph);
    return true;
#endif
}

/// Exchanges destination_order over any kind of native call; what arrives in slot j is the order of the edge that
/// ends there. Slots of MPI_PROC_NULL neighbors keep their 0.
class EdgeOrderProbe
{
  public:
    EdgeOrderProbe(MPI_Comm comm, const Graph& graph)
        : comm_(comm), blocking_works_(blocking_works(comm, graph)), sent_(graph.edges.destination_order),
          in_(graph.edges.sources.size()), ones_(std::max(in_, sent_.size()) + 1, 1), displacements_(ones_.size()),
          byte_displacements_(ones_.size()), types_(ones_.size(), MPI_INT)
    {
        for (std::size_t i = 0; i < ones_.size(); ++i) {
            displacements_[i] = static_cast<int>(i);
            byte_displacements_[i] = static_cast<MPI_Aint>(i * sizeof(int));
        }
        sent_.resize(sent_.size() + 1); // never an empty buffer
    }

    std::vector<int> ask(Matching matching, Completion completion)
    {
        std::vector<int> received(in_ + 1, 0); // never an empty buffer
        MPI_Request request = MPI_REQUEST_NULL;
        if (completion == Completion::blocking && blocking_works_)
            check(call(matching, received.data()));
        else
            check(start(matching, received.data(), &request));
        check(next.Wait(&request, MPI_STATUS_IGNORE));
        received.resize(in_);
        return received;
    }

  private:
    int call(Matching matching, int* received) const
    {
        switch (matching) {
        case Matching::alltoall:
            return next.Neighbor_alltoall(sent_.data(), 1, MPI_INT, received, 1, MPI_INT, comm_);
        case Matching::alltoallv:
            return next.Neighbor_alltoallv(sent_.data(), ones_.data(), displacements_.data(), MPI_INT, received,
                                           ones_.data(), displacements_.data(), MPI_INT, comm_);
        case Matching::alltoallw:
            return next.Neighbor_alltoallw(sent_.data(), ones_.data(), byte_displacements_.data(), types_.data(),
                                           received, ones_.data(), byte_displacements_.data(), types_.data(), comm_);
        }
        return MPI_ERR_INTERN;
    }

    int start(Matching matching, int* received, MPI_Request* request) const
    {
        switch (matching) {
        case Matching::alltoall:
            return next.Ineighbor_alltoall(sent_.data(), 1, MPI_INT, received, 1, MPI_INT, comm_, request);
        case Matching::alltoallv:
            return next.Ineighbor_alltoallv(sent_.data(), ones_.data(), displacements_.data(), MPI_INT, received,
                                            ones_.data(), displacements_.data(), MPI_INT, comm_, request);
        case Matching::alltoallw:
            return next.Ineighbor_alltoallw(sent_.data(), ones_.data(), byte_displacements_.data(), types_.data(),
                                            received, ones_.data(), byte_displacements_.data(), types_.data(), comm_,
                                            request);
        }
        return MPI_ERR_INTERN;
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
    auto orders = std::make_shared<Graph::SourceOrders>();
    EdgeOrderProbe probe(comm, graph);
    for (const Matching matching : {Matching::alltoall, Matching::alltoallv, Matching::alltoallw}) {
        // MPICH 4.0.2 mixes up the degrees of MPI_Neighbor_alltoallw and hangs where they differ; its v form speaks.
        const bool hangs = matching == Matching::alltoallw && graph.unequal_degrees;
        auto& order = (*orders)[static_cast<std::size_t>(matching)];
        for (const Completion completion : {Completion::blocking, Completion::nonblocking})
            order[static_cast<std::size_t>(completion)] = probe.ask(hangs ? Matching::alltoallv : matching, completion);
        // Persistent forms run the schedule of the nonblocking ones in MPICH and Open MPI.
        order[static_cast<std::size_t>(Completion::persistent)] =
            order[static_cast<std::size_t>(Completion::nonblocking)];
    }
    graph.edges.source_order = (*orders)[0][0];
    graph.source_orders = std::move(orders);
}

} // namespace hopscotch::shim
