// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the program is in MPI for its nonblocking and persistent neighborhood collectives, whoever carries
// them.
#include "shim/call/timed_requests.hpp"

#include "shim/call/counting.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace hopscotch::shim
{

Handles handles;

namespace
{

struct Natives {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, std::shared_ptr<NativeRequest>> by_handle;
};

Natives& natives()
{
    static auto* all = new Natives;
    return *all;
}

std::uintptr_t key_of(MPI_Request handle)
{
    return (std::uintptr_t)handle;
} // an int or a pointer

/// The library gives handles again, even one to several requests that are complete from the start: the last one counts.
void remember(MPI_Request handle, std::shared_ptr<NativeRequest> request)
{
    Natives& all = natives();
    const std::lock_guard<std::mutex> lock(all.mutex);
    std::shared_ptr<NativeRequest>& followed = all.by_handle[key_of(handle)];
    if (followed == nullptr)
        ++handles.of(handle);
    followed.swap(request); // the former one is destroyed after the lock is given up
}

/// `only`: unless another request has the handle by now; null: whatever it is.
void forget(MPI_Request handle, const NativeRequest* only) noexcept
{
    std::shared_ptr<NativeRequest> request; // destroyed after the lock is given up
    Natives& all = natives();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(key_of(handle));
    if (found == all.by_handle.end() || (only != nullptr && found->second.get() != only))
        return;
    request = std::move(found->second);
    all.by_handle.erase(found);
    --handles.of(handle);
}

} // namespace

TimedOperation::TimedOperation(SelectionEntry& entry) : entry_(entry)
{
    if (runtime().settings.callsites == Callsites::call)
        site_ = &capture_call_site();
}

void TimedOperation::add_ticks(std::uint64_t elapsed) noexcept
{
    if (!counting())
        return;
    entry_.ticks_of_requests += elapsed;
    if (site_ != nullptr)
        count_site(entry_, *site_, 0, elapsed);
}

NativeRequest::NativeRequest(Completion completion, SelectionEntry& entry, std::shared_ptr<Communicator> communicator,
                             std::size_t block_bytes)
    : TimedOperation(entry), communicator_(std::move(communicator)), block_bytes_(block_bytes),
      active_(completion == Completion::nonblocking)
{
}

int NativeRequest::start(MPI_Request* handle) noexcept
{
    const std::uint64_t begin = ticks();
    const int code = next.Start(handle);
    note_start(ticks() - begin, code);
    return code;
}

void NativeRequest::note_start(std::uint64_t elapsed, int code) noexcept
{
    static std::mutex mutex; // several threads may start requests of one entry
    active_.set(code == MPI_SUCCESS);
    add_ticks(elapsed);
    if (!counting())
        return;
    const std::lock_guard<std::mutex> lock(mutex);
    add_native_call(entry_, block_bytes_, code);
    if (site_ != nullptr)
        count_site(entry_, *site_, 1, 0);
}

void follow(SelectionEntry& entry, const NativeCall& call, std::size_t block_bytes)
{
    if (*call.request == MPI_REQUEST_NULL)
        return;
    try {
        remember(*call.request,
                 std::make_shared<NativeRequest>(call.completion, entry, share_communicator(call.comm), block_bytes));
    } catch (const std::bad_alloc&) {
        // What it takes to complete is not counted.
    }
}

void note_native(SelectionEntry& entry, const NativeCall& call, std::size_t block_bytes)
{
    if (call.is_counted())
        count_native(entry, call.elapsed, block_bytes, call.code);
    if (call.code == MPI_SUCCESS)
        follow(entry, call, block_bytes);
}

std::shared_ptr<NativeRequest> find_native(MPI_Request handle)
{
    if (!concerns_us(handle))
        return nullptr;
    Natives& all = natives();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(key_of(handle));
    return found == all.by_handle.end() ? nullptr : found->second;
}

void forget_native(MPI_Request handle) noexcept
{
    if (concerns_us(handle))
        forget(handle, nullptr);
}

TimedCall::~TimedCall()
{
    const std::uint64_t share = (ticks() - begin_) / std::max<std::size_t>(ours_.size() + natives_.size(), 1);
    for (const auto& operation : ours_)
        operation->add_ticks(share);
    for (const Native& native : natives_) {
        native.request->add_ticks(share);
        if (requests_[native.index] != native.handle)
            forget(native.handle, native.request.get());
    }
}

void TimedCall::add(std::shared_ptr<TimedOperation> ours) noexcept
{
    try {
        ours_.push_back(std::move(ours));
    } catch (const std::bad_alloc&) {
        // Not counted.
    }
}

void TimedCall::add_native(int index) noexcept
{
    try {
        const MPI_Request handle = requests_[index];
        std::shared_ptr<NativeRequest> native = find_native(handle);
        if (native != nullptr && native->active())
            natives_.push_back({index, handle, std::move(native)});
    } catch (const std::bad_alloc&) {
        // Not counted.
    }
}

void TimedCall::complete(int index) noexcept
{
    const auto found = std::lower_bound(natives_.begin(), natives_.end(), index,
                                        [](const Native& native, int wanted) { return native.index < wanted; });
    if (found != natives_.end() && found->index == index)
        found->request->retire();
}

void TimedCall::complete_all() noexcept
{
    for (const Native& native : natives_)
        native.request->retire();
}

} // namespace hopscotch::shim
