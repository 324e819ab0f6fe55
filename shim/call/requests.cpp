// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking and persistent operations of the program by their MPI_Request, and measures the program's time
// in MPI for them, under any algorithm.
#include "shim/call/requests.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"
#include "shim/selection/trial_in_flight.hpp"

#include <algorithm>
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

/// The MPI library makes progress. Now and then we look for persistent requests that functions we do not wrap have
/// started.
void catch_up_with_all()
{
    constexpr unsigned looks_per_search = 256;
    static unsigned looks = 0; // one thread at a time
    static bool searching = false;
    wake_waiting();
    if (searching || ++looks % looks_per_search != 0)
        return;
    searching = true;
    const auto stop = [](bool* on) { *on = false; };
    const std::unique_ptr<bool, decltype(stop)> stops(&searching, stop);
    guarded("MPI_Start", MPI_COMM_WORLD, [] {
        std::vector<std::shared_ptr<TimedOperation>> persistent;
        {
            Tracked& all = immortal<Tracked>();
            const std::lock_guard<std::mutex> lock(all.mutex);
            for (const auto& [handle, operation] : all.by_handle)
                persistent.push_back(operation);
        }
        for (const auto& operation : persistent)
            if (Request* const ours = ours_of(operation))
                ours->catch_up();
        return MPI_SUCCESS;
    });
}

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

void TimedOperation::count_call(const SentMessages& sent, int code) noexcept
{
    if (!counting())
        return;
    add_call(entry_, sent, 0, code);
    if (site_ != nullptr)
        count_site(entry_, *site_, 1, 0);
}

void NativeRequest::note_start(std::uint64_t elapsed) noexcept
{
    static std::mutex mutex; // several threads may start requests of one entry
    add_ticks(elapsed);
    const std::lock_guard<std::mutex> lock(mutex);
    count_call(sent_, MPI_SUCCESS);
}

void follow(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent)
{
    const MPI_Request* const request = call.form.request;
    if (request == nullptr || *request == MPI_REQUEST_NULL) // wrong, and yet the library says success
        return;
    try {
        track(*request, std::make_shared<NativeRequest>(entry, share_communicator(call.comm), sent));
    } catch (const NoMemory&) {
        // The time to complete is not counted.
    }
}

void note_native(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent)
{
    if (call.code == MPI_SUCCESS)
        follow(entry, call, sent);
    if (call.is_counted() && counting())
        count_begun(entry, sent, call.elapsed, call.code);
}

Request::Request(SelectionEntry& entry, std::shared_ptr<Communicator> record, MPI_Comm comm, bool persistent)
    : TimedOperation(entry, std::move(record)), comm_(comm), token_(*this, persistent)
{
    if (persistent && runtime().library_drives)
        look_along(catch_up_with_all);
}

void Request::activate()
{
    error_ = MPI_SUCCESS;
    complete_.set(false);
    active_.set();
    if (persistent())
        token_.start();
}

void Request::become_complete() noexcept
{
    token_.complete();
    complete_.set();
}

void Request::retire() noexcept
{
    if (persistent())
        token_.end();
    active_.set(false);
}

void Request::catch_up()
{
    if (!persistent() || (active() && !complete()))
        return;
    if (active() && token_.was_ended_elsewhere())
        active_.set(false);
    if (!active() && token_.was_started_elsewhere())
        set_off(tracked(handle()), ticks());
}

void Request::drive()
{
    look_around();
    if (!complete() && yields())
        give_way();
}

void Request::end_elsewhere() noexcept
{
    if (!complete())
        disown();
    forget(handle(), this);
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

void look_around()
{
    thread_local unsigned looks = 0;
    progress();
    if (own_world() != MPI_COMM_NULL)
        poll_now_and_then(looks, own_world(), 1024); // most calls end after few looks
}

void set_off(const std::shared_ptr<TimedOperation>& operation, std::uint64_t begin)
{
    Request* const request = operation->ours();
    request->start();
    progress(); // those before it first: a second look at this one would come too early
    enlist({operation, request});
    request->add_ticks(ticks() - begin);
}

MPI_Request give_request(const std::shared_ptr<TimedOperation>& operation, std::uint64_t begin)
{
    const Request* const request = operation->ours();
    track(request->handle(), operation);
    if (!request->persistent())
        set_off(operation, begin);
    return request->handle();
}

bool program_holds_persistent_requests() noexcept
{
    Tracked& all = immortal<Tracked>();
    const std::lock_guard<std::mutex> lock(all.mutex);
    return std::any_of(all.by_handle.begin(), all.by_handle.end(), [](const auto& one) {
        Request* const ours = ours_of(one.second);
        return ours != nullptr && ours->persistent();
    });
}

void drain()
{
    constexpr double most_seconds = 2.0;
    Patience patience;
    while (anything_in_flight() && patience.spent() < most_seconds) {
        progress();
        give_way();
    }
}

} // namespace hopscotch::shim
