// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The frame around every exported MPI function: both names, one action, no exception beyond it.
#pragma once

#include "shim/base/log.hpp"
#include "shim/interpose/entries.hpp"
#include "shim/interpose/lifecycle.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <new>

/// Defines MPI_name and PMPI_name and opens the body of what they do. MPI_name hands the call to another tool when one
/// comes after us in the search order; it then comes back through PMPI_name. So each call is acted upon once, by the
/// last layer above the MPI library, whatever the order of preloaded tools.
#define HOPSCOTCH_WRAP(name, parameters, arguments)                                                                    \
    extern "C" [[gnu::hot]] int MPI_##name parameters                                                                  \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.shown.name arguments;                                                        \
    }                                                                                                                  \
    extern "C" [[gnu::hot]] int PMPI_##name parameters                                                                 \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.base.name arguments;                                                         \
    }                                                                                                                  \
    int hopscotch::shim::act_##name parameters

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
