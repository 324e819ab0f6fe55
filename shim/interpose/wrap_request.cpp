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

// Of an array the library sees where results are missing: it says so before it looks at a request, and for it ours are
// requests as good as any.

} // namespace

HOPSCOTCH_WRAP(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
{
    return concerns_us(request) ? wait_for(request, status) : next.Wait(request, status);
}

HOPSCOTCH_WRAP(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
{
    return concerns_us(request) ? test(request, flag, status) : next.Test(request, flag, status);
}

HOPSCOTCH_WRAP(Waitall, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]),
               (count, array_of_requests, array_of_statuses))
{
    if (none_concerns_us(count, array_of_requests) || missing(array_of_statuses))
        return next.Waitall(count, array_of_requests, array_of_statuses);
    return guarded(MPI_COMM_WORLD, [&] { return RequestArray(count, array_of_requests).wait_all(array_of_statuses); });
}

HOPSCOTCH_WRAP(Testall, (int count, MPI_Request array_of_requests[], int* flag, MPI_Status array_of_statuses[]),
               (count, array_of_requests, flag, array_of_statuses))
{
    if (none_concerns_us(count, array_of_requests) || flag == nullptr || missing(array_of_statuses))
        return next.Testall(count, array_of_requests, flag, array_of_statuses);
    return guarded(MPI_COMM_WORLD,
                   [&] { return RequestArray(count, array_of_requests).test_all(flag, array_of_statuses); });
}

HOPSCOTCH_WRAP(Waitany, (int count, MPI_Request array_of_requests[], int* index, MPI_Status* status),
               (count, array_of_requests, index, status))
{
    if (none_concerns_us(count, array_of_requests) || index == nullptr || missing(status))
        return next.Waitany(count, array_of_requests, index, status);
    return guarded(MPI_COMM_WORLD, [&] { return RequestArray(count, array_of_requests).wait_any(index, status); });
}

HOPSCOTCH_WRAP(Testany, (int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status),
               (count, array_of_requests, index, flag, status))
{
    if (none_concerns_us(count, array_of_requests) || index == nullptr || flag == nullptr || missing(status))
        return next.Testany(count, array_of_requests, index, flag, status);
    return guarded(MPI_COMM_WORLD,
                   [&] { return RequestArray(count, array_of_requests).test_any(index, flag, status); });
}

HOPSCOTCH_WRAP(Waitsome,
               (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                MPI_Status array_of_statuses[]),
               (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
{
    if (none_concerns_us(incount, array_of_requests) || outcount == nullptr || array_of_indices == nullptr ||
        missing(array_of_statuses))
        return next.Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    return guarded(MPI_COMM_WORLD, [&] {
        return RequestArray(incount, array_of_requests).wait_some(outcount, array_of_indices, array_of_statuses);
    });
}

HOPSCOTCH_WRAP(Testsome,
               (int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                MPI_Status array_of_statuses[]),
               (incount, array_of_requests, outcount, array_of_indices, array_of_statuses))
{
    if (none_concerns_us(incount, array_of_requests) || outcount == nullptr || array_of_indices == nullptr ||
        missing(array_of_statuses))
        return next.Testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    return guarded(MPI_COMM_WORLD, [&] {
        return RequestArray(incount, array_of_requests).test_some(outcount, array_of_indices, array_of_statuses);
    });
}

HOPSCOTCH_WRAP(Start, (MPI_Request * request), (request))
{
    return start_one(request);
}

HOPSCOTCH_WRAP(Startall, (int count, MPI_Request array_of_requests[]), (count, array_of_requests))
{
    if (none_concerns_us(count, array_of_requests))
        return next.Startall(count, array_of_requests);
    return guarded(MPI_COMM_WORLD, [&] { return RequestArray(count, array_of_requests).start_all(); });
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
    return concerns_us(request) ? get_status(request, flag, status) : next.Request_get_status(request, flag, status);
}
