// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/process_group.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/group_processes.hpp"
#include "shim/group/network.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

namespace
{

struct Groups {
    std::mutex mutex;
    std::vector<std::weak_ptr<ProcessGroup>> groups;
    std::shared_ptr<ProcessGroup> last; // stays: programs make graphs of the same processes one after the other
    std::shared_ptr<ProcessGroup> over_own_world; // stays, since no other group can be made there
    std::optional<schedules::OneCopyLimits> one_copy;
};

std::atomic<bool> memory_is_unread{false};
std::atomic<bool> cores_are_too_few{false};

/// True if this process can read the memory of the next one on its node; with a container's own namespaces around some
/// of them, or other users, one process of the node cannot.
bool reads_next_mate(const std::vector<NodeMate>& mates, int rank)
{
    const auto next_mate =
        std::find_if(mates.begin(), mates.end(), [=](const NodeMate& mate) { return mate.rank > rank; });
    const MemoryProof& memory = (next_mate != mates.end() ? *next_mate : mates.front()).memory;
    const bool reads = reads_memory_of(memory);
    if (!reads)
        log(LogLevel::info,
            "large blocks are copied twice on nodes: this process does not read the memory of process " +
                std::to_string(memory.process) + " (process_vm_readv: Yama, seccomp or a container)");
    return reads;
}

/// `bytes`: the value of HOPSCOTCH_ONE_COPY. `tries`: true if calls may find the faster way.
schedules::OneCopyLimits limits_of(std::size_t bytes, bool tries)
{
    if (bytes != automatic_bytes)
        return {std::max<std::size_t>(bytes, 1), 0, false};
    const long cache = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L);
    const long page = sysconf(_SC_PAGESIZE);
    return schedules::one_copy_limits(static_cast<std::size_t>(page), static_cast<std::size_t>(cache), tries);
}

/// Messages that have come and that nobody will take: of a set-up that failed, or of a process that has told others of
/// its waiting. The library may give the number of a freed communicator, with its messages, to a new one.
void take_leftovers(MPI_Comm comm)
try {
    while (arrived_message(comm, MPI_ANY_SOURCE, MPI_ANY_TAG))
        continue;
} catch (const MpiError&) {
    // They stay.
}

/// True if the MPI library can make two more communicators: one for requests of ours, and the last one is the
/// program's.
bool leaves_two()
{
    MPI_Comm left[] = {make_alone(), make_alone()};
    bool are_made = true;
    for (MPI_Comm& one : left) {
        are_made = are_made && one != MPI_COMM_NULL;
        if (one != MPI_COMM_NULL)
            next.MPI_Comm_free(&one);
    }
    return are_made;
}

} // namespace

ProcessGroup::ProcessGroup(std::vector<int> members, std::int64_t id, const Settings& settings, bool over_own_world)
    : owns_communicator_(!over_own_world), members_(std::move(members)), id_(id)
{
    communicator_ = owns_communicator_ ? make_private(members_, id) : own_world();
    try {
        check(next.MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN));
        check(next.MPI_Comm_rank(communicator_, &rank_));
        check(next.MPI_Comm_size(communicator_, &size_));
        largest_tag_ = largest_tag();
        if (settings.one_copy_bytes && settings.ptracer)
            let_processes_read();
        const bool is_known = !owns_communicator_ && !nodes_of_world().empty();
        const auto [first, mates] = learn_processes(communicator_, own_tag, is_known ? &nodes_of_world() : nullptr);
        std::vector<UsableCores> cores;
        for (const NodeMate& mate : mates) {
            process_ids_.push_back(mate.memory.process);
            cores.push_back(mate.cores);
        }
        due_share_ = cores_per_process(cores, launched_here(mates.size()));
        const bool too_few = due_share_ < 1.0;
        if (too_few)
            cores_are_too_few = true;
        yields_ = settings.yield == Yield::always || (settings.yield == Yield::automatic && too_few);
        const bool reads = !settings.one_copy_bytes || reads_next_mate(mates, rank_);
        node_map_ = schedules::nodes_of(first);
        for (const std::vector<int>& ranks : node_map_.ranks)
            most_on_node_ = std::max(most_on_node_, static_cast<int>(ranks.size()));
        const bool leaves_enough = !owns_communicator_ || leaves_two();
        std::int64_t agreed[] = {yields_ ? 1 : 0, reads ? 0 : 1, leaves_enough ? 0 : 1};
        CollectiveConsensus(communicator_).maxima(agreed, std::size(agreed));
        any_yields_ = agreed[0] != 0;
        const bool all_read = agreed[1] == 0;
        if (agreed[2] != 0)
            throw MpiError{MPI_ERR_OTHER};
        if (!all_read)
            memory_is_unread = true;
        else if (settings.one_copy_bytes)
            one_copy_ = limits_of(*settings.one_copy_bytes, settings.trial_calls.has_value());
        // Processes that share cores would measure time slices.
        if (nodes() > 1)
            network_ = agree_on_network(communicator_, node_map_, settings.trial_calls && !any_yields_);
    } catch (...) {
        if (owns_communicator_)
            next.MPI_Comm_free(&communicator_); // perhaps the last context, which the program may want
        throw;
    }
}

