// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions that start, complete and free requests: those of ours are taken out, the rest goes on to the MPI
// library, of neighborhood collectives with its time taken.
#include "shim/call/request_array.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/guarded.hpp"

#include <algorithm>

using namespace hopscotch::shim;

namespace
{

bool none_concerns_us(int count, const MPI_Request* handles) noexcept
{
    const auto concerns = [](MPI_Request handle) { return concerns_us(handle); };
    return count <= 0 || handles == nullptr || std::none_of(handles, handles + count, concerns);
}

/// Whether there is a place for a status, or statuses, or the program has said that it wants none.
bool given(const MPI_Status* status) noexcept
{
    return status != nullptr || MPI_STATUS_IGNORE == nullptr;
}

/// `ours` does with a RequestArray what the function `native` does. That one gets the call where no request is ours,
/// and arrays where results are missing (`is_whole` is false): it says so, and for it ours are requests as good as any.
template <class Native, class Ours>
int complete(int count, MPI_Request* handles, bool is_whole, Native&& native, Ours&& ours) noexcept
{
    if (none_concerns_us(count, handles) || !is_whole)
        return native();
    return guarded(MPI_COMM_WORLD, [&]() -> int {
        RequestArray array(count, handles);
        return array.has_ours() ? ours(array) : native();
    });
}

} // namespace

HOPSCOTCH_WRAP(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
{
    int index = 0;
    return complete(
        1, request, true, [=] { return next.Wait(request, status); },
        [&](RequestArray& one) { return given(status) ? one.wait_any(&index, status) : one.raise(MPI_ERR_ARG); });
}

HOPSCOTCH_WRAP(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
{
    int index = 0;
    const bool is_whole = flag != nullptr && given(status);
    return complete(
        1, request, true, [=] { return next.Test(request, flag, status); },
        [&](RequestArray& one) { return is_whole ? one.test_any(&index, flag, status) : one.raise(MPI_ERR_ARG); });
}

HOPSCOTCH_WRAP(Waitall, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]),
               (count, array_of_requests, array_of_statuses))
{
    return complete(
        count, array_of_requests, given(array_of_statuses),
        [=] { return next.Waitall(count, array_of_requests, array_of_statuses); },
        [=](RequestArray& array) { return array.wait_all(array_of_statuses); });
}

HOPSCOTCH_WRAP(Testall, (int count, MPI_Request array_of_requests[], int* flag, MPI_Status array_of_statuses[]),
               (count, array_of_requests, flag, array_of_statuses))
{
    return complete(
        count, array_of_requests, flag != nullptr && given(array_of_statuses),
        [=] { return next.Testall(count, array_of_requests, flag, array_of_statuses); },
        [=](RequestArray& array) { return array.test_all(flag, array_of_statuses); });
}

HOPSCOTCH_WRAP(Waitany, (int count, MPI_Request array_of_requests[], int* index, MPI_Status* status),
               (count, array_of_requests, index, status))
{
    return complete(
        count, array_of_requests, index != nullptr && given(status),
        [=] { return next.Waitany(count, array_of_requests, index, status); },
        [=](RequestArray& array) { return array.wait_any(index, status); });
}

HOPSCOTCH_WRAP(Testany, (int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status),
               (count, array_of_requests, index, flag, status))
{
    return complete(
        count, array_of_requests, index != nullptr && flag != nullptr && given(status),
        [=] { return next.Testany(count, array_of_requests, index, flag, status); },
        [=](RequestArray& array) { return array.test_any(index, flag, status); });
}

HOPSCOTCH_WRAP(Waitsome,
               (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                MPI_Status array_of_statuses[]),
               (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
{
    return complete(
        incount, array_of_requests, outcount != nullptr && array_of_indices != nullptr && given(array_of_statuses),
        [=] { return next.Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses); },
        [=](RequestArray& array) { return array.wait_some(outcount, array_of_indices, array_of_statuses); });
}

HOPSCOTCH_WRAP(Testsome,
               (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                MPI_Status array_of_statuses[]),
               (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
{
    return complete(
        incount, array_of_requests, outcount != nullptr && array_of_indices != nullptr && given(array_of_statuses),
        [=] { return next.Testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses); },
        [=](RequestArray& array) { return array.test_some(outcount, array_of_indices, array_of_statuses); });
}

HOPSCOTCH_WRAP(Start, (MPI_Request * request), (request))
{
    return start_one(request);
}

HOPSCOTCH_WRAP(Startall, (int count, MPI_Request array_of_requests[]), (count, array_of_requests))
{
    return none_concerns_us(count, array_of_requests) ? next.Startall(count, array_of_requests)
                                                      : start_all(count, array_of_requests);
}

HOPSCOTCH_WRAP(Request_free, (MPI_Request * request), (request))
{
    if (!concerns_us(request))
        return next.Request_free(request);
    const std::shared_ptr<Request> ours = find_request(*request);
    forget(*request); // an active operation goes on: progress, or the library, keeps it
    if (ours == nullptr)
        return next.Request_free(request);
    if (ours->active())
        ours->disown();
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

HOPSCOTCH_WRAP(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
{
    return complete(
        1, &request, flag != nullptr && given(status), [=] { return next.Request_get_status(request, flag, status); },
        [=](RequestArray& array) { return array.look(flag, status); });
}
