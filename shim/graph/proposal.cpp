// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/proposal.hpp"

#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>

namespace hopscotch::shim
{

namespace
{

/// Differs between versions of the shim that cannot work together.
constexpr std::int64_t protocol_version = 2;

std::atomic<std::int64_t> next_serial{1}; // serials of communicators with this process as their first

/// The hash of the addresses of a call site; 0 for none.
std::int64_t hash_of(const std::vector<void*>* call_site)
{
    if (call_site == nullptr)
        return 0;
    std::uint64_t hash = schedules::hash_begin;
    for (void* address : *call_site)
        hash = schedules::hash_with(hash, reinterpret_cast<std::uintptr_t>(address));
    return schedules::comparable(hash);
}

/// The values of this process for the agreement. Local.
Agreement own_values(const Proposal& proposal)
{
    const Origin& origin = proposal.origin;
    const schedules::Edges& edges = proposal.graph->edges;
    Agreement own;
    own.set_range(Field::version_max, Field::version_min, protocol_version);
    own.set_range(Field::settings_max, Field::settings_min, schedules::comparable(proposal.settings_hash));
    own.set_range(Field::hints_max, Field::hints_min, hash_of(origin.hints));
    own.set_range(Field::algorithms_max, Field::algorithms_min,
                  origin.algorithms ? schedules::number_of(*origin.algorithms) : 0);
    own[Field::missing_ranks] = !schedules::all_exist(edges, proposal.graph->ranks);
    const std::int64_t out_degree = schedules::degree(edges.destinations);
    own.set_range(Field::out_degree_max, Field::out_degree_min, out_degree);
    own.set_range(Field::in_degree_max, Field::in_degree_min, schedules::degree(edges.sources));
    own[Field::parallel_edges] = schedules::has_repeats(edges.destinations) || schedules::has_repeats(edges.sources);
    own[Field::unequal_degrees] = edges.sources.size() != edges.destinations.size();
    own[Field::device_buffers] = static_cast<std::int64_t>(device_buffers());
    own[Field::root] = schedules::encode_root(out_degree, edges.rank);
    const std::int64_t group = proposal.group != nullptr ? proposal.group->id() : 0;
    own.set_range(Field::group_max, Field::group_min, group);
    own[Field::no_claim] = proposal.own_world.is_held() ? 0 : 1;
    own.set_range(Field::segment_max, Field::segment_min, proposal.spare != nullptr ? proposal.spare->id() : 0);
    own.set_range(Field::kept_max, Field::kept_min, proposal.kept != nullptr ? proposal.kept->id : 0);
    if (edges.rank == 0) {
        own[Field::tag_block] = group != 0 ? proposal.group->take_block() : 0;
        own[Field::serial] = next_serial++;
        own[Field::call_site] = hash_of(origin.call_site);
    }
    own[Field::keeps_ranks] = static_cast<std::int64_t>(origin.reordering);
    own[Field::passed_original] = proposal.graph->is_ready() ? 0 : 1; // for a duplicate: the state of the
                                                                      // original so far
    own[Field::unused_before] = -unused_so_far(proposal.site);
    own[Field::brief_before] = -brief_so_far(proposal.site);
    return own;
}

} // namespace

SetUpInputs inputs_of(const Proposal& proposal, const std::shared_ptr<ProcessGroup>& group)
{
    return {proposal.settings_hash, group,         proposal.topology_kind,    proposal.graph->edges,
            proposal.origin.hints,  proposal.grid, proposal.origin.algorithms};
}

/// Without memory of ours: a process that has none left must know this, too, before it can leave the others.
bool is_within_world(MPI_Comm comm)
{
    const CommGroup processes(comm);
    const CommGroup world(MPI_COMM_WORLD);
    MPI_Group inside = MPI_GROUP_NULL; // never empty: this process is
    check(next.MPI_Group_intersection(processes.get(), world.get(), &inside));
    int known = 0;
    const int code = next.MPI_Group_size(inside, &known);
    check(next.MPI_Group_free(&inside));
    check(code);
    int all = 0;
    check(next.MPI_Group_size(processes.get(), &all));
    return known == all;
}

void give_up(CollectiveConsensus& consensus)
{
    Agreement agreed;
    std::fill(std::begin(agreed.values), std::end(agreed.values), std::numeric_limits<std::int64_t>::min());
    agreed[Field::given_up] = 1;
    consensus.maxima(agreed.values, Agreement::count);
}

std::unique_ptr<Proposal> propose(CollectiveConsensus& consensus, Origin origin, std::uint64_t settings_hash)
{
    const MPI_Comm comm = consensus.communicator();
    auto proposal = std::make_unique<Proposal>();
    proposal->comm = comm;
    check(next.MPI_Topo_test(comm, &proposal->topology_kind));
    if (origin.created_by == Call::MPI_Dist_graph_create_adjacent && proposal->topology_kind != MPI_DIST_GRAPH)
        throw MpiError{MPI_ERR_TOPOLOGY}; // Open MPI 5.0.7 with a Cartesian parent: its own functions fail on it
    const auto graph =
        origin.duplicate_of != nullptr ? std::make_shared<Graph>(*origin.duplicate_of) : std::make_shared<Graph>();
    if (origin.duplicate_of == nullptr) {
        graph->edges = neighbor_lists(comm, proposal->topology_kind);
        proposal->grid = origin.grid.has_value()
                             ? origin.grid
                             : cartesian_grid(proposal->topology_kind == MPI_CART ? comm : origin.parent);
    }
    proposal->members = world_ranks(comm);
    proposal->group = find_group(proposal->members);
    if (proposal->group != nullptr)
        proposal->spare = Segment::take_spare(*proposal->group);
    else
        proposal->own_world.take(proposal->members);
    graph->created_by = origin.created_by;
    graph->ranks = static_cast<int>(proposal->members.size());
    proposal->graph = graph;
    const std::uint64_t first = proposal->members.front();
    proposal->site =
        schedules::hash_with(schedules::hash_with(hash_of(origin.call_site), first), proposal->members.size());
    proposal->origin = std::move(origin);
    proposal->settings_hash = settings_hash;
    if (proposal->group != nullptr && proposal->origin.duplicate_of == nullptr)
        proposal->kept = find_kept_graph(inputs_of(*proposal, proposal->group));
    proposal->agreement = own_values(*proposal);
    return proposal;
}

} // namespace hopscotch::shim
