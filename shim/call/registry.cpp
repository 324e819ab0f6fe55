// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/call/registry.hpp"

#include "shim/base/immortal.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

namespace hopscotch::shim
{

namespace
{

struct Registry {
    std::mutex mutex;
    std::vector<Communicator*> living;
    std::array<std::shared_ptr<Communicator>, 8> kept; // records of freed graphs, with samples
    UnknownCalls unknown;
    TakeClosed take_closed = nullptr;
};

/// The attribute of a communicator: its record; without one, the reason and the algorithms of an info key.
struct Attached {
    std::shared_ptr<Communicator> record;
    schedules::reason::Row why_not = schedules::reason::none;
    std::optional<Algorithms> algorithms = {};
};

/// Communicators with a record, by handle: from its attachment until the attribute is deleted. MPI is not asked for the
/// attribute of any handle that a program passes, since it would raise an error for a wrong one.
struct RecordedCommunicators {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, const Attached*> by_handle;
};

/// Raised whenever a record goes away, so that no thread trusts the handle it looked up before.
std::atomic<unsigned> generation{0};

std::shared_ptr<Communicator> recorded(MPI_Comm comm)
{
    RecordedCommunicators& all = immortal<RecordedCommunicators>();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_handle.find(number_of(comm));
    return found != all.by_handle.end() ? found->second->record : nullptr;
}

int delete_record(MPI_Comm comm, int, void* value, void*)
{
    ++generation;
    {
        RecordedCommunicators& all = immortal<RecordedCommunicators>();
        const LockAmongThreads lock(all.mutex);
        all.by_handle.erase(number_of(comm));
    }
    auto* const held = static_cast<Attached*>(value);
    const auto samples = [](const auto& entry) { return entry->sample.requests > 0; };
    if (held->record != nullptr && runtime().active &&
        std::any_of(held->record->selection().entries().begin(), held->record->selection().entries().end(), samples)) {
        Registry& all = immortal<Registry>();
        const LockAmongThreads lock(all.mutex);
        if (const auto room = std::find(all.kept.begin(), all.kept.end(), nullptr); room != all.kept.end())
            *room = held->record;
    }
    const std::weak_ptr<Communicator> record = held->record;
    delete held;
    if (const std::shared_ptr<Communicator> used = record.lock()) // by requests
        used->note_freed(comm);
    return MPI_SUCCESS;
}

/// Duplicates get records of their own, for which processes must agree: blocking calls do so right after the
/// duplication. Processes cannot agree at the call of MPI_Comm_idup, and nothing announces its completion: this reason
/// stays. A communicator without a record has duplicates without.
int copy_record(MPI_Comm, int, void*, void* value, void* copy, int* is_copied)
{
    *is_copied = 0;
    const Attached& original = *static_cast<Attached*>(value);
    try {
        const bool had_record = original.record != nullptr;
        *static_cast<void**>(copy) =
            had_record ? new Attached{nullptr, schedules::reason::made_later, original.record->graph().algorithms}
                       : new Attached{nullptr, original.why_not, original.algorithms};
        *is_copied = 1;
    } catch (const NoMemory&) {
        // Its calls will be counted for another reason.
    }
    return MPI_SUCCESS;
}

int communicator_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.MPI_Comm_create_keyval(copy_record, delete_record, &created, nullptr));
        return created;
    }();
    return keyval;
}

/// The attachment of a communicator; null without one. A wrong communicator is an error of the program's MPI call.
const Attached* attached_to(MPI_Comm comm)
{
    void* value = nullptr;
    int found = 0;
    const int code = next.MPI_Comm_get_attr(comm, communicator_keyval(), &value, &found);
    return code == MPI_SUCCESS && found != 0 ? static_cast<const Attached*>(value) : nullptr;
}

/// The attachment of a communicator that may be wrong: MPICH 5 returns MPI_SUCCESS after it has called the program's
/// error handler. Not for others, since setting an error handler and setting it back ends that it is inherited.
const Attached* attached_if_valid(MPI_Comm comm)
{
    const ReturnedErrors returned;
    return attached_to(comm);
}

