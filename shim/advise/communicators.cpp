// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The communicators of one process and the windows over them, with the neighbors of those that have a topology.
#include "shim/advise/communicators.hpp"

#include "shim/base/no_memory.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_communicators = 256;
constexpr std::size_t most_windows = 64;

struct WindowRecord {
    MPI_Win handle{};
    int communicator = -1; // -1: a free place
};

CommunicatorRecord communicators[most_communicators];
WindowRecord windows[most_windows];
int last_used = 0; // of the communicators

int world_rank_in(MPI_Group group, int rank)
{
    MPI_Group world = MPI_GROUP_NULL;
    int translated = MPI_UNDEFINED;
    if (rank >= 0 && next.MPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        next.MPI_Group_translate_ranks(group, 1, &rank, world, &translated);
        next.MPI_Group_free(&world);
    }
    return translated == MPI_UNDEFINED ? -1 : translated;
}

std::vector<int> ranks_of(std::vector<int> list)
{
    std::sort(list.begin(), list.end());
    return list;
}

/// Kept for good: there are few communicators, and fewer with a topology. Null if the lists cannot be read.
const TopologyNeighbors* neighbors_on(MPI_Comm comm, int topology)
{
    try {
        const schedules::Edges edges = neighbor_lists(comm, topology);
        return new TopologyNeighbors{ranks_of(edges.destinations), ranks_of(edges.sources)};
    } catch (const MpiError&) {
        return nullptr;
    } catch (const NoMemory&) {
        return nullptr;
    }
}

void learn(CommunicatorRecord& known, MPI_Comm comm)
{
    known.handle = comm;
    known.used = true;
    int inter = 0;
    next.MPI_Comm_test_inter(comm, &inter);
    known.inter = inter != 0;
    next.MPI_Comm_size(comm, &known.size);
    next.MPI_Comm_rank(comm, &known.rank);
    known.first = world_rank_of(comm, known.inter, 0);
    known.middle = world_rank_of(comm, known.inter, known.size / 2);
    known.last = world_rank_of(comm, known.inter, known.size - 1);
    known.topology = MPI_UNDEFINED;
    if (!known.inter)
        next.MPI_Topo_test(comm, &known.topology);
    if (known.topology != MPI_UNDEFINED)
        known.neighbors = neighbors_on(comm, known.topology);
    int dimensions = 0;
    if (known.topology == MPI_CART && next.MPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS && dimensions <= 8) {
        int coordinates[8];
        known.dimensions = dimensions;
        next.MPI_Cart_get(comm, dimensions, known.dims, known.periods, coordinates);
    }
}

/// True if messages on one communicator count as those on the other: programs make and free the same one often.
bool are_alike(const CommunicatorRecord& one, const CommunicatorRecord& other)
{
    return one.inter == other.inter && one.size == other.size && one.first == other.first &&
           one.middle == other.middle && one.last == other.last && one.dimensions == other.dimensions &&
           one.topology == other.topology && (one.neighbors != nullptr) == (other.neighbors != nullptr) &&
           (one.neighbors == nullptr || *one.neighbors == *other.neighbors) &&
           std::equal(one.dims, one.dims + one.dimensions, other.dims) &&
           std::equal(one.periods, one.periods + one.dimensions, other.periods);
}

} // namespace

int world_rank_of(MPI_Comm comm, bool inter, int rank)
{
    MPI_Group group = MPI_GROUP_NULL;
    if (inter || next.MPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return -1;
    const int translated = world_rank_in(group, rank);
    next.MPI_Group_free(&group);
    return translated;
}

bool CommunicatorRecord::leads_to(int peer, Direction direction) const
{
    if (neighbors == nullptr)
        return true;
    const std::vector<int>& list = direction == Direction::out ? neighbors->destinations : neighbors->sources;
    return std::binary_search(list.begin(), list.end(), peer);
}

int communicator_of(MPI_Comm comm)
{
    const CommunicatorRecord& last = communicators[last_used];
    if (last.used && !last.freed && last.handle == comm)
        return last_used;
    std::size_t place = 0;
    for (; place < most_communicators - 1 && communicators[place].used; ++place)
        if (!communicators[place].freed && communicators[place].handle == comm)
            return last_used = static_cast<int>(place);
    CommunicatorRecord added;
    learn(added, comm);
    for (std::size_t other = 0; other < place; ++other)
        if (communicators[other].freed && are_alike(communicators[other], added))
            place = other;
    if (place == most_communicators - 1)
        added.neighbors = nullptr; // this place is not of one communicator
    if (!communicators[place].used || communicators[place].freed)
        communicators[place] = added;
    return last_used = static_cast<int>(place);
}

const CommunicatorRecord& communicator_record(int index)
{
    return communicators[index];
}

void forget_communicator(MPI_Comm comm) noexcept
{
    for (CommunicatorRecord& each : communicators)
        each.freed = each.freed || (each.used && each.handle == comm);
}

bool keep_window(MPI_Win window, MPI_Comm comm)
{
    WindowRecord* const room =
        std::find_if(std::begin(windows), std::end(windows), [](const auto& each) { return each.communicator < 0; });
    if (room == std::end(windows))
        return false;
    *room = {window, communicator_of(comm)};
    return true;
}

int communicator_of_window(MPI_Win window) noexcept
{
    for (const WindowRecord& each : windows)
        if (each.communicator >= 0 && each.handle == window)
            return each.communicator;
    return -1;
}

void forget_window(MPI_Win window) noexcept
{
    for (WindowRecord& each : windows)
        if (each.handle == window)
            each = {};
}

} // namespace hopscotch::shim
