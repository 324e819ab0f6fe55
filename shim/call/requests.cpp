// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking and persistent operations in the program's hands again by their MPI_Request, and measures how
// long the program is in MPI for them, whoever carries them.
#include "shim/call/requests.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"
#include "shim/selection/trial_in_flight.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace hopscotch::shim
{

Handles handles;

namespace
{

struct Tracked {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, std::shared_ptr<TimedOperation>> by_handle; // null: not any more
};

/// Handles that nobody has. They are kept: freed and made anew, they let persistent requests of MPICH 4.0.2 hang.
struct Tokens {
    std::mutex mutex;
    std::vector<MPI_Request> unused;
};

} // namespace

void track(MPI_Request handle, std::shared_ptr<TimedOperation> operation)
{
    Tracked& all = immortal<Tracked>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    std::shared_ptr<TimedOperation>& behind = all.by_handle[number_of(handle)];
    if (behind == nullptr)
        ++handles.of(handle);
    behind.swap(operation); // the former one is destroyed after the lock is given up
}

std::shared_ptr<TimedOperation> tracked(MPI_Request handle)
{
    if (!concerns_us(handle))
        return nullptr;
    Tracked& all = immortal<Tracked>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(number_of(handle));
    return found == all.by_handle.end() ? nullptr : found->second;
}

void forget(MPI_Request handle, const TimedOperation* only) noexcept
{
    std::shared_ptr<TimedOperation> operation; // destroyed after the lock is given up
    Tracked& all = immortal<Tracked>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(number_of(handle));
    if (found == all.by_handle.end() || found->second == nullptr || (only != nullptr && found->second.get() != only))
        return;
    operation = std::move(found->second);
    --handles.of(handle);
}

TimedOperation::TimedOperation(SelectionEntry& entry, std::shared_ptr<Communicator> record)
    : entry_(entry), record_(std::move(record)), tried_(std::move(entry.tried))
{
    if (runtime().settings.callsites == Callsites::call)
        site_ = &capture_call_site();
}

void TimedOperation::add_ticks(std::uint64_t elapsed) noexcept
{
    if (tried_ != nullptr)
        tried_->add_ticks(elapsed);
    if (!counting())
        return;
    entry_.ticks_of_requests += elapsed;
    if (site_ != nullptr)
        count_site(entry_, *site_, 0, elapsed);
}

void NativeRequest::note_start(std::uint64_t elapsed, int code) noexcept
{
    static std::mutex mutex; // several threads may start requests of one entry
    add_ticks(elapsed);
    if (!counting())
        return;
    const std::lock_guard<std::mutex> lock(mutex);
    add_call(entry_, sent_, 0, code);
    if (site_ != nullptr)
        count_site(entry_, *site_, 1, 0);
}

void follow(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent)
{
    if (call.request == nullptr || *call.request == MPI_REQUEST_NULL) // wrong, and yet the library says success
        return;
    try {
        track(*call.request, std::make_shared<NativeRequest>(entry, share_communicator(call.comm), sent));
    } catch (const NoMemory&) {
        // What it takes to complete is not counted.
    }
}

void note_native(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent)
{
    if (call.is_counted())
        count(entry, sent, call.elapsed, call.code);
    if (call.code == MPI_SUCCESS)
        follow(entry, call, sent);
}

Request::Request(SelectionEntry& entry, std::shared_ptr<Communicator> record, MPI_Comm comm, bool persistent)
    : TimedOperation(entry, std::move(record)), comm_(comm), persistent_(persistent)
{
    Tokens& all = immortal<Tokens>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (all.unused.empty()) {
        check(next.Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &token_));
    } else {
        token_ = all.unused.back();
        all.unused.pop_back();
    }
}

Request::~Request()
{
    Tokens& all = immortal<Tokens>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.unused.push_back(token_);
}

int Request::raise(int code) const
{
    return raise_later(record_.get(), comm_, name(entry_.call), code);
}

int raise_later(Communicator* record, MPI_Comm comm, const char* function, int code)
{
    if (code == MPI_SUCCESS)
        return code;
    if (record != nullptr && record->is_freed())
        record->raise_after_free(function, code);
    else
        raise_error(record != nullptr ? comm : MPI_COMM_WORLD, function, code);
    return code;
}

void set_off(const std::shared_ptr<Request>& request, std::uint64_t begin)
{
    request->start();
    progress(); // those before it first: a second look at this one would come too early
    enlist(request);
    request->add_ticks(ticks() - begin);
}

MPI_Request give_request(const std::shared_ptr<Request>& request, std::uint64_t begin)
{
    track(request->token(), request);
    if (!request->persistent())
        set_off(request, begin);
    return request->token();
}

void drain()
{
    constexpr double most_seconds = 2.0;
    Patience patience;
    while (anything_in_flight() && patience.spent() < most_seconds) {
        progress();
        give_way();
    }
    Tokens& all = immortal<Tokens>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (MPI_Request& token : all.unused)
        next.Request_free(&token);
    all.unused.clear();
}

} // namespace hopscotch::shim
