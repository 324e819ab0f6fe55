// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists all communicators with a record, and holds the attribute that ties them.
#include "shim/call/registry.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/call/communicator_record.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

struct Registry {
    std::mutex mutex;
    std::vector<Communicator*> living;
    std::map<std::uint64_t, std::vector<GraphRecord>> closed;       // of communicators that were freed, by origin
    std::map<std::pair<Call, const char*>, SelectionEntry> unknown; // by function and reason
};

constexpr const char never_seen[] = "the communicator was not made by a call Hopscotch has seen";
constexpr const char made_later[] =
    "the communicator was made by a nonblocking call, during which processes cannot agree";

/// Raised whenever a record goes away, so that no thread trusts the handle it looked up before.
std::atomic<unsigned> generation{0};

/// What is attached to a communicator: its record, or why it has none.
struct Attached {
    std::shared_ptr<Communicator> record;
    const char* why_not = nullptr;
};

int delete_record(MPI_Comm comm, int, void* value, void*)
{
    ++generation;
    auto* const held = static_cast<Attached*>(value);
    if (held->record.use_count() > 1)
        held->record->note_freed(comm);
    delete held;
    return MPI_SUCCESS;
}

thread_local bool duplicating_later = false;

/// Duplicates get records of their own, for which processes must agree. They cannot when MPI_Comm_idup is called, and
/// nothing says when it completes: what it makes gets the reason only. What has no record has duplicates without.
int copy_record(MPI_Comm, int, void*, void* value, void* copy, int* is_copied)
{
    *is_copied = 0;
    const char* const why_not = duplicating_later ? made_later : static_cast<Attached*>(value)->why_not;
    if (why_not == nullptr)
        return MPI_SUCCESS;
    try {
        *static_cast<void**>(copy) = new Attached{nullptr, why_not};
        *is_copied = 1;
    } catch (const std::bad_alloc&) {
        // Its calls will be counted for another reason.
    }
    return MPI_SUCCESS;
}

int communicator_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.Comm_create_keyval(copy_record, delete_record, &created, nullptr));
        return created;
    }();
    return keyval;
}

/// What is attached to the communicator, or null.
const Attached* attached_to(MPI_Comm comm)
{
    void* value = nullptr;
    int found = 0;
    const int code = next.Comm_get_attr(comm, communicator_keyval(), &value, &found);
    return code == MPI_SUCCESS && found != 0 ? static_cast<const Attached*>(value) : nullptr;
}

void attach(MPI_Comm comm, std::shared_ptr<Communicator> record, const char* why_not)
{
    auto held = std::make_unique<Attached>(Attached{std::move(record), why_not});
    check(next.Comm_set_attr(comm, communicator_keyval(), held.get()));
    static_cast<void>(held.release()); // delete_record deletes it
}

/// Programs that make and free the same graph again and again need no more memory for it. All processes of a graph fold
/// alike: what they compare is the same on all of them.
void keep(std::vector<GraphRecord>& closed, GraphRecord record)
{
    for (GraphRecord& other : closed)
        if (appearance(other) == appearance(record))
            return fold(other, record);
    closed.push_back(std::move(record));
}

/// The program has freed the communicator, and nothing goes on with it: its counters are kept for the report.
void close(Communicator* communicator) noexcept
{
    const std::unique_ptr<Communicator> ends(communicator);
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    all.living.erase(std::remove(all.living.begin(), all.living.end(), communicator), all.living.end());
    try {
        keep(all.closed[communicator->origin()], record_of(*communicator));
    } catch (const std::bad_alloc&) {
        // A graph less in the report.
    }
}

} // namespace

Communicator* find_communicator(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return nullptr; // the native function says what is wrong with it
    struct Recent {
        MPI_Comm comm = MPI_COMM_NULL;
        unsigned generation = 0;
        Communicator* record = nullptr;
    };
    thread_local Recent recent;
    const unsigned now = generation;
    if (recent.record != nullptr && recent.comm == comm && recent.generation == now)
        return recent.record;
    const Attached* const attached = attached_to(comm);
    if (attached == nullptr)
        return nullptr;
    recent = {comm, now, attached->record.get()};
    return recent.record;
}

std::shared_ptr<Communicator> share_communicator(MPI_Comm comm)
{
    const Attached* const attached = attached_to(comm);
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
    attach(comm, std::move(record), nullptr);
}

void mark_as_native(MPI_Comm comm, const char* reason)
{
    attach(comm, nullptr, reason);
}

DuplicatingLater::DuplicatingLater() noexcept
{
    duplicating_later = true;
}

DuplicatingLater::~DuplicatingLater()
{
    duplicating_later = false;
}

std::vector<GraphRecord> all_records()
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    std::vector<GraphRecord> records;
    for (const auto& [origin, closed] : all.closed)
        records.insert(records.end(), closed.begin(), closed.end());
    for (const Communicator* communicator : all.living)
        records.push_back(record_of(*communicator));
    for (GraphRecord& record : records)
        complete(record);
    GraphRecord unknown;
    unknown.created_by = "unknown";
    unknown.declined = never_seen;
    for (const auto& [what, entry] : all.unknown) {
        if (entry.counters.calls > 0) {
            OperationCounters& sum = unknown.operations[{name(what.first), name(Algorithm::native), what.second}];
            sum.calls = sum.process_calls = entry.counters.calls;
            sum.failed = entry.counters.failed;
            sum.seconds = seconds(entry.counters.ticks + entry.ticks_of_requests);
        }
    }
    if (!unknown.operations.empty())
        records.push_back(std::move(unknown));
    return records;
}

SelectionEntry& unknown_entry(Call call, MPI_Comm comm)
{
    const Attached* const attached = comm != MPI_COMM_NULL ? attached_to(comm) : nullptr;
    const char* const why_not = attached != nullptr ? attached->why_not : nullptr;
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    SelectionEntry& entry = all.unknown[{call, why_not != nullptr ? why_not : never_seen}];
    entry.call = call;
    return entry;
}

void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed)
{
    // What failed may have got no communicator at all.
    SelectionEntry& entry = unknown_entry(call, failed ? MPI_COMM_NULL : comm);
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    EntryCounters& counters = entry.counters;
    ++counters.calls;
    counters.failed += failed ? 1 : 0;
    counters.ticks += elapsed_ticks;
}

void release_communicators() noexcept
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    for (Communicator* communicator : all.living)
        communicator->release();
}

} // namespace hopscotch::shim
