// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Notes calls in tables of fixed sizes. A call costs two time stamps, a look at the table of sites and, with a message,
// one at the table of peers.
#include "shim/advise/record.hpp"

#include "shim/base/clock.hpp"
#include "shim/blocks/type_description.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_records = 8192; // powers of two
constexpr std::size_t most_requests = 4096;

/// A request in use, or one that was.
struct WatchedRequest {
    std::uintptr_t number = 0; // 0: a free place
    int site = 0;              // that made it
    int record = 0;            // of its message, if it is persistent; else -1
};

struct Tables {
    PeerRecord records[most_records];
    WatchedRequest requests[most_requests];
    std::size_t record_count = 0;
    std::uint64_t left_out = 0;
};
static_assert(sizeof(Tables) < 3 << 19, "with the call sites as much as docs/advice.md promises");

Tables tables; // all zero, so that it takes only the pages that are used

struct State {
    unsigned epoch = 1;          // of exchanges: a wait for what was posted ends one
    bool waited = false;         // since the last post
    unsigned phase = 1;          // a wait for a receive ends one
    bool received = false;       // since the last post
    int in_flight = -1;          // the site of the last post that nobody has waited for yet
    int first = -1;              // the first site of this exchange that posted
    int first_way[2] = {-1, -1}; // by Direction
};
State state;
std::atomic<bool> watching{false};
std::mutex mutex;
thread_local bool inside = false;

void learn_type(PeerRecord& record, MPI_Datatype type)
{
    record.type = type;
    try {
        record.named = envelope_of(type).combiner == MPI_COMBINER_NAMED;
    } catch (const MpiError&) {
        record.named = false;
    }
}

/// -1 for access to a window: `comm` is MPI_COMM_NULL.
int world_peer(int communicator, int peer, MPI_Comm comm)
{
    return comm != MPI_COMM_NULL ? world_rank_of(comm, communicator_record(communicator).inter, peer) : -1;
}

int record_of(int site, int communicator, int peer, Direction direction, MPI_Comm comm)
{
    const std::uint64_t key = (std::uint64_t{static_cast<unsigned>(peer)} << 32) + (std::uint64_t{1} << 31) +
                              (static_cast<std::uint64_t>(site) << 10) +
                              (static_cast<std::uint64_t>(communicator) << 1) + static_cast<std::uint64_t>(direction);
    std::size_t place = mixed(key) % most_records;
    while (tables.records[place].key != 0 && tables.records[place].key != key)
        place = (place + 1) % most_records;
    PeerRecord& record = tables.records[place];
    if (record.key == 0) {
        if (4 * tables.record_count >= 3 * most_records)
            return ++tables.left_out, -1;
        ++tables.record_count;
        record.key = key;
        record.site = site;
        record.communicator = communicator;
        record.peer = peer;
        record.world_peer = world_peer(communicator, peer, comm);
        record.direction = direction;
        record.off_topology = !communicator_record(communicator).leads_to(peer, direction);
        record.type = MPI_DATATYPE_NULL;
    }
    return static_cast<int>(place);
}

void begin_exchange()
{
    ++state.epoch;
    state.first = state.first_way[0] = state.first_way[1] = -1;
}

/// Notes the other sites of the exchange in which this one posts.
void note_company(int index, Direction direction)
{
    CallSite& site = call_site(index);
    if (state.first < 0)
        state.first = index;
    site.first = state.first;
    const int way = direction == Direction::in ? 1 : 0;
    if (state.first_way[way] < 0)
        state.first_way[way] = index;
    const int other = state.first_way[1 - way];
    if (other < 0)
        return;
    site.other_way = other;
    if (call_site(other).other_way < 0)
        call_site(other).other_way = index;
}

/// `of_any`: see of_any_caller.
void count_message(PeerRecord& record, Posting posting, PeerRecord& of_any)
{
    const bool over = state.waited;
    if (state.waited && posting != Posting::blocking) {
        begin_exchange();
        state.waited = false;
    } else if (posting == Posting::blocking && of_any.epoch == state.epoch) {
        begin_exchange(); // a blocking call is over when the next begins
    }
    if (state.received && posting != Posting::blocking) {
        ++state.phase;
        state.received = false;
    }
    record.phase = state.phase;
    if (record.messages == 0)
        record.first_epoch = state.epoch;
    note_company(record.site, record.direction);
    const auto bytes = static_cast<std::uint64_t>(record.count * record.size);
    record.least = record.messages == 0 ? bytes : std::min(record.least, bytes);
    record.most = std::max(record.most, bytes);
    record.bytes += bytes;
    ++record.messages;
    record.exchanges += record.epoch != state.epoch ? 1 : 0;
    record.epoch = of_any.epoch = state.epoch;
    CallSite& site = call_site(record.site);
    site.receives = site.receives || record.direction == Direction::in;
    if (posting == Posting::blocking)
        return;
    if (!over && state.in_flight >= 0 && state.in_flight != record.site && site.overlaps < 0)
        site.overlaps = state.in_flight;
    state.in_flight = record.site;
}

/// The record of the same messages by the first caller of their place, which notes the last exchange of all callers.
PeerRecord& of_any_caller(PeerRecord& record, MPI_Comm comm)
{
    const CallSite& site = call_site(record.site);
    const int first =
        site.is_other ? record_of(site.of_first, record.communicator, record.peer, record.direction, comm) : -1;
    return first >= 0 ? tables.records[first] : record;
}

/// The place that holds a request, else a free one, else one of another that is forgotten.
WatchedRequest& watched(MPI_Request request)
{
    constexpr std::size_t window = 16;
    const std::uintptr_t number = number_of(request) + 1;
    const std::size_t first = mixed(number) % most_requests;
    WatchedRequest* best = &tables.requests[first];
    for (std::size_t i = 0; i < window; ++i) {
        WatchedRequest& each = tables.requests[(first + i) % most_requests];
        if (each.number == number)
            return each;
        if (each.number == 0 && best->number != 0)
            best = &each;
    }
    return *best;
}

} // namespace

