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

/// Exchanges destination_order over all kinds of native calls; what arrives in slot j is the order of the edge that
/// ends there. Slots of MPI_PROC_NULL neighbors keep their 0.
class EdgeOrderProbe
{
  public:
    EdgeOrderProbe(MPI_Comm comm, const Graph& graph)
        : comm_(comm), blocking_works_(blocking_works(comm, graph)), sent_(graph.edges.destination_order),
          in_(graph.edges.sources.size()), out_(sent_.size()), ones_(std::max(in_, out_) + 1, 1),
          displacements_(ones_.size()), byte_displacements_(ones_.size()), types_(ones_.size(), MPI_INT)
    {
        for (std::size_t i = 0; i < ones_.size(); ++i) {
            displacements_[i] = static_cast<int>(i);
            byte_displacements_[i] = static_cast<MPI_Aint>(i * sizeof(int));
        }
        sent_.resize(sent_.size() + 1); // never an empty buffer
    }

    std::vector<int> alltoall()
    {
        if (!blocking_works_)
            return ialltoall();
        std::vector<int> received = slots();
        check(next.Neighbor_alltoall(sent_.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm_));
        return cut(std::move(received));
    }

    std::vector<int> alltoallv()
    {
        if (!blocking_works_)
            return ialltoallv();
        std::vector<int> received = slots();
        check(next.Neighbor_alltoallv(sent_.data(), ones_.data(), displacements_.data(), MPI_INT, received.data(),
                                      ones_.data(), displacements_.data(), MPI_INT, comm_));
        return cut(std::move(received));
    }

    std::vector<int> alltoallw()
    {
        if (!blocking_works_)
            return ialltoallw();
        std::vector<int> received = slots();
        check(next.Neighbor_alltoallw(sent_.data(), ones_.data(), byte_displacements_.data(), types_.data(),
                                      received.data(), ones_.data(), byte_displacements_.data(), types_.data(), comm_));
        return cut(std::move(received));
    }

    std::vector<int> ialltoall()
    {
        return waited([&](int* received, MPI_Request* request) {
            return next.Ineighbor_alltoall(sent_.data(), 1, MPI_INT, received, 1, MPI_INT, comm_, request);
        });
    }

    std::vector<int> ialltoallv()
    {
        return waited([&](int* received, MPI_Request* request) {
            return next.Ineighbor_alltoallv(sent_.data(), ones_.data(), displacements_.data(), MPI_INT, received,
                                            ones_.data(), displacements_.data(), MPI_INT, comm_, request);
        });
    }

    std::vector<int> ialltoallw()
    {
        return waited([&](int* received, MPI_Request* request) {
            return next.Ineighbor_alltoallw(sent_.data(), ones_.data(), byte_displacements_.data(), types_.data(),
                                            received, ones_.data(), byte_displacements_.data(), types_.data(), comm_,
                                            request);
        });
    }

  private:
    std::vector<int> slots() const { return std::vector<int>(in_ + 1, 0); }

    std::vector<int> cut(std::vector<int> received) const
    {
        received.resize(in_);
        return received;
    }

    template <class StartCall>
    std::vector<int> waited(StartCall start)
    {
        std::vector<int> received = slots();
        MPI_Request request = MPI_REQUEST_NULL;
        check(start(received.data(), &request));
        check(next.Wait(&request, MPI_STATUS_IGNORE));
        return cut(std::move(received));
    }

    MPI_Comm comm_;
    bool blocking_works_;
    std::vector<int> sent_;
    std::size_t in_;
    std::size_t out_;
    std::vector<int> ones_;
    std::vector<int> displacements_;
    std::vector<MPI_Aint> byte_displacements_;
    std::vector<MPI_Datatype> types_;
};

} // namespace

void learn_parallel_edges(MPI_Comm comm, Graph& graph)
{
    auto orders = std::make_shared<Graph::SourceOrders>();
    const auto order = [&orders](Matching matching, Completion completion) -> std::vector<int>& {
        return (*orders)[static_cast<std::size_t>(matching)][static_cast<std::size_t>(completion)];
    };
    EdgeOrderProbe probe(comm, graph);
    graph.edges.source_order = probe.alltoall();
    order(Matching::alltoallv, Completion::blocking) = probe.alltoallv();
    order(Matching::alltoall, Completion::nonblocking) = probe.ialltoall();
    order(Matching::alltoallv, Completion::nonblocking) = probe.ialltoallv();

    // MPICH 4.0.2 mixes up the degrees of MPI_Neighbor_alltoallw and hangs where they differ; there its v form speaks.
    if (!graph.unequal_degrees) {
        order(Matching::alltoallw, Completion::blocking) = probe.alltoallw();
        order(Matching::alltoallw, Completion::nonblocking) = probe.ialltoallw();
    } else {
        order(Matching::alltoallw, Completion::blocking) = order(Matching::alltoallv, Completion::blocking);
        order(Matching::alltoallw, Completion::nonblocking) = order(Matching::alltoallv, Completion::nonblocking);
    }
    // Persistent forms run the schedule of the nonblocking ones in MPICH and Open MPI.
    for (const Matching matching : {Matching::alltoall, Matching::alltoallv, Matching::alltoallw})
        order(matching, Completion::persistent) = order(matching, Completion::nonblocking);
    graph.source_orders = std::move(orders);
}

} // namespace hopscotch::shim
