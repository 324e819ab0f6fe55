// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes requests, also in arrays that mix those of this library with others.
#include "shim/call/request_array.hpp"

#include "shim/base/clock.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <random>

namespace hopscotch::shim
{

namespace
{

MPI_Status* element(MPI_Status* statuses, int index) noexcept
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

/// Sets the statuses that the library sets only on an error, but that all are needed once a request of this library
/// fails (MPI 4.0, 3.7.5).
void set_successful(MPI_Status* statuses, int count) noexcept
{
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
}

/// An error of no communicator in particular. Returns the code.
int raise_on_world(int code)
{
    return raise_later(nullptr, MPI_COMM_WORLD, "a call on requests", code);
}

bool can_start(Request& ours)
{
    if (!ours.persistent())
        return false;
    if (ours.active())
        guarded_by([&ours](int code) { ours.raise(code); }, [&ours] { return ours.catch_up(), MPI_SUCCESS; });
    return !ours.active();
}

/// Starts one of ours.
int start_ours(const std::shared_ptr<TimedOperation>& operation)
{
    return guarded_by([&](int code) { operation->ours()->raise(code); },
                      [&] { return set_off(operation, ticks()), MPI_SUCCESS; });
}

void note_start(TimedOperation* operation, std::uint64_t elapsed)
{
    if (auto* const native = dynamic_cast<NativeRequest*>(operation))
        native->note_start(elapsed);
}

} // namespace

int start_one(MPI_Request* handle)
{
    if (!concerns_us(handle))
        return next.MPI_Start(handle);
    const std::shared_ptr<TimedOperation> operation = tracked(*handle);
    if (Request* const ours = ours_of(operation))
        return can_start(*ours) ? start_ours(operation) : raise_on_world(MPI_ERR_REQUEST); // like the library
    const std::uint64_t begin = ticks();
    const int code = next.MPI_Start(handle);
    if (code == MPI_SUCCESS)
        note_start(operation.get(), ticks() - begin);
    return code;
}

int start_all(int count, MPI_Request* array)
{
    std::vector<std::shared_ptr<TimedOperation>> ours;
    std::vector<MPI_Request> others;
    std::vector<int> places; // of the others
    for (int i = 0; i < count; ++i) {
        std::shared_ptr<TimedOperation> one = tracked(array[i]);
        if (Request* const request = ours_of(one)) {
            if (!can_start(*request))
                return raise_on_world(MPI_ERR_REQUEST);
            ours.push_back(std::move(one));
        } else {
            others.push_back(array[i]);
            places.push_back(i);
        }
    }
    const std::uint64_t begin = ticks();
    int code = others.empty() ? MPI_SUCCESS : next.MPI_Startall(static_cast<int>(others.size()), others.data());
    const std::uint64_t elapsed = ticks() - begin;
    for (std::size_t i = 0; i < others.size(); ++i) {
        array[places[i]] = others[i];
        if (code == MPI_SUCCESS)
            note_start(tracked(others[i]).get(), elapsed / others.size());
    }
    for (std::size_t i = 0; i < ours.size() && code == MPI_SUCCESS; ++i)
        code = start_ours(ours[i]);
    return code;
}

RequestArray::RequestArray(int count, MPI_Request* array, Purpose purpose)
    : count_(count), handles_(array), purpose_(purpose), begin_(ticks())
{
    concerned_.reserve(std::min<std::size_t>(room, static_cast<std::size_t>(std::max(count, 0))));
    for (int i = 0; i < count; ++i) {
        std::shared_ptr<TimedOperation> operation = tracked(array[i]);
        if (operation == nullptr)
            continue;
        Request* const ours = operation->ours();
        if (ours != nullptr && (count > 1 || !ours->active())) // if there is one, its end does not differ
            ours->catch_up();
        const bool active = ours != nullptr && ours->active();
        if (active && number_++ == 0)
            first_ = ours;
        concerned_.push_back({i, array[i], std::move(operation), active ? ours : nullptr, ours == nullptr, false});
    }
    if (only_ours())
        return;
    for (const Concerned& one : concerned_)
        if (!one.is_followed)
            handles_[one.index] = MPI_REQUEST_NULL;
}

RequestArray::~RequestArray()
{
    const std::uint64_t share = (ticks() - begin_) / std::max<std::size_t>(concerned_.size(), 1);
    for (const Concerned& one : concerned_) {
        one.operation->add_ticks(share);
        if (!one.is_followed)
            handles_[one.index] = one.ended ? MPI_REQUEST_NULL : one.handle;
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
int RequestArray::retire(Concerned& one) noexcept
{
    if (!looks()) {
        one.ours->retire();
        one.ended = !one.ours->persistent();
    }
    return one.ours->error();
}

int RequestArray::finish(Concerned& one, MPI_Status* status) noexcept
{
    const int error = retire(one);
    set_empty(status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = error;
    return error;
}

/// Repeats `test()` until it returns true.
template <class Test>
void RequestArray::until(Test&& test)
{
    unsigned looks = 0;
    while (!test()) {
        idle();
        give_way_among_threads(looks);
    }
}

int RequestArray::wait_all(MPI_Status* statuses)
{
    int code = MPI_SUCCESS;
    if (only_ours()) {
        until([this] {
            look_around();
            return all_complete();
        });
    } else {
        code = wait_all_others(statuses);
    }
    return code == MPI_SUCCESS || all_complete() ? finish_all(code, statuses) : code;
}

/// Waits for the library's requests by its own functions, which know all kinds, until the requests of this library are
/// complete. The library's requests are checked all the time: some advance only then, and a neighbor may wait for them.
int RequestArray::wait_all_others(MPI_Status* statuses)
{
    std::vector<MPI_Request> left(handles_, handles_ + count_);
    std::vector<MPI_Status> seen(left.size());
    std::vector<int> indices(left.size());
    const auto take = [&](int index, MPI_Status& status, int code) {
        handles_[index] = left[index];
        left[index] = MPI_REQUEST_NULL;
        if (code == MPI_SUCCESS)
            status.MPI_ERROR = MPI_SUCCESS;
        if (statuses != MPI_STATUSES_IGNORE)
            statuses[index] = status;
    };
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count_; ++i) {
        set_empty(statuses + i);
        statuses[i].MPI_ERROR = left[i] == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_ERR_PENDING;
    }
    int code = MPI_SUCCESS;
    until([&] {
        look_around();
        const bool done = all_complete();
        int count = 0;
        code = next.MPI_Testsome(count_, left.data(), &count, indices.data(), seen.data());
        for (int k = 0; k < count; ++k)
            take(indices[k], seen[k], code);
        return done || code != MPI_SUCCESS;
    });
    if (code != MPI_SUCCESS)
        return code;
    const std::vector<MPI_Request> last = left;
    code = next.MPI_Waitall(count_, left.data(), seen.data());
    for (int i = 0; i < count_; ++i)
        if (last[i] != MPI_REQUEST_NULL)
            take(i, seen[i], code);
    return code;
}

/// All of ours end. `code`: of the library's requests.
int RequestArray::finish_all(int code, MPI_Status* statuses)
{
    if (code == MPI_SUCCESS)
        set_successful(statuses, count_);
    bool failed = false;
    for (Concerned& one : concerned_)
        if (one.ours != nullptr)
            failed = finish(one, element(statuses, one.index)) != MPI_SUCCESS || failed;
    return failed && !looks() && code == MPI_SUCCESS ? raise_on_world(MPI_ERR_IN_STATUS) : code;
}

int RequestArray::test_all(int* flag, MPI_Status* statuses)
{
    look_around();
    *flag = 0;
    if (!all_complete())
        return MPI_SUCCESS;
    *flag = 1;
    const int code = only_ours() ? MPI_SUCCESS
                     : looks()   ? next.MPI_Request_get_status_all(count_, handles_, flag, statuses)
                                 : next.MPI_Testall(count_, handles_, flag, statuses);
    return *flag == 0 ? code : finish_all(code, statuses);
}

int RequestArray::wait_any(int* index, MPI_Status* status)
{
    int flag = 0;
    int code = MPI_SUCCESS;
    until([&] {
        code = test_any(index, &flag, status);
        return flag != 0 || code != MPI_SUCCESS;
    });
    return code;
}

int RequestArray::test_any(int* index, int* flag, MPI_Status* status)
{
    look_around();
    *flag = 0;
    *index = MPI_UNDEFINED;
    if (count_ == 1 && only_ours()) // a usual wait
        return first_->complete() ? show(concerned_.front(), index, flag, status) : MPI_SUCCESS;
    const int first = first_place();
    const int code = test_places(first, count_, index, flag, status);
    if (first == 0 || *flag != 0 || code != MPI_SUCCESS)
        return code;
    return test_places(0, first, index, flag, status);
}

/// The place from which a call searches for one complete request. It is 0, as in MPI libraries, but in one call of
/// eight any place: a request before another that completes again and again is seen, and so is one behind it. The
/// numbers are random, so that a program with several arrays is no exception.
int RequestArray::first_place() const noexcept
{
    thread_local std::minstd_rand random;
    if (random() % 8 != 0)
        return 0;
    return static_cast<int>(random() % static_cast<std::uint32_t>(count_));
}

/// Tests the places [begin, end): the lowest one that is complete ends, or is shown.
int RequestArray::test_places(int begin, int end, int* index, int* flag, MPI_Status* status)
{
    const auto is_next = [=](const Concerned& one) {
        return one.index >= begin && one.index < end && one.ours != nullptr && one.ours->complete();
    };
    const auto ours = std::find_if(concerned_.begin(), concerned_.end(), is_next);
    const int others_end = ours == concerned_.end() ? end : ours->index;
    const int code = test_others(begin, others_end, index, flag, status);
    if (ours == concerned_.end() || *flag != 0 || code != MPI_SUCCESS)
        return code;
    return show(*ours, index, flag, status);
}

/// The program learns that this one is complete.
int RequestArray::show(Concerned& one, int* index, int* flag, MPI_Status* status)
{
    *flag = 1;
    *index = one.index;
    set_empty(status);
    const int error = retire(one);
    return looks() ? MPI_SUCCESS : one.ours->raise(error);
}

/// Tests the library's requests of the places [begin, end). If none of these is active, none is complete.
int RequestArray::test_others(int begin, int end, int* index, int* flag, MPI_Status* status)
{
    if (only_ours())
        return MPI_SUCCESS;
    MPI_Request* const tested = handles_ + begin;
    const int code = looks() ? next.MPI_Request_get_status_any(end - begin, tested, index, flag, status)
                             : next.MPI_Testany(end - begin, tested, index, flag, status);
    if (*index == MPI_UNDEFINED)
        *flag = 0; // no other is active
    else
        *index += begin;
    return code;
}

int RequestArray::wait_some(int* count, int* indices, MPI_Status* statuses)
{
    int code = MPI_SUCCESS;
    until([&] {
        code = test_some(count, indices, statuses);
        return *count != 0 || code != MPI_SUCCESS;
    });
    return code;
}

int RequestArray::test_some(int* count, int* indices, MPI_Status* statuses)
{
    look_around();
    *count = 0;
    const int code = only_ours() ? MPI_SUCCESS
                     : looks()   ? next.MPI_Request_get_status_some(count_, handles_, count, indices, statuses)
                                 : next.MPI_Testsome(count_, handles_, count, indices, statuses);
    *count = std::max(*count, 0); // MPI_UNDEFINED is negative: no other is active
    if (code == MPI_SUCCESS)
        set_successful(statuses, *count);
    bool failed = false;
    for (Concerned& one : concerned_) {
        if (one.ours == nullptr || !one.ours->complete())
            continue;
        indices[*count] = one.index;
        failed = finish(one, element(statuses, *count)) != MPI_SUCCESS || failed;
        ++*count;
    }
    return failed && !looks() && code == MPI_SUCCESS ? raise_on_world(MPI_ERR_IN_STATUS) : code;
}

} // namespace hopscotch::shim
