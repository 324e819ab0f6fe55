// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Owns the private communicator of a set of processes: all our messages travel there, whatever graph they belong to.
#include "shim/mpi/process_group.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process_memory.hpp"
#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/network.hpp"
#include "shim/mpi/node.hpp"
#include "shim/mpi/returned_errors.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sched.h>
#include <string>
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
};

std::atomic<bool> memory_is_unread{false};

struct Machine {
    int processes;
    int cores; // 0: not known
};

/// The cores that any process may use: those that not all must leave alone.
void use_all(CollectiveConsensus consensus, cpu_set_t& cores)
{
    std::array<std::uint64_t, sizeof(cpu_set_t) / sizeof(std::uint64_t)> words;
    const auto turn_round = [&words] {
        std::transform(words.begin(), words.end(), words.begin(), [](std::uint64_t word) { return ~word; });
    };
    std::memcpy(words.data(), &cores, sizeof cores);
    turn_round();
    consensus.common_bits(words.data(), words.size());
    turn_round();
    std::memcpy(&cores, words.data(), sizeof cores);
}

/// How many processes this machine has, and cores that any of them may use. Collective: over node.
Machine look_at_machine(MPI_Comm node)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        CPU_ZERO(&cores);
    int processes = 1;
    check(next.Comm_size(node, &processes));
    use_all(CollectiveConsensus(node), cores);
    // The launcher knows of processes outside this group; MPICH can split one machine into several nodes.
    for (const char* variable : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
        if (const char* launched = std::getenv(variable))
            processes = std::max(processes, std::atoi(launched));
    return {processes, CPU_COUNT(&cores)};
}

/// Of these processes and such that suits(group); null where there is none. Threads may have added them in different
/// orders on different processes: the oldest has the smallest id.
template <class Suits>
std::shared_ptr<ProcessGroup> oldest_group(const std::vector<int>& members, Suits&& suits)
{
    Groups& known = immortal<Groups>();
    std::vector<std::shared_ptr<ProcessGroup>> candidates; // freed after the lock, if they end here
    const LockAmongThreads lock(known.mutex);
    std::shared_ptr<ProcessGroup> oldest;
    for (const auto& weak : known.groups) {
        candidates.push_back(weak.lock());
        const auto& one = candidates.back();
        if (one != nullptr && one->members() == members && suits(*one) &&
            (oldest == nullptr || one->id() < oldest->id()))
            oldest = one;
    }
    return oldest;
}

int largest_tag() // Open MPI 5 says it of MPI_COMM_WORLD only
{
    void* value = nullptr;
    int found = 0;
    check(next.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found));
    return found != 0 ? *static_cast<int*>(value) : 32767;
}

} // namespace

ProcessGroup::ProcessGroup(MPI_Comm comm, std::vector<int> members, std::int64_t id, const Settings& settings)
    : members_(std::move(members)), id_(id)
{
    check(next.Comm_rank(comm, &rank_));
    check(next.Comm_split(comm, 0, rank_, &communicator_));
    try {
        check(next.Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN));
        check(next.Comm_size(communicator_, &size_));
        largest_tag_ = largest_tag();
        MPI_Comm node = split_by_node(communicator_);
        const Machine machine = look_at_machine(node);
        const bool crowded = machine.cores > 0 && machine.processes > machine.cores;
        yields_ = settings.yield == Yield::always || (settings.yield == Yield::automatic && crowded);
        if (settings.yield == Yield::automatic && machine.cores >= machine.processes)
            limit_waiting_threads(machine.cores / machine.processes);
        const auto leader = static_cast<int>(CollectiveConsensus(node).minimum(rank_));
        const bool reads = !settings.one_copy_bytes || reads_node(node, settings.ptracer);
        check(next.Comm_free(&node));
        const bool all_read = gather_nodes(leader, reads);
        if (!all_read)
            memory_is_unread = true;
        else if (settings.one_copy_bytes)
            lent_from_bytes_ = std::max<std::size_t>(*settings.one_copy_bytes, 1);
        // Processes that share cores would measure time slices.
        if (nodes() > 1)
            network_ = agree_on_network(communicator_, *node_map_, settings.trial_calls && !any_yields_);
    } catch (...) {
        next.Comm_free(&communicator_); // the last context, perhaps, which the program may want
        throw;
    }
}

