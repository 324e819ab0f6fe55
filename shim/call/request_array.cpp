// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes requests, alone and in arrays where those of ours stand among others.
#include "shim/call/request_array.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/guarded.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// The program learns the outcome: a persistent request becomes inactive, a nonblocking one ends.
int retire(Request& ours, MPI_Request* handle) noexcept
{
    const int error = ours.error();
    ours.retire();
    if (!ours.persistent()) {
        forget(*handle);
        *handle = MPI_REQUEST_NULL;
    }
    return error;
}

int raised(MPI_Comm comm, int code) noexcept
{
    if (code != MPI_SUCCESS)
        next.Comm_call_errhandler(comm, code);
    return code;
}

MPI_Status* element(MPI_Status* statuses, int index) noexcept
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

/// What the library sets only where there is an error, but is wanted of all once one of ours fails (MPI 4.0, 3.7.5).
void set_successful(MPI_Status* statuses, int count)
{
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
}

} // namespace

void set_empty(MPI_Status* status) noexcept
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    next.Status_set_elements(status, MPI_BYTE, 0);
    next.Status_set_cancelled(status, 0);
}

namespace
{

/// One request, as its completion functions find it.
struct Looked {
    TimedCall timed;
    std::shared_ptr<Request> ours; // null: another's

    explicit Looked(const MPI_Request* handle) noexcept : timed(handle)
    {
        const std::shared_ptr<TimedOperation> operation = tracked(*handle);
        ours = std::dynamic_pointer_cast<Request>(operation);
        if (operation != nullptr && operation->active())
            timed.add(0, operation);
    }
};

int wait_for_ours(Request& ours, MPI_Request* handle, MPI_Status* status) noexcept
{
    set_empty(status);
    if (!ours.active())
        return MPI_SUCCESS;
    progress_until([&ours] { return ours.complete(); }, [&ours] { ours.idle(); });
    return ours.raise(retire(ours, handle));
}

int test_ours(Request& ours, MPI_Request* handle, int* flag, MPI_Status* status) noexcept
{
    if (ours.active())
        progress();
    *flag = !ours.active() || ours.complete() ? 1 : 0;
    if (*flag == 0)
        return MPI_SUCCESS;
    set_empty(status);
    if (!ours.active())
        return MPI_SUCCESS;
    return ours.raise(retire(ours, handle));
}

int start_ours(const std::shared_ptr<Request>& ours) noexcept
{
    if (!ours->persistent() || ours->active())
        return raised(MPI_COMM_WORLD, MPI_ERR_REQUEST); // as the library does, whatever the request's communicator is
    const auto begin_it = [&ours] {
        const std::uint64_t begin = ticks();
        ours->start();
        enlist(ours);
        progress();
        ours->add_ticks(ticks() - begin);
        return MPI_SUCCESS;
    };
    return guarded_by([&ours](int code) { ours->raise(code); }, begin_it);
}

/// Requests of the library, all at once; those of them that are tracked share the time.
int start_theirs(int count, MPI_Request* theirs) noexcept
{
    const std::uint64_t begin = ticks();
    const int code = count == 1 ? next.Start(theirs) : next.Startall(count, theirs);
    const std::uint64_t share = (ticks() - begin) / static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i)
        if (const auto native = std::dynamic_pointer_cast<NativeRequest>(tracked(theirs[i])))
            native->note_start(share, code);
    return code;
}

} // namespace

std::shared_ptr<Request> find_request(MPI_Request handle)
{
    return std::dynamic_pointer_cast<Request>(tracked(handle));
}

bool missing(const MPI_Status* status) noexcept
{
    return status == nullptr && MPI_STATUS_IGNORE != nullptr;
}

int wait_for(MPI_Request* handle, MPI_Status* status) noexcept
{
    Looked looked(handle);
    if (looked.ours != nullptr && missing(status))
        return looked.ours->raise(MPI_ERR_ARG);
    if (looked.ours != nullptr)
        return wait_for_ours(*looked.ours, handle, status);
    const int code = next.Wait(handle, status);
    if (code == MPI_SUCCESS)
        looked.timed.complete(0);
    return code;
}