void attach(MPI_Comm comm, std::shared_ptr<Communicator> record, schedules::reason::Row why_not,
            const std::optional<Algorithms>& algorithms = {})
{
    auto held = std::make_unique<Attached>(Attached{std::move(record), why_not, algorithms});
    check(next.MPI_Comm_set_attr(comm, communicator_keyval(), held.get()));
    const Attached* const attached = held.release(); // delete_record deletes it
    if (attached->record == nullptr)
        return;
    RecordedCommunicators& all = immortal<RecordedCommunicators>();
    const LockAmongThreads lock(all.mutex);
    all.by_handle[number_of(comm)] = attached;
}

/// The program has freed the communicator, and no request uses it any more.
void close(Communicator* communicator) noexcept
{
    const std::unique_ptr<Communicator> ends(communicator);
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    all.living.erase(std::remove(all.living.begin(), all.living.end(), communicator), all.living.end());
    if (all.take_closed != nullptr)
        all.take_closed(*communicator);
}

} // namespace

Communicator* find_communicator(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return nullptr; // the native function reports the error
    struct Recent {
        MPI_Comm comm;
        unsigned generation;
        Communicator* record;
    };
    thread_local Recent recent{};
    const unsigned now = generation;
    if (recent.record != nullptr && recent.comm == comm && recent.generation == now)
        return recent.record;
    recent = {comm, now, recorded(comm).get()};
    return recent.record;
}

std::shared_ptr<Communicator> share_communicator(MPI_Comm comm)
{
    return recorded(comm);
}

void attach_communicator(MPI_Comm comm, std::unique_ptr<Communicator> communicator)
{
    Communicator* const living = communicator.get();
    std::shared_ptr<Communicator> record(communicator.release(), close);
    Registry& all = immortal<Registry>();
    {
        const LockAmongThreads lock(all.mutex);
        all.living.push_back(living);
    }
    attach(comm, std::move(record), schedules::reason::none);
}

std::map<std::uint64_t, std::shared_ptr<Communicator>> lasting_communicators()
{
    std::map<std::uint64_t, std::shared_ptr<Communicator>> records;
    const LockAmongThreads lock(immortal<RecordedCommunicators>().mutex);
    for (const auto& [handle, attached] : immortal<RecordedCommunicators>().by_handle)
        records.emplace(attached->record->key(), attached->record);
    const LockAmongThreads lock_of_kept(immortal<Registry>().mutex);
    for (auto& record : immortal<Registry>().kept)
        if (record != nullptr)
            records[record->key()].swap(record);
    return records;
}

void mark_as_native(MPI_Comm comm, schedules::reason::Row reason)
{
    attach(comm, nullptr, reason);
}

void keep_algorithms(MPI_Comm comm, const Algorithms& algorithms)
{
    const Attached* const attached = attached_to(comm);
    attach(comm, nullptr, attached != nullptr ? attached->why_not : schedules::reason::none, algorithms);
}

std::optional<Algorithms> algorithms_asked_on(MPI_Comm comm)
{
    const Attached* const attached = comm != MPI_COMM_NULL ? attached_to(comm) : nullptr;
    if (attached == nullptr)
        return std::nullopt;
    return attached->record != nullptr ? attached->record->graph().algorithms : attached->algorithms;
}

SelectionEntry& unknown_entry(Call call, MPI_Comm comm)
{
    const Attached* const attached = comm != MPI_COMM_NULL ? attached_if_valid(comm) : nullptr;
    const schedules::reason::Row why_not = attached != nullptr ? attached->why_not : schedules::reason::none;
    return passed_entry(call, why_not != schedules::reason::none ? why_not : schedules::reason::never_seen);
}

SelectionEntry& passed_entry(Call call, schedules::reason::Row reason)
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    SelectionEntry& entry = all.unknown[{call, reason}];
    entry.call = call;
    return entry;
}

void count_passed(SelectionEntry& entry, std::uint64_t elapsed_ticks, int code)
{
    const LockAmongThreads lock(immortal<Registry>().mutex);
    if (counting())
        add_call(entry, {}, elapsed_ticks, code);
}

void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed)
{
    if (!counting())
        return;
    // A failed call may have got no communicator at all.
    count_passed(unknown_entry(call, failed ? MPI_COMM_NULL : comm), elapsed_ticks,
                 failed ? MPI_ERR_OTHER : MPI_SUCCESS);
}

void at_close(TakeClosed take) noexcept
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    all.take_closed = take;
}

void look_at_registry(const std::function<void(const RegisteredCalls&)>& look)
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    look({all.living, all.unknown});
}

void release_communicators() noexcept
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    for (Communicator* communicator : all.living)
        communicator->release();
}

} // namespace hopscotch::shim
