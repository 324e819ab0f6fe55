// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes requests, also where those of ours stand among others.
#include "shim/call/request_array.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/process_group.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// As of a completed collective.
void set_empty(MPI_Status* status) noexcept
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    next.Status_set_elements(status, MPI_BYTE, 0);
    next.Status_set_cancelled(status, 0);
}

MPI_Status* element(MPI_Status* statuses, int index) noexcept
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

/// What the library sets only where there is an error, but is wanted of all once one of ours fails (MPI 4.0, 3.7.5).
void set_successful(MPI_Status* statuses, int count) noexcept
{
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
}

/// Operations in flight advance, and now and then the MPI library: a neighbor may want a message first that needs it.
void look_around()
{
    thread_local unsigned looks = 0;
    progress();
    if (own_world() != MPI_COMM_NULL)
        poll_now_and_then(looks, own_world(), 1024); // most calls end after few looks
}

/// An error of no communicator in particular. Returns the code.
int raise_on_world(int code)
{
    return raise_later(nullptr, MPI_COMM_WORLD, "a call on requests", code);
}

bool can_start(const Request& ours) noexcept
{
    return ours.persistent() && !ours.active();
}

int start_ours(const std::shared_ptr<Request>& ours)
{
    if (!can_start(*ours)) // as the library does, whatever the request's communicator is
        return raise_on_world(MPI_ERR_REQUEST);
    const auto begin_it = [&ours] {
        set_off(ours, ticks());
        return MPI_SUCCESS;
    };
    return guarded_by([&ours](int code) { ours->raise(code); }, begin_it);
}

} // namespace

std::shared_ptr<Request> find_request(MPI_Request handle)
{
    return std::dynamic_pointer_cast<Request>(tracked(handle));
}

int start_one(MPI_Request* handle)
{
    if (!concerns_us(handle))
        return next.Start(handle);
    if (const std::shared_ptr<Request> ours = find_request(*handle))
        return start_ours(ours);
    const std::uint64_t begin = ticks();
    const int code = next.Start(handle);
    if (const auto native = std::dynamic_pointer_cast<NativeRequest>(tracked(*handle)))
        native->note_start(ticks() - begin, code);
    return code;
}

int start_all(int count, MPI_Request* array)
{
    for (int i = 0; i < count; ++i)
        if (const std::shared_ptr<Request> ours = find_request(array[i]); ours != nullptr && !can_start(*ours))
            return raise_on_world(MPI_ERR_REQUEST);
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
        code = start_one(array + i);
    return code;
}

RequestArray::RequestArray(int count, MPI_Request* array) : count_(count), handles_(array), begin_(ticks())
{
    for (int i = 0; i < count; ++i) {
        std::shared_ptr<TimedOperation> operation = tracked(array[i]);
        if (operation == nullptr)
            continue;
        auto* const ours = dynamic_cast<Request*>(operation.get());
        const bool active = ours != nullptr && ours->active();
        if (active && number_++ == 0)
            first_ = ours;
        concerned_.push_back({i, array[i], std::move(operation), active ? ours : nullptr});
    }
}

RequestArray::~RequestArray()
{
    const std::uint64_t share = (ticks() - begin_) / std::max<std::size_t>(concerned_.size(), 1);
    for (const Concerned& one : concerned_) {
        one.operation->add_ticks(share);
        if (handles_[one.index] != one.handle)
            forget(one.handle, one.operation.get());
    }
}

bool RequestArray::all_complete() const noexcept
{
    return std::all_of(concerned_.begin(), concerned_.end(),
                       [](const Concerned& one) { return one.ours == nullptr || one.ours->complete(); });
}

void RequestArray::idle() const
{
    if (count_ == 1)
        first_->idle();
    else if (first_->yields())
        give_way();
}

/// The program learns the outcome: a persistent request becomes inactive, a nonblocking one ends.
int RequestArray::retire(const Concerned& one) noexcept
{
    one.ours->retire();
    if (!one.ours->persistent())
        handles_[one.index] = MPI_REQUEST_NULL;
    return one.ours->error();
}

int RequestArray::finish(const Concerned& one, MPI_Status* status) noexcept
{
    const int error = retire(one);
    set_empty(status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = error;
    return error;
}

/// Repeats `test()`, which returns a code, until it has `seen` something or failed.
template <class Test>
int RequestArray::until(const int& seen, Test&& test)
{
    unsigned looks = 0;
    while (true) {
        const int code = test();
        if (seen != 0 || code != MPI_SUCCESS)
            return code;
        idle();
        give_way_among_threads(looks);
    }
}

int RequestArray::wait_all(MPI_Status* statuses)
{
    int flag = 0;
    return until(flag, [&] { return test_all(&flag, statuses); });
}

int RequestArray::test_all(int* flag, MPI_Status* statuses)
{
    look_around();
    *flag = 0;
    if (!all_complete())
        return MPI_SUCCESS;
    *flag = 1;
    const int code = number_ == count_ ? MPI_SUCCESS : next.Testall(count_, handles_, flag, statuses);
    if (*flag == 0)
        return code;
    if (code == MPI_SUCCESS)
        set_successful(statuses, count_);
    bool failed = false;
    for (const Concerned& one : concerned_)
        if (one.ours != nullptr)
            failed = finish(one, element(statuses, one.index)) != MPI_SUCCESS || failed;
    return failed && code == MPI_SUCCESS ? raise_on_world(MPI_ERR_IN_STATUS) : code;
}

int RequestArray::wait_any(int* index, MPI_Status* status)
{
    int flag = 0;
    return until(flag, [&] { return test_any(index, &flag, status); });
}

int RequestArray::test_any(int* index, int* flag, MPI_Status* status)
{
    look_around();
    for (const Concerned& one : concerned_) {
        if (one.ours == nullptr || !one.ours->complete())
            continue;
        *flag = 1;
        *index = one.index;
        set_empty(status);
        const int error = retire(one);
        return one.ours->raise(error);
    }
    *flag = 0;
    *index = MPI_UNDEFINED;
    if (number_ == count_)
        return MPI_SUCCESS;
    const int code = next.Testany(count_, handles_, index, flag, status);
    if (*index == MPI_UNDEFINED)
        *flag = 0; // no other is active, but ours are
    return code;
}

int RequestArray::wait_some(int* count, int* indices, MPI_Status* statuses)
{
    return until(*count, [&] { return test_some(count, indices, statuses); });
}

int RequestArray::test_some(int* count, int* indices, MPI_Status* statuses)
{
    look_around();
    *count = 0;
    const int code = next.Testsome(count_, handles_, count, indices, statuses);
    *count = std::max(*count, 0); // MPI_UNDEFINED is negative: no other is active
    if (code == MPI_SUCCESS)
        set_successful(statuses, *count);
    bool failed = false;
    for (const Concerned& one : concerned_) {
        if (one.ours == nullptr || !one.ours->complete())
            continue;
        indices[*count] = one.index;
        failed = finish(one, element(statuses, *count)) != MPI_SUCCESS || failed;
        ++*count;
    }
    return failed && code == MPI_SUCCESS ? raise_on_world(MPI_ERR_IN_STATUS) : code;
}

int RequestArray::look(int* flag, MPI_Status* status) const
{
    look_around();
    *flag = all_complete() ? 1 : 0;
    if (*flag != 0)
        set_empty(status);
    return MPI_SUCCESS;
}

} // namespace hopscotch::shim
