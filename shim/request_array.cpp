// Completion of requests, alone and in arrays where those of ours stand among others.
#include "shim/request_array.hpp"

#include "shim/clock.hpp"
#include "shim/mpi_error.hpp"

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
        take_back(*handle);
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

int wait_for(Request& ours, MPI_Request* handle, MPI_Status* status) noexcept
{
    set_empty(status);
    if (!ours.active())
        return MPI_SUCCESS;
    const std::uint64_t begin = ticks();
    progress_until([&ours] { return ours.complete(); }, [&ours] { ours.idle(); });
    ours.add_ticks(ticks() - begin);
    return ours.raise(retire(ours, handle));
}

int test(Request& ours, MPI_Request* handle, int* flag, MPI_Status* status) noexcept
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

int start_persistent(const std::shared_ptr<Request>& ours) noexcept
{
    if (!ours->persistent() || ours->active())
        return ours->raise(MPI_ERR_REQUEST);
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

RequestArray::RequestArray(int count, MPI_Request* array) : handles_(array)
{
    for (int i = 0; i < count; ++i) {
        std::shared_ptr<Request> request = find_request(array[i]);
        if (request != nullptr && request->active()) {
            yields_ = request->yields();
            ours_.push_back({i, std::move(request)});
        } else {
            others_.push_back(array[i]);
            other_indices_.push_back(i);
        }
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

/// Statuses of the others, which ended with `code`, to their places in the program's array, unless it has none.
void RequestArray::place_others(int code, std::vector<MPI_Status>& theirs, MPI_Status* statuses)
{
    if (statuses == MPI_STATUSES_IGNORE)
        return;
    if (code == MPI_SUCCESS)
        set_successful(theirs.data(), others());
    for (std::size_t k = 0; k < others_.size(); ++k)
        statuses[other_indices_[k]] = theirs[k];
}

/// Ends ours after the others ended with `code`; statuses of the others are in place already.
int RequestArray::finish_all(int code, MPI_Status* statuses)
{
    bool failed = false;
    for (const Ours& ours : ours_)
        failed = finish(ours, element(statuses, ours.index)) != MPI_SUCCESS || failed;
    return failed && code == MPI_SUCCESS ? raised(MPI_COMM_WORLD, MPI_ERR_IN_STATUS) : code;
}

int RequestArray::wait_all(MPI_Status* statuses)
{
    if (!ours_.empty())
        progress_until([this] { return all_complete(); }, [this] { idle(); });
    std::vector<MPI_Status> other_statuses(statuses == MPI_STATUSES_IGNORE ? 0 : others_.size() + 1);
    const int code =
        next.Waitall(others(), others_.data(), other_statuses.empty() ? MPI_STATUSES_IGNORE : other_statuses.data());
    give_back_others();
    place_others(code, other_statuses, statuses);
    return finish_all(code, statuses);
}

int RequestArray::test_all(int* flag, MPI_Status* statuses)
{
    progress();
    if (!all_complete()) {
        *flag = 0;
        return MPI_SUCCESS;
    }
    std::vector<MPI_Status> other_statuses(statuses == MPI_STATUSES_IGNORE ? 0 : others_.size() + 1);
    const int code = next.Testall(others(), others_.data(), flag,
                                  other_statuses.empty() ? MPI_STATUSES_IGNORE : other_statuses.data());
    give_back_others();
    if (*flag == 0)
        return code;
    place_others(code, other_statuses, statuses);
    return finish_all(code, statuses);
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
    return code;
}

int RequestArray::wait_any(int* index, MPI_Status* status)
{
    if (ours_.empty()) {
        const int code = next.Waitany(others(), others_.data(), index, status);
        give_back_others(); // all requests are others: the index holds
        return code;
    }
    WaitingThread waiting;
    while (true) {
        int flag = 0;
        const int code = test_any(index, &flag, status);
        if (flag != 0 || code != MPI_SUCCESS)
            return code;
        if (yields_)
            give_way();
        waiting.give_way_if_crowded();
    }
}

int RequestArray::test_some(int* count, int* indices, MPI_Status* statuses)
{
    progress();
    const bool ours_active = !ours_.empty();
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
    if (others_found == MPI_UNDEFINED && !ours_active) { // nothing in the array is active
        *count = MPI_UNDEFINED;
        return other_code;
    }
    others_found = std::max(others_found, 0); // MPI_UNDEFINED is negative
    if (other_code == MPI_SUCCESS && code != MPI_SUCCESS)
        set_successful(element(statuses, found), others_found);
    for (int k = found; k < found + others_found; ++k)
        indices[k] = other_indices_[static_cast<std::size_t>(indices[k])];
    *count = found + others_found;
    return other_code != MPI_SUCCESS ? other_code : raised(MPI_COMM_WORLD, code);
}

int RequestArray::wait_some(int* count, int* indices, MPI_Status* statuses)
{
    if (ours_.empty()) {
        const int code = next.Waitsome(others(), others_.data(), count, indices, statuses);
        give_back_others(); // all requests are others: the indices hold
        return code;
    }
    WaitingThread waiting;
    while (true) {
        const int code = test_some(count, indices, statuses);
        if (*count != 0 || code != MPI_SUCCESS)
            return code;
        if (yields_)
            give_way();
        waiting.give_way_if_crowded();
    }
}

int RequestArray::start_all()
{
    for (std::size_t k = 0; k < others_.size(); ++k) {
        const std::shared_ptr<Request> ours = find_request(others_[k]);
        const int code = ours != nullptr ? start_persistent(ours) : next.Start(handles_ + other_indices_[k]);
        if (code != MPI_SUCCESS)
            return code;
    }
    return ours_.empty() ? MPI_SUCCESS : ours_.front().request->raise(MPI_ERR_REQUEST);
}

} // namespace hopscotch::shim
