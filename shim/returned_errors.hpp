// Errors of our requests come back as codes, whatever the error handlers of the program say.
#pragma once

#include "shim/next.hpp"

#include <mutex>

namespace hopscotch::shim
{

/// MPICH 4.0.2 raises an error of a completion call (MPI_Testall, MPI_Test) on MPI_COMM_WORLD and not on the message's
/// communicator, so that a message that is too long would end the program although the user's communicator returns
/// errors. While this object lives, MPI_COMM_WORLD returns errors. For the time of one completion call of ours, in
/// which no function of the program is called. Open MPI asks the message's communicator. One thread may hold several,
/// since the MPI library drives other operations of ours from within a completion call. Cost: some 20 ns.
class ReturnedErrors
{
  public:
#ifdef MPICH_VERSION
    ReturnedErrors() : lock_(mutex())
    {
        set_ = next.Comm_get_errhandler(MPI_COMM_WORLD, &handler_) == MPI_SUCCESS && handler_ != MPI_ERRORS_RETURN;
        if (set_)
            next.Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    ~ReturnedErrors()
    {
        if (set_)
            next.Comm_set_errhandler(MPI_COMM_WORLD, handler_);
        if (handler_ != MPI_ERRHANDLER_NULL && handler_ != MPI_ERRORS_RETURN && handler_ != MPI_ERRORS_ARE_FATAL)
            next.Errhandler_free(&handler_);
    }
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

  private:
    static std::recursive_mutex& mutex()
    {
        static auto* one =
            new std::recursive_mutex; // never destroyed: MPI may be called after our destructors would run
        return *one;
    }

    std::lock_guard<std::recursive_mutex> lock_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
    bool set_ = false;
#else
    ReturnedErrors() {}
#endif
};

} // namespace hopscotch::shim
