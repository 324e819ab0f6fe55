// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/call/registry.hpp"

#include "shim/base/immortal.hpp"
#include "shim/mpi/comm_attribute.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <array>
#include <mutex>

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
    Attached(std::shared_ptr<Communicator> its_record, schedules::reason::Row reason,
             const std::optional<Algorithms>& asked, MPI_Comm of = MPI_COMM_NULL)
        : record(std::move(its_record)), why_not(reason), algorithms(asked), comm(of)
    {
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;
    ~Attached();

    /// Duplicates get records of their own, for which processes must agree: blocking calls do so right after the
    /// duplication. Processes cannot agree at the call of MPI_Comm_idup, and nothing announces its completion: this
    /// reason stays. A communicator without a record has duplicates without.
    std::unique_ptr<Attached> copy() const
    try {
        return record != nullptr
                   ? std::make_unique<Attached>(nullptr, schedules::reason::made_later, record->graph().algorithms)
                   : std::make_unique<Attached>(nullptr, why_not, algorithms);
    } catch (const NoMemory&) {
        return nullptr; // its calls will be counted for another reason
    }

    std::shared_ptr<Communicator> record;
    schedules::reason::Row why_not;
    std::optional<Algorithms> algorithms;
    MPI_Comm comm; // of the record
};

/// MPI deletes the attribute: the program frees the communicator. Requests may still use the record.
Attached::~Attached()
{
    if (record == nullptr)
        return;
    const auto samples = [](const auto& entry) { return entry->sample.requests > 0; };
    const auto& entries = record->selection().entries();
    if (runtime().active && std::any_of(entries.begin(), entries.end(), samples)) {
        Registry& all = immortal<Registry>();
        const LockAmongThreads lock(all.mutex);
        if (const auto room = std::find(all.kept.begin(), all.kept.end(), nullptr); room != all.kept.end())
            *room = record;
    }
    const std::weak_ptr<Communicator> used = record;
    record = nullptr;
    if (const std::shared_ptr<Communicator> by_requests = used.lock())
        by_requests->note_freed(comm);
}

using Attachments = CommAttribute<Attached>;

/// The attachment of a communicator; null without one. A wrong communicator is an error of the program's MPI call.
const Attached* attached_to(MPI_Comm comm)
try {
    return Attachments::find(comm);
} catch (const Refused&) {
    return nullptr;
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
    Attachments::set(comm, std::make_unique<Attached>(std::move(record), why_not, algorithms, comm));
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
    const Attached* const attached = Attachments::find_listed(comm);
    return attached != nullptr ? attached->record.get() : nullptr;
}

std::shared_ptr<Communicator> share_communicator(MPI_Comm comm)
{
    const Attached* const attached = Attachments::find_listed(comm);
    return attached != nullptr ? attached->record : nullptr;
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
    Attachments::for_each([&records](const Attached& attached) {
        if (attached.record != nullptr)
            records.emplace(attached.record->key(), attached.record);
    });
    const LockAmongThreads lock(immortal<Registry>().mutex);
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
