// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Turns error codes of MPI into exceptions inside the library, and back at its border.
#pragma once

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/mpi/calls.hpp"
#include "shim/mpi/next.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace hopscotch::shim
{

/// An MPI call of the library failed, or the user's buffers do not fit the received data.
struct MpiError {
    int code;
};

/// Arguments a function does not take: the code is returned, and no error handler is called.
struct Refused : MpiError {
};

/// Throws: Refused unless the condition holds.
inline void demand(bool condition, int code)
{
    if (!condition)
        throw Refused{{code}};
}

/// The MPI library rejects an argument of the program. Thrown before any decision or message, so that the MPI library
/// can still make the call and report the error itself.
struct WrongArgument : MpiError {
};

/// Throws: WrongArgument unless `right`.
inline void demand_argument(bool right, int error_class)
{
    if (!right)
        throw WrongArgument{{error_class}};
}

/// Throws: MpiError unless code is MPI_SUCCESS.
inline void check(int code)
{
    if (code != MPI_SUCCESS)
        throw MpiError{code};
}

/// Makes a communicator return errors while this lives, then gives it its handler back.
class ReturningErrors
{
  public:
    explicit ReturningErrors(MPI_Comm comm) : comm_(comm)
    {
        check(next.MPI_Comm_get_errhandler(comm, &handler_));
        check(next.MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    }
    ReturningErrors(const ReturningErrors&) = delete;
    ReturningErrors& operator=(const ReturningErrors&) = delete;
    ~ReturningErrors()
    {
        next.MPI_Comm_set_errhandler(comm_, handler_);
        next.MPI_Errhandler_free(&handler_);
    }

  private:
    MPI_Comm comm_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// MPICH raises an error of a completion call (MPI_Testall, MPI_Test) not on the message's communicator, but up to
/// 4.0.2 on MPI_COMM_WORLD, later on MPI_COMM_SELF if that was given a handler, else on MPI_COMM_WORLD. So a message
/// that is too long would end the program although the user's communicator returns errors. While this object lives,
/// both return errors. For one completion call or one inquiry in which no function of the program is called. Open MPI
/// asks the message's communicator. One thread may hold several, since the MPI library drives other operations of ours
/// from within a completion call. MPI_COMM_SELF gets no handler before the program has given it one. Cost: one handler
/// is set and put back, or two. Only receives need it: no send of ours can fail and the job go on.
class ReturnedErrors
{
  public:
#ifndef OPEN_MPI
    ReturnedErrors() : lock_(common().mutex), world_(MPI_COMM_WORLD)
    {
        if (common().self_has_handler)
            self_.emplace(MPI_COMM_SELF);
    }
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

    /// While this is held, no other thread of the library has changed a handler: for a call by which the program sets
    /// or gets one.
    static std::unique_lock<std::recursive_mutex> hold_off()
    {
        return std::unique_lock<std::recursive_mutex>(common().mutex);
    }

    /// The program has given MPI_COMM_SELF a handler. While hold_off() is held.
    static void note_handler_of_self() noexcept
    {
        common().self_has_handler = true;
    }

  private:
    struct Common {
        std::recursive_mutex mutex;
        bool self_has_handler = false;
    };
    static Common& common()
    {
        return immortal<Common>();
    }

    std::lock_guard<std::recursive_mutex> lock_;
    ReturningErrors world_;
    std::optional<ReturningErrors> self_;
#else
    ReturnedErrors() {}
    static int hold_off()
    {
        return 0;
    }
    static void note_handler_of_self() noexcept {}
#endif
};

/// Raises an error that no function of the MPI library has raised: through the communicator's error handler. If that
/// ends the job, a line names the function of the program first. May throw the exceptions of the program's handler.
void raise_error(MPI_Comm comm, const char* function, int code);

/// Runs body, which returns an MPI code or throws. The code of an error of ours is raised, and returned. Exceptions of
/// the program's functions pass through: only the library's own types are caught, and no border is noexcept.
template <class Raise, class Body>
int guarded_by(Raise&& raise, Body&& body)
{
    int code = MPI_ERR_INTERN;
    try {
        return body();
    } catch (const MpiError& error) {
        code = error.code;
    } catch (const NoMemory&) {
        code = MPI_ERR_NO_MEM;
    }
    raise(code);
    return code;
}

/// Runs the body, and turns its exceptions into codes. An error goes through the communicator's error handler as one of
/// the library's would. `function`: the one called by the program.
template <class Body>
int guarded(const char* function, MPI_Comm comm, Body&& body)
{
    return guarded_by([=](int code) { raise_error(comm, function, code); }, std::forward<Body>(body));
}

/// The same for a body that carries a call. A call with wrong arguments goes on to the library by `pass`, which reports
/// the error.
template <class Pass, class Body>
int guarded_or(Call call, MPI_Comm comm, Pass&& pass, Body&& body)
{
    return guarded_by([=](int code) { raise_error(comm, name(call), code); },
                      [&] {
                          try {
                              return static_cast<int>(body());
                          } catch (const WrongArgument&) {
                              return static_cast<int>(pass());
                          }
                      });
}

} // namespace hopscotch::shim