int test(MPI_Request* handle, int* flag, MPI_Status* status) noexcept
{
    Looked looked(handle);
    if (looked.ours != nullptr && (flag == nullptr || missing(status)))
        return looked.ours->raise(MPI_ERR_ARG);
    if (looked.ours != nullptr)
        return test_ours(*looked.ours, handle, flag, status);
    const int code = next.Test(handle, flag, status);
    if (code == MPI_SUCCESS && *flag != 0)
        looked.timed.complete(0);
    return code;
}

int get_status(MPI_Request handle, int* flag, MPI_Status* status) noexcept
{
    const Looked looked(&handle);
    if (looked.ours == nullptr || flag == nullptr || missing(status))
        return next.Request_get_status(handle, flag, status);
    progress();
    *flag = !looked.ours->active() || looked.ours->complete() ? 1 : 0;
    if (*flag != 0)
        set_empty(status);
    return MPI_SUCCESS;
}

int start_one(MPI_Request* handle) noexcept
{
    if (!concerns_us(handle))
        return next.Start(handle);
    if (const std::shared_ptr<Request> ours = find_request(*handle))
        return start_ours(ours);
    return start_theirs(1, handle);
}

RequestArray::RequestArray(int count, MPI_Request* array) : handles_(array), timed_(array)
{
    for (int i = 0; i < count; ++i) {
        const std::shared_ptr<TimedOperation> operation = tracked(array[i]);
        std::shared_ptr<Request> ours;
        if (operation != nullptr && operation->active()) {
            timed_.add(i, operation);
            ours = std::dynamic_pointer_cast<Request>(operation);
        }
        if (ours == nullptr) {
            others_.push_back(array[i]);
            other_indices_.push_back(i);
            continue;
        }
        yields_ = ours->yields();
        ours_.push_back({i, std::move(ours)});
    }
}

bool RequestArray::all_complete() const
{
    return std::all_of(ours_.begin(), ours_.end(), [](const Ours& ours) { return ours.request->complete(); });
}

void RequestArray::idle() noexcept
{
    if (ours_.size() == 1)
        ours_.front().request->idle();
    else if (yields_)
        give_way();
}

int RequestArray::finish(const Ours& ours, MPI_Status* status)
{
    set_empty(status);
    const int error = retire(*ours.request, handles_ + ours.index);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = error;
    return error;
}

void RequestArray::give_back_others()
{
    for (std::size_t k = 0; k < others_.size(); ++k)
        handles_[other_indices_[k]] = others_[k];
}

/// The call has completed so many requests of the library; indices in the program's array.
void RequestArray::note_complete(int code, int found, const int* indices) noexcept
{
    for (int k = 0; code == MPI_SUCCESS && k < found; ++k)
        timed_.complete(indices[k]);
}

/// For the library to fill in, unless the program wants none: what it leaves alone stays as the program has it.
std::vector<MPI_Status> RequestArray::statuses_of_others(const MPI_Status* statuses) const
{
    std::vector<MPI_Status> theirs(statuses == MPI_STATUSES_IGNORE ? 0 : others_.size() + 1);
    for (std::size_t k = 0; k + 1 < theirs.size(); ++k)
        theirs[k] = statuses[other_indices_[k]];
    return theirs;
}

/// Ends ours, after the others ended with `code` and these statuses.
int RequestArray::finish_all(int code, std::vector<MPI_Status>& theirs, MPI_Status* statuses)
{
    if (code == MPI_SUCCESS)
        timed_.complete_all();
    if (code == MPI_SUCCESS && !ours_.empty() && !theirs.empty())
        set_successful(theirs.data(), others());
    for (std::size_t k = 0; k + 1 < theirs.size(); ++k)
        statuses[other_indices_[k]] = theirs[k];
    bool failed = false;
    for (const Ours& ours : ours_)
        failed = finish(ours, element(statuses, ours.index)) != MPI_SUCCESS || failed;
    return failed && code == MPI_SUCCESS ? raised(MPI_COMM_WORLD, MPI_ERR_IN_STATUS) : code;
}

int RequestArray::wait_all(MPI_Status* statuses)
{
    progress_until([this] { return all_complete(); }, [this] { idle(); });
    std::vector<MPI_Status> theirs = statuses_of_others(statuses);
    const int code = next.Waitall(others(), others_.data(), theirs.empty() ? MPI_STATUSES_IGNORE : theirs.data());
    give_back_others();
    return finish_all(code, theirs, statuses);
}

