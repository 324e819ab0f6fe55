// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the program is in MPI for its nonblocking and persistent neighborhood collectives, whoever carries
// them.
#include "shim/call/timed_requests.hpp"

#include "shim/base/immortal.hpp"
#include "shim/call/counting.hpp"
#include "shim/call/registry.hpp"
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

TimedOperation::TimedOperation(SelectionEntry& entry) : entry_(entry), tried_(std::move(entry.tried))
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
    add_native_call(entry_, bytes_, code);
    if (site_ != nullptr)
        count_site(entry_, *site_, 1, 0);
}

void follow(SelectionEntry& entry, const NativeCall& call, std::uint64_t bytes)
{
    if (call.request == nullptr || *call.request == MPI_REQUEST_NULL) // wrong, and yet the library says success
        return;
    try {
        track(*call.request, std::make_shared<NativeRequest>(entry, share_communicator(call.comm), bytes));
    } catch (const std::bad_alloc&) {
        // What it takes to complete is not counted.
    }
}

void note_native(SelectionEntry& entry, const NativeCall& call, std::uint64_t bytes)
{
    if (call.is_counted())
        count_native(entry, call.elapsed, bytes, call.code);
    if (call.code == MPI_SUCCESS)
        follow(entry, call, bytes);
}

} // namespace hopscotch::shim
