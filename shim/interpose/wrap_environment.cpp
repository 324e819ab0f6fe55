// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Init_thread, MPI_Finalize, MPI_Abort, MPI_Comm_set_errhandler, MPI_Comm_get_errhandler, MPI_Pcontrol:
// the begin and end of a job, its error handlers, and its messages to tools.
#include "shim/interpose/intercept.hpp"
#include "shim/interpose/lifecycle.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <chrono>

using namespace hopscotch::shim;

namespace
{

template <class Init>
int starting(Init init)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const int code = init();
    if (code == MPI_SUCCESS)
        start(std::chrono::duration<double>(Clock::now() - begin).count());
    return code;
}

[[gnu::destructor]] void end()
{
    tell_what_went_by();
}

/// Keeps other threads from changing the handler in between (see ReturnedErrors): only two communicators need it.
auto alone_with_handlers(MPI_Comm comm)
{
    using Lock = decltype(ReturnedErrors::hold_off());
    return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF ? ReturnedErrors::hold_off() : Lock();
}

} // namespace

HOPSCOTCH_WRAP(MPI_Init, (int* argc, char*** argv), (argc, argv))
{
    return starting([&] { return next.MPI_Init(argc, argv); });
}

HOPSCOTCH_WRAP(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided),
               (argc, argv, required, provided))
{
    return starting([&] { return next.MPI_Init_thread(argc, argv, required, provided); });
}

HOPSCOTCH_WRAP(MPI_Finalize, (void), ())
{
    return finalize();
}

HOPSCOTCH_WRAP(MPI_Abort, (MPI_Comm comm, int errorcode), (comm, errorcode))
{
    report_alone("MPI_Abort was called");
    return next.MPI_Abort(comm, errorcode);
}

HOPSCOTCH_WRAP(MPI_Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler), (comm, errhandler))
{
    [[maybe_unused]] const auto alone = alone_with_handlers(comm);
    const int code = next.MPI_Comm_set_errhandler(comm, errhandler);
    if (code == MPI_SUCCESS && comm == MPI_COMM_SELF)
        ReturnedErrors::note_handler_of_self();
    return code;
}

HOPSCOTCH_WRAP(MPI_Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler* errhandler), (comm, errhandler))
{
    [[maybe_unused]] const auto alone = alone_with_handlers(comm);
    return next.MPI_Comm_get_errhandler(comm, errhandler);
}

// Not through HOPSCOTCH_WRAP: the function takes further arguments, which cannot be handed on, since only the tool that
// defines a level knows their types.
extern "C" int MPI_Pcontrol(const int level, ...)
{
    return entries.shown.MPI_Pcontrol(level);
}

extern "C" int PMPI_Pcontrol(const int level, ...)
{
    return entries.base.MPI_Pcontrol(level);
}

int hopscotch::shim::act::MPI_Pcontrol(const int level, ...)
{
    if (level == 0 || level == 1)
        set_counting(level == 1);
    if (level == 2)
        report_now();
    return next.MPI_Pcontrol(level);
}