int RequestArray::test_all(int* flag, MPI_Status* statuses)
{
    progress();
    *flag = 0;
    if (!all_complete())
        return MPI_SUCCESS;
    std::vector<MPI_Status> theirs = statuses_of_others(statuses);
    const int code = next.Testall(others(), others_.data(), flag, theirs.empty() ? MPI_STATUSES_IGNORE : theirs.data());
    give_back_others();
    return *flag == 0 ? code : finish_all(code, theirs, statuses);
}

int RequestArray::test_any(int* index, int* flag, MPI_Status* status)
{
    progress();
    for (const Ours& ours : ours_) {
        if (!ours.request->complete())
            continue;
        *flag = 1;
        *index = ours.index;
        set_empty(status);
        return ours.request->raise(retire(*ours.request, handles_ + ours.index));
    }
    int other = MPI_UNDEFINED;
    const int code = next.Testany(others(), others_.data(), &other, flag, status);
    give_back_others();
    if (*flag != 0 && other == MPI_UNDEFINED && !ours_.empty())
        *flag = 0; // no other is active, but ours are
    *index = other == MPI_UNDEFINED ? MPI_UNDEFINED : other_indices_[static_cast<std::size_t>(other)];
    note_complete(code, *flag != 0 ? 1 : 0, index);
    return code;
}

/// What `look()` gives, once it gives something: a code.
template <class Look>
int RequestArray::until(Look&& look)
{
    WaitingThread waiting;
    while (true) {
        if (const std::optional<int> code = look())
            return *code;
        if (yields_)
            give_way();
        waiting.give_way_if_crowded();
    }
}

int RequestArray::wait_any(int* index, MPI_Status* status)
{
    return until([&] {
        int flag = 0;
        const int code = test_any(index, &flag, status);
        return flag != 0 || code != MPI_SUCCESS ? std::optional(code) : std::nullopt;
    });
}

int RequestArray::test_some(int* count, int* indices, MPI_Status* statuses)
{
    progress();
    const bool none_of_ours = ours_.empty();
    int found = 0;
    int code = MPI_SUCCESS;
    std::vector<Ours> left;
    for (const Ours& ours : ours_) {
        if (!ours.request->complete()) {
            left.push_back(ours);
            continue;
        }
        indices[found] = ours.index;
        if (finish(ours, element(statuses, found)) != MPI_SUCCESS)
            code = MPI_ERR_IN_STATUS;
        ++found;
    }
    ours_ = std::move(left);
    int others_found = 0;
    const int other_code =
        next.Testsome(others(), others_.data(), &others_found, indices + found, element(statuses, found));
    give_back_others();
    if (none_of_ours && others_found == MPI_UNDEFINED) {
        *count = MPI_UNDEFINED; // no request is active
        return other_code;
    }
    others_found = std::max(others_found, 0); // MPI_UNDEFINED is negative: only ours are active
    if (other_code == MPI_SUCCESS && code != MPI_SUCCESS)
        set_successful(element(statuses, found), others_found);
    for (int k = found; k < found + others_found; ++k)
        indices[k] = other_indices_[static_cast<std::size_t>(indices[k])];
    note_complete(other_code, others_found, indices + found);
    *count = found + others_found;
    return other_code != MPI_SUCCESS ? other_code : raised(MPI_COMM_WORLD, code);
}

int RequestArray::wait_some(int* count, int* indices, MPI_Status* statuses)
{
    return until([&] {
        const int code = test_some(count, indices, statuses);
        return *count != 0 || code != MPI_SUCCESS ? std::optional(code) : std::nullopt;
    });
}

int RequestArray::start_all()
{
    if (!ours_.empty()) // active: none is started
        return raised(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    std::vector<std::shared_ptr<Request>> ours;
    std::vector<MPI_Request> theirs;
    for (const MPI_Request handle : others_) {
        if (std::shared_ptr<Request> request = find_request(handle))
            ours.push_back(std::move(request));
        else
            theirs.push_back(handle);
    }
    int code = theirs.empty() ? MPI_SUCCESS : start_theirs(static_cast<int>(theirs.size()), theirs.data());
    for (std::size_t i = 0; i < ours.size() && code == MPI_SUCCESS; ++i)
        code = start_ours(ours[i]);
    return code;
}

} // namespace hopscotch::shim
