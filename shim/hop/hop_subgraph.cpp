// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of others in the 2020 paper: bases, and parts that keep their part of the graph.
#include "include/hopscotch.h"
#include "shim/call/attachment.hpp"
#include "shim/hop/hop_graph.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// A communicator of ours in flight: freed unless it is released to the program.
class Temporary
{
  public:
    explicit Temporary(MPI_Comm comm) : comm_(comm) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary()
    {
        if (comm_ != MPI_COMM_NULL)
            next.MPI_Comm_free(&comm_);
    }

    MPI_Comm get() const noexcept { return comm_; }

  private:
    MPI_Comm comm_;
};

/// The lists of a graph communicator. Local.
WeightedLists lists_of(MPI_Comm comm)
{
    const int kind = topology_kind(comm);
    if (kind != MPI_GRAPH)
        return weighted_lists(comm);
    schedules::Edges edges = neighbor_lists(comm, kind);
    return {std::move(edges.sources), {}, std::move(edges.destinations), {}, false};
}

/// Ranks of `graph` as ranks of `part`, without those that are not in it, and their weights.
void keep_members(std::vector<int>& ranks, std::vector<int>& weights, const CommGroup& graph, const CommGroup& part)
{
    const std::vector<int> there = translated(ranks, graph, part);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < there.size(); ++i) {
        if (there[i] == MPI_UNDEFINED)
            continue;
        ranks[kept] = there[i];
        if (!weights.empty())
            weights[kept] = weights[i];
        ++kept;
    }
    ranks.resize(kept);
}

/// The subgraph of `graph` on the processes of `part`. Collective: over part.
MPI_Comm subgraph(MPI_Comm graph, MPI_Comm part)
{
    WeightedLists lists = lists_of(graph);
    const CommGroup all(graph);
    const CommGroup members(part);
    keep_members(lists.sources, lists.source_weights, all, members);
    keep_members(lists.destinations, lists.destination_weights, all, members);
    MPI_Comm made = make_distributed_graph(part, std::move(lists), MPI_INFO_NULL);
    attach_record(Call::MPI_Dist_graph_create_adjacent, &made, MPI_COMM_NULL, MPI_INFO_NULL);
    return made;
}

/// `make(&part)` divides comm; the result has comm's part of the graph.
template <class Make>
int divided(MPI_Comm comm, MPI_Comm* newcomm, Make&& make)
{
    return bordered(comm, [&]() -> int {
        demand(newcomm != nullptr, MPI_ERR_ARG);
        const bool graph = is_graph(comm);
        const int code = make(newcomm);
        if (code != MPI_SUCCESS || !graph || *newcomm == MPI_COMM_NULL)
            return code;
        const Temporary part(*newcomm);
        *newcomm = MPI_COMM_NULL;
        *newcomm = subgraph(comm, part.get());
        return MPI_SUCCESS;
    });
}

/// A communicator of the local group of an inter-communicator. Collective: over both groups.
MPI_Comm local_base(MPI_Comm comm)
{
    MPI_Comm merged = MPI_COMM_NULL;
    check(next.MPI_Intercomm_merge(comm, 0, &merged));
    const Temporary both(merged);
    // Every process of a group takes the place of the group's first process for its color.
    const int color = translated({0}, CommGroup(comm), CommGroup(merged)).front();
    MPI_Comm base = MPI_COMM_NULL;
    check(next.MPI_Comm_split(merged, color, rank_in(comm), &base));
    return base;
}

} // namespace

int Hop_Comm_base(MPI_Comm comm, MPI_Comm* basecomm)
{
    return bordered(comm, [&]() -> int {
        demand(basecomm != nullptr, MPI_ERR_ARG);
        *basecomm = MPI_COMM_NULL;
        if (!is_between_groups(comm))
            return next.MPI_Comm_create(comm, CommGroup(comm).get(), basecomm);
        *basecomm = local_base(comm);
        return MPI_SUCCESS;
    });
}

int Hop_Comm_subgraph(MPI_Comm graphcomm, MPI_Comm subcomm, MPI_Comm* subgraphcomm)
{
    return bordered(graphcomm, [&]() -> int {
        demand(subgraphcomm != nullptr, MPI_ERR_ARG);
        *subgraphcomm = MPI_COMM_NULL;
        demand(subcomm != MPI_COMM_NULL, MPI_ERR_COMM);
        if (!is_graph(graphcomm)) // that of this library, or of the MPI library if that comes first
            return PMPI_Comm_dup(subcomm, subgraphcomm);
        *subgraphcomm = subgraph(graphcomm, subcomm);
        return MPI_SUCCESS;
    });
}

int Hop_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm)
{
    return divided(comm, newcomm, [&](MPI_Comm* part) { return next.MPI_Comm_split(comm, color, key, part); });
}

int Hop_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm)
{
    return divided(comm, newcomm,
                   [&](MPI_Comm* part) { return next.MPI_Comm_split_type(comm, split_type, key, info, part); });
}

int Hop_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm)
{
    return divided(comm, newcomm, [&](MPI_Comm* part) { return next.MPI_Comm_create(comm, group, part); });
}

int Hop_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm)
{
    return divided(comm, newcomm, [&](MPI_Comm* part) { return next.MPI_Comm_create_group(comm, group, tag, part); });
}