/// Whether this process reads the memory of the next one on its node; with a container's own namespaces around some of
/// them, or other users, one process of the node cannot. Collective: over node.
bool ProcessGroup::reads_node(MPI_Comm node, bool let_others)
{
    if (let_others)
        let_processes_read();
    int rank = 0;
    int size = 0;
    check(next.Comm_rank(node, &rank));
    check(next.Comm_size(node, &size));
    const MemoryProof own = own_memory_proof();
    std::vector<MemoryProof> all(static_cast<std::size_t>(size));
    check(next.Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, node));
    for (const MemoryProof& proof : all)
        process_ids_.push_back(proof.process);
    const MemoryProof& other = all[static_cast<std::size_t>((rank + 1) % size)];
    const bool reads = reads_memory_of(other);
    if (!reads)
        log(LogLevel::info,
            "large blocks are copied twice on nodes: this process does not read the memory of process " +
                std::to_string(other.process) + " (process_vm_readv: Yama, seccomp or a container)");
    return reads;
}

/// Fills node_map_ from the lowest rank on each process's node, and finds whether any gives way. Whether all read the
/// memory of others.
bool ProcessGroup::gather_nodes(int leader, bool reads)
{
    constexpr int gives_way = 1;
    constexpr int cannot_read = 2;
    const int own[2] = {leader, (yields_ ? gives_way : 0) | (reads ? 0 : cannot_read)};
    std::vector<int> all(static_cast<std::size_t>(size_) * 2);
    check(next.Allgather(own, 2, MPI_INT, all.data(), 2, MPI_INT, communicator_));
    std::vector<int> leaders;
    int said = 0;
    for (std::size_t i = 0; i < all.size(); i += 2) {
        leaders.push_back(all[i]);
        said |= all[i + 1];
    }
    node_map_ = std::make_shared<const schedules::Nodes>(schedules::nodes_of(leaders));
    for (const std::vector<int>& ranks : node_map_->ranks)
        most_on_node_ = std::max(most_on_node_, static_cast<int>(ranks.size()));
    any_yields_ = (said & gives_way) != 0;
    return (said & cannot_read) == 0;
}

/// Someone may have told this process that a call takes long, when it had left that: MPICH from 5 on raises an error
/// for a message that nobody has taken.
ProcessGroup::~ProcessGroup()
{
    if (!mpi_goes_on() || communicator_ == MPI_COMM_NULL)
        return;
    try {
        const ReturnedErrors returned;
        next.Comm_free(&communicator_);
    } catch (const MpiError&) {
        // It stays.
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
    return oldest_group(members, [](const ProcessGroup& group) { return group.has_tags(); });
}

std::shared_ptr<ProcessGroup> find_group(const std::vector<int>& members, std::int64_t id)
{
    return oldest_group(members, [id](const ProcessGroup& group) { return group.id() == id; });
}

std::shared_ptr<ProcessGroup> create_group(MPI_Comm comm, const std::vector<int>& members, std::int64_t id,
                                           const Settings& settings)
{
    auto created = std::make_shared<ProcessGroup>(comm, members, id, settings);
    std::shared_ptr<ProcessGroup> previous = created; // freed after the lock
    Groups& known = immortal<Groups>();
    const LockAmongThreads lock(known.mutex);
    auto& groups = known.groups;
    const auto is_gone = [](const std::weak_ptr<ProcessGroup>& weak) { return weak.expired(); };
    groups.erase(std::remove_if(groups.begin(), groups.end(), is_gone), groups.end());
    groups.push_back(created);
    known.last.swap(previous);
    return created;
}

bool some_memory_is_unread() noexcept
{
    return memory_is_unread;
}

void release_last_group() noexcept
{
    immortal<Groups>().last.reset();
}

} // namespace hopscotch::shim