/// A neighbor may have announced a long wait in a call after this process had left it: MPICH from 5 on raises an error
/// for a message that no process has received.
ProcessGroup::~ProcessGroup()
{
    if (!mpi_goes_on() || communicator_ == MPI_COMM_NULL || !owns_communicator_)
        return;
    try {
        take_leftovers(communicator_);
        const ReturnedErrors returned;
        next.MPI_Comm_free(&communicator_);
    } catch (const MpiError&) {
        // It stays.
    } catch (const NoMemory&) {
        // It stays, too, with a message.
    }
}

bool ProcessGroup::reaches(std::int64_t block) const noexcept
{
    return (block + 1) * TagBlock::count - 1 <= largest_tag_;
}

TagBlock ProcessGroup::tags(std::int64_t block) const
{
    if (!reaches(block))
        throw MpiError{MPI_ERR_TAG};
    return TagBlock{static_cast<int>(block * TagBlock::count)};
}

std::shared_ptr<ProcessGroup> find_group(const std::vector<int>& members)
{
    Groups& all_groups = immortal<Groups>();
    std::vector<std::shared_ptr<ProcessGroup>> candidates; // freed after the lock, if they end here
    const LockAmongThreads lock(all_groups.mutex);
    std::shared_ptr<ProcessGroup> oldest;
    for (const auto& weak : all_groups.groups) {
        candidates.push_back(weak.lock());
        const auto& one = candidates.back();
        if (one != nullptr && one->members() == members && one->has_tags() &&
            (oldest == nullptr || one->id() < oldest->id()))
            oldest = one;
    }
    return oldest;
}

std::shared_ptr<ProcessGroup> create_group(const std::vector<int>& members, std::int64_t id, const Settings& settings,
                                           bool over_own_world)
{
    auto created = std::make_shared<ProcessGroup>(members, id, settings, over_own_world);
    std::shared_ptr<ProcessGroup> previous = created; // freed after the lock
    Groups& all_groups = immortal<Groups>();
    const LockAmongThreads lock(all_groups.mutex);
    auto& groups = all_groups.groups;
    const auto is_gone = [](const std::weak_ptr<ProcessGroup>& weak) { return weak.expired(); };
    groups.erase(std::remove_if(groups.begin(), groups.end(), is_gone), groups.end());
    groups.push_back(created);
    if (created->most_on_node() > 1 && created->one_copy())
        all_groups.one_copy = created->one_copy();
    all_groups.last.swap(previous);
    if (over_own_world)
        all_groups.over_own_world = created;
    return created;
}

std::optional<schedules::OneCopyLimits> last_one_copy() noexcept
{
    const LockAmongThreads lock(immortal<Groups>().mutex);
    return immortal<Groups>().one_copy;
}

bool some_memory_is_unread() noexcept
{
    return memory_is_unread;
}

bool cores_are_shared() noexcept
{
    return cores_are_too_few;
}

void receive_leftovers() noexcept
{
    Groups& all_groups = immortal<Groups>();
    const LockAmongThreads lock(all_groups.mutex);
    for (const auto& weak : all_groups.groups)
        if (const std::shared_ptr<ProcessGroup> group = weak.lock(); group != nullptr)
            take_leftovers(group->communicator());
    if (own_world() != MPI_COMM_NULL)
        take_leftovers(own_world()); // of a set-up that failed
}

void release_groups() noexcept
{
    immortal<Groups>().last.reset();
    immortal<Groups>().over_own_world.reset();
    free_own_world();
}

} // namespace hopscotch::shim
