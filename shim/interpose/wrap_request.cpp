// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions that start, complete and free requests: those of ours are taken out, the rest goes on to the MPI
// library, of neighborhood collectives with its time taken.
#include "shim/call/request_array.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/mpi_error.hpp"

using namespace hopscotch::shim;

namespace
{

bool none_concerns_us(int count, const MPI_Request* handles) noexcept
{
    for (int i = 0; i < count && handles != nullptr; ++i) // of one handle less than by std::none_of
        if (concerns_us(handles[i]))
            return false;
    return true;
}

/// True if there is a place for a status, or statuses, or the program passes MPI_STATUS_IGNORE.
bool given(const MPI_Status* status) noexcept
{
    return status != nullptr || MPI_STATUS_IGNORE == nullptr;
}

/// `ours` treats a RequestArray like the function `native`. `native` gets the call if no request is of this library,
/// and if an argument for results is missing (`is_whole` is false): it returns the error, and for it requests of this
/// library are as good as any.
template <class Native, class Ours>
int complete(int count, MPI_Request* handles, bool is_whole, Native&& native, Ours&& ours)
{
    if (none_concerns_us(count, handles) || !is_whole)
        return native();
    return guarded("a call on requests", MPI_COMM_WORLD, [&]() -> int {
        RequestArray array(count, handles);
        return array.has_ours() ? ours(array) : native();
    });
}

/// Looks at requests for a function that leaves them as they are, and may not write to their array. Calls `ours` if
/// some request is of ours, else `native`.
template <class Native, class Ours>
int look(int count, const MPI_Request* handles, bool is_whole, Native&& native, Ours&& ours)
{
    if (none_concerns_us(count, handles) || !is_whole)
        return native(const_cast<SeenRequest*>(handles));
    return guarded("a call on requests", MPI_COMM_WORLD, [&]() -> int {
        std::vector<MPI_Request> copy(handles, handles + count);
        RequestArray array(count, copy.data(), RequestArray::Purpose::look);
        return array.has_ours() ? ours(array) : native(copy.data());
    });
}

} // namespace

HOPSCOTCH_WRAP(MPI_Wait, (MPI_Request * request, MPI_Status* status), (request, status))
{
    int index = 0;
    return complete(
        1, request, true, [=] { return next.MPI_Wait(request, status); },
        [&](RequestArray& one) { return given(status) ? one.wait_any(&index, status) : one.raise(MPI_ERR_ARG); });
}

/// A wrong argument is an error on the communicator of the request. For Open MPI it is one on MPI_COMM_WORLD, so that
/// library gets the call.
HOPSCOTCH_WRAP(MPI_Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
{
    int index = 0;
    const bool is_whole = flag != nullptr && given(status);
    return complete(
        1, request, is_whole || our_abi != Abi::openmpi, [=] { return next.MPI_Test(request, flag, status); },
        [&](RequestArray& one) { return is_whole ? one.test_any(&index, flag, status) : one.raise(MPI_ERR_ARG); });
}

/// Defines a completion function with the action `action` on a RequestArray.
#define COMPLETION(name, parameters, arguments, number, handles, is_whole, action)                                     \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return complete(                                                                                               \
            number, handles, is_whole, [=] { return next.name arguments; },                                            \
            [=](RequestArray& array) { return array.action; });                                                        \
    }

COMPLETION(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses), count,
           requests, given(statuses), wait_all(statuses))

COMPLETION(MPI_Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
           (count, requests, flag, statuses), count, requests, flag != nullptr && given(statuses),
           test_all(flag, statuses))

COMPLETION(MPI_Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status),
           (count, requests, index, status), count, requests, index != nullptr && given(status),
           wait_any(index, status))

COMPLETION(MPI_Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
           (count, requests, index, flag, status), count, requests,
           index != nullptr && flag != nullptr && given(status), test_any(index, flag, status))

COMPLETION(MPI_Waitsome, (int incount, MPI_Request requests[], int* count, int indices[], MPI_Status statuses[]),
           (incount, requests, count, indices, statuses), incount, requests,
           count != nullptr && indices != nullptr && given(statuses), wait_some(count, indices, statuses))

COMPLETION(MPI_Testsome, (int incount, MPI_Request requests[], int* count, int indices[], MPI_Status statuses[]),
           (incount, requests, count, indices, statuses), incount, requests,
           count != nullptr && indices != nullptr && given(statuses), test_some(count, indices, statuses))

HOPSCOTCH_WRAP(MPI_Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
{
    int index = 0;
    return look(
        1, &request, flag != nullptr && given(status),
        [=](SeenRequest* one) { return next.MPI_Request_get_status(*one, flag, status); },
        [&](RequestArray& one) { return one.test_any(&index, flag, status); });
}

/// Defines a function that only looks at requests, with the action `action` on a RequestArray.
#define LOOK(name, parameters, arguments, number, is_whole, action)                                                    \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return look(                                                                                                   \
            number, requests, is_whole,                                                                                \
            [=](SeenRequest* seen) mutable { return requests = seen, next.name arguments; },                           \
            [=](RequestArray& array) { return array.action; });                                                        \
    }

LOOK(MPI_Request_get_status_all, (int count, SeenRequest requests[], int* flag, MPI_Status statuses[]),
     (count, requests, flag, statuses), count, flag != nullptr && given(statuses), test_all(flag, statuses))

LOOK(MPI_Request_get_status_any, (int count, SeenRequest requests[], int* index, int* flag, MPI_Status* status),
     (count, requests, index, flag, status), count, index != nullptr && flag != nullptr && given(status),
     test_any(index, flag, status))

LOOK(MPI_Request_get_status_some,
     (int incount, SeenRequest requests[], int* count, int indices[], MPI_Status statuses[]),
     (incount, requests, count, indices, statuses), incount, count != nullptr && indices != nullptr && given(statuses),
     test_some(count, indices, statuses))

/// Collective operations cannot be cancelled.
HOPSCOTCH_WRAP(MPI_Cancel, (MPI_Request * request), (request))
{
    const std::shared_ptr<TimedOperation> operation = request == nullptr ? nullptr : tracked(*request);
    Request* const ours = ours_of(operation);
    return ours == nullptr ? next.MPI_Cancel(request) : ours->raise(MPI_ERR_REQUEST);
}

HOPSCOTCH_WRAP(MPI_Start, (MPI_Request * request), (request))
{
    return start_one(request);
}

HOPSCOTCH_WRAP(MPI_Startall, (int count, MPI_Request array_of_requests[]), (count, array_of_requests))
{
    if (none_concerns_us(count, array_of_requests))
        return next.MPI_Startall(count, array_of_requests);
    return guarded("MPI_Startall", MPI_COMM_WORLD, [=] { return start_all(count, array_of_requests); });
}

HOPSCOTCH_WRAP(MPI_Request_free, (MPI_Request * request), (request))
{
    if (!concerns_us(request))
        return next.MPI_Request_free(request);
    const std::shared_ptr<TimedOperation> operation = tracked(*request);
    Request* const ours = ours_of(operation);
    forget(*request); // an active operation goes on: progress, or the library, keeps it
    if (ours == nullptr)
        return next.MPI_Request_free(request);
    if (ours->active())
        ours->disown();
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
