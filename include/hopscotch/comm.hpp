// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared by the C++ classes: MPI errors as exceptions, communicators as handles; version, counters and report.
#ifndef HOPSCOTCH_COMM_HPP
#define HOPSCOTCH_COMM_HPP

#include <hopscotch.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hopscotch
{

/// An MPI error as an exception; its what() is the text of MPI_Error_string. For errors met by the MPI library itself,
/// the communicator must return errors: MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN).
class Error : public std::runtime_error
{
  public:
    explicit Error(int code) : std::runtime_error(text(code)), code_(code) {}

    int code() const noexcept { return code_; }

    /// Throws: Error unless code is MPI_SUCCESS.
    static void check(int code)
    {
        if (code != MPI_SUCCESS)
            throw Error(code);
    }

  private:
    static std::string text(int code)
    {
        char buffer[MPI_MAX_ERROR_STRING] = {};
        int length = 0;
        MPI_Error_string(code, buffer, &length);
        return std::string(buffer, static_cast<std::string::size_type>(length));
    }

    int code_;
};

/// A communicator. All classes are handles, like MPI_Comm and MPI_Win themselves: copies are the same communicator, and
/// nothing is freed but by Free().
class Comm
{
  public:
    explicit Comm(MPI_Comm comm) : comm_(comm) {}

    MPI_Comm mpi_comm() const noexcept { return comm_; }
    bool Is_null() const noexcept { return comm_ == MPI_COMM_NULL; }
    int Get_rank() const { return number(MPI_Comm_rank); }
    int Get_size() const { return number(MPI_Comm_size); }
    void Free() { Error::check(MPI_Comm_free(&comm_)); }

  protected:
    /// Calls a function whose last argument is the communicator.
    template <class Function, class... Arguments>
    void call(Function function, Arguments... arguments) const
    {
        Error::check(function(arguments..., comm_));
    }

    /// The request of a nonblocking function, whose last arguments are the communicator and the request.
    template <class Function, class... Arguments>
    MPI_Request begin(Function function, Arguments... arguments) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(function(arguments..., comm_, &request));
        return request;
    }

    /// The request of a persistent function, whose last arguments are the communicator, the info and the request.
    template <class Function, class... Arguments>
    MPI_Request prepare(Function function, MPI_Info info, Arguments... arguments) const
    {
        MPI_Request request = MPI_REQUEST_NULL;
        Error::check(function(arguments..., comm_, info, &request));
        return request;
    }

    /// The number that a function gives for this communicator.
    int number(int (*function)(MPI_Comm, int*)) const
    {
        int value = 0;
        Error::check(function(comm_, &value));
        return value;
    }

    /// Throws: Error{MPI_ERR_ARG} unless the list consists of whole offsets or coordinates of d numbers. Returns their
    /// number.
    static int points(const std::vector<int>& list, int d)
    {
        if (d < 1 || list.size() % static_cast<std::vector<int>::size_type>(d) != 0)
            throw Error(MPI_ERR_ARG);
        return static_cast<int>(list.size()) / d;
    }

    /// Throws: Error{MPI_ERR_ARG} unless these are the d numbers of one offset or coordinate.
    static const int* point(const std::vector<int>& numbers, int d)
    {
        if (points(numbers, d) != 1)
            throw Error(MPI_ERR_ARG);
        return numbers.data();
    }

    static std::vector<int> room(int numbers)
    {
        return std::vector<int>(static_cast<std::vector<int>::size_type>(numbers < 0 ? 0 : numbers));
    }

    static std::vector<int> integers(const std::vector<bool>& flags)
    {
        return std::vector<int>(flags.begin(), flags.end());
    }

  private:
    MPI_Comm comm_;
};

/// The origin and the target of a block.
struct Shift {
    int source, target;
};

/// Hop_version.
inline std::string version()
{
    return Hop_version();
}

/// Hop_active.
inline bool active()
{
    int flag = 0;
    Error::check(Hop_active(&flag));
    return flag != 0;
}

/// Hop_counters.
inline Hop_Counters counters(MPI_Comm comm = MPI_COMM_NULL)
{
    Hop_Counters counters;
    Error::check(Hop_counters(comm, &counters));
    return counters;
}

/// Hop_counting.
inline void counting(bool on)
{
    Error::check(Hop_counting(on ? 1 : 0));
}

/// Hop_report; without destination that of HOPSCOTCH_REPORT.
inline void report(const char* destination = nullptr)
{
    Error::check(Hop_report(destination));
}

} // namespace hopscotch

#endif