Watch::Watch(Function function, const void* address, const void* frame) noexcept : outermost_(!inside)
{
    if (!outermost_)
        return;
    inside = true;
    if (!watching.load(std::memory_order_relaxed))
        return;
    const LockAmongThreads lock(mutex);
    site_ = site_of(function, address, frame);
}

Watch::~Watch()
{
    if (outermost_)
        inside = false;
}

void Watch::begin() noexcept
{
    if (site_ >= 0)
        begin_ = ticks();
}

void Watch::end() noexcept
{
    if (site_ < 0)
        return;
    elapsed_ = ticks() - begin_;
    const LockAmongThreads lock(mutex);
    CallSite& site = call_site(site_);
    ++site.calls;
    site.ticks += elapsed_;
}

void Watch::message(Direction direction, Posting posting, MPI_Count count, MPI_Datatype type, int peer, MPI_Comm comm)
{
    if (site_ < 0 || comm == MPI_COMM_NULL)
        return;
    const LockAmongThreads lock(mutex);
    if (peer < 0) {
        (peer == MPI_ANY_SOURCE ? call_site(site_).wildcards : call_site(site_).nobody) = true;
        return;
    }
    const int place = record_of(site_, communicator_of(comm), peer, direction, comm);
    if (place < 0)
        return;
    PeerRecord& record = tables.records[place];
    const bool is_other = record.type != type;
    if (is_other)
        learn_type(record, type);
    if (is_other || !record.named) { // the handle of a type that was freed may be that of another one
        MPI_Count size = 0;
        next.MPI_Type_size_x(type, &size);
        record.size = size;
    }
    record.count = count;
    prepared_ = posting == Posting::persistent ? place : -1;
    if (posting != Posting::persistent)
        count_message(record, posting, of_any_caller(record, comm));
}

void Watch::made(MPI_Request request) noexcept
{
    if (site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    watched(request) = {number_of(request) + 1, site_, prepared_};
}

void Watch::starts(int count, const MPI_Request requests[]) noexcept
{
    if (site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    for (int i = 0; i < count; ++i) {
        const WatchedRequest& known = watched(requests[i]);
        if (known.number != number_of(requests[i]) + 1 || known.record < 0)
            continue;
        count_message(tables.records[known.record], Posting::persistent, tables.records[known.record]);
        of_site_ = known.site;
    }
}

void Watch::started() noexcept
{
    if (site_ < 0 || of_site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    CallSite& posted = call_site(of_site_);
    posted.start_ticks += elapsed_;
    posted.started_at = site_;
}

void Watch::forget(MPI_Request request) noexcept
{
    if (site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    WatchedRequest& known = watched(request);
    if (known.number == number_of(request) + 1)
        known = {};
}

void Watch::completes(int count, const MPI_Request requests[]) noexcept
{
    constexpr int most_looks = 16; // requests of one exchange stand together
    if (site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    bool found = false;
    for (int i = 0, looks = 0; i < count && looks < most_looks; ++i) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        ++looks;
        if (!found)
            of_site_ = state.in_flight;
        const WatchedRequest& known = watched(requests[i]);
        if (known.number != number_of(requests[i]) + 1)
            continue;
        of_site_ = found ? of_site_ : known.site;
        found = true;
        of_receive_ = of_receive_ || call_site(known.site).receives;
    }
}

void Watch::waited() noexcept
{
    if (site_ < 0 || of_site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    CallSite& posted = call_site(of_site_);
    posted.wait_ticks += elapsed_;
    posted.waited_at = site_;
    state.waited = true;
    state.received = state.received || of_receive_;
}

void Watch::leaves(MPI_Comm comm) noexcept
{
    if (!watching)
        return;
    const LockAmongThreads lock(mutex);
    forget_communicator(comm);
}

void Watch::opens(MPI_Win window, MPI_Comm comm)
{
    if (site_ < 0)
        return;
    const LockAmongThreads lock(mutex);
    if (!keep_window(window, comm))
        ++tables.left_out;
}

void Watch::closes(MPI_Win window) noexcept
{
    if (!watching)
        return;
    const LockAmongThreads lock(mutex);
    forget_window(window);
}

void Watch::access(int peer, MPI_Win window)
{
    if (site_ < 0 || peer < 0)
        return;
    const LockAmongThreads lock(mutex);
    const int communicator = communicator_of_window(window);
    if (communicator < 0 || communicator_record(communicator).leads_to(peer, Direction::out))
        return;
    const int place = record_of(site_, communicator, peer, Direction::out, MPI_COMM_NULL);
    if (place >= 0)
        ++tables.records[place].messages;
}

void set_watching(bool on) noexcept
{
    watching = on;
}

std::vector<const PeerRecord*> peer_records()
{
    std::vector<const PeerRecord*> found;
    for (const PeerRecord& record : tables.records)
        if (record.messages != 0)
            found.push_back(&record);
    return found;
}

std::uint64_t left_out_calls() noexcept
{
    return tables.left_out + left_out_sites();
}

std::string name_of_type(const PeerRecord& record)
{
    if (!record.named)
        return {};
    const auto get_name = reinterpret_cast<int (*)(MPI_Datatype, char*, int*)>(symbol_behind("PMPI_Type_get_name"));
    char text[MPI_MAX_OBJECT_NAME] = {};
    int length = 0;
    return get_name != nullptr && get_name(record.type, text, &length) == MPI_SUCCESS ? text : "";
}

} // namespace hopscotch::shim
