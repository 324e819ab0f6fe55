// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets no exception out: an error of ours is raised as a code, and returned.
#pragma once

#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <new>
#include <utility>

namespace hopscotch::shim
{

/// Runs body, which returns an MPI code or throws. The code of an error of ours is raised, and returned.
template <class Raise, class Body>
int guarded_by(Raise&& raise, Body&& body) noexcept
{
    int code = MPI_ERR_INTERN;
    try {
        return body();
    } catch (const MpiError& error) {
        code = error.code;
    } catch (const std::bad_alloc&) {
        code = MPI_ERR_NO_MEM;
    } catch (const std::exception& error) {
        log(LogLevel::error, error.what());
    } catch (...) {
        log(LogLevel::error, "unknown exception");
    }
    raise(code);
    return code;
}

/// The same; an error goes through the communicator's error handler as one of the library's would.
template <class Body>
int guarded(MPI_Comm comm, Body&& body) noexcept
{
    return guarded_by([comm](int code) { next.Comm_call_errhandler(comm, code); }, std::forward<Body>(body));
}

} // namespace hopscotch::shim
