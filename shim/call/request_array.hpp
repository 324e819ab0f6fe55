// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes requests, also in arrays that mix those of this library with others.
#pragma once

#include "shim/call/requests.hpp"

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace hopscotch::shim
{

/// MPI_Start on one request, whosever it is. To start one of ours that is active or not persistent is MPI_ERR_REQUEST.
[[gnu::hot]] int start_one(MPI_Request* handle);

/// MPI_Startall: if a request is active or not persistent, none is started. Throws: std::bad_alloc.
int start_all(int count, MPI_Request* array);

/// The requests of one call that completes some or looks at them. While it lives MPI_REQUEST_NULL stands in the array
/// for ours, so that the library's functions say nothing of them, unless all are ours and active.
///
/// At the end of the call, its time is shared evenly among its operations, and those whose handles it has taken from
/// the program are tracked no more.
class RequestArray
{
  public:
    enum class Purpose { complete, look }; // look: all requests stay as they are

    /// Throws: MpiError, std::bad_alloc.
    [[gnu::hot]] RequestArray(int count, MPI_Request* array, Purpose purpose = Purpose::complete);
    [[gnu::hot]] ~RequestArray();
    RequestArray(const RequestArray&) = delete;
    RequestArray& operator=(const RequestArray&) = delete;

    /// True if an active one is of this library; else the library's function knows all.
    bool has_ours() const noexcept { return number_ > 0; }

    // Like the functions of MPI, or those of MPI_Request_get_status_. Requires: has_ours().
    [[gnu::hot]] int wait_all(MPI_Status* statuses);
    int test_all(int* flag, MPI_Status* statuses);
    [[gnu::hot]] int wait_any(int* index, MPI_Status* status);
    [[gnu::hot]] int test_any(int* index, int* flag, MPI_Status* status);
    int wait_some(int* count, int* indices, MPI_Status* statuses);
    int test_some(int* count, int* indices, MPI_Status* statuses);

    /// An error of the first of ours. Returns the code.
    int raise(int code) const { return first_->raise(code); }

  private:
    struct Concerned {
        int index;
        MPI_Request handle;
        std::shared_ptr<TimedOperation> operation;
        Request* ours;    // the same if it is ours and active
        bool is_followed; // the library carries it
        bool ended;       // the program does not have ours any more
    };

    bool only_ours() const noexcept { return number_ == count_; }
    bool looks() const noexcept { return purpose_ == Purpose::look; }
    bool all_complete() const noexcept;
    void idle() const;
    int retire(Concerned& one) noexcept;
    int finish(Concerned& one, MPI_Status* status) noexcept;
    int wait_all_others(MPI_Status* statuses);
    [[gnu::hot]] int first_place() const noexcept;
    int show(Concerned& one, int* index, int* flag, MPI_Status* status);
    [[gnu::hot]] int test_places(int begin, int end, int* index, int* flag, MPI_Status* status);
    int test_others(int begin, int end, int* index, int* flag, MPI_Status* status);
    int finish_all(int code, MPI_Status* statuses);
    template <class Test>
    void until(Test&& test);

    static constexpr std::size_t room = 8;

    int count_;
    MPI_Request* handles_;
    Purpose purpose_;
    std::uint64_t begin_;
    std::array<std::byte, room * sizeof(Concerned)> place_; // room for the first ones: most calls need no memory
    std::pmr::monotonic_buffer_resource memory_{place_.data(), place_.size()};
    std::pmr::vector<Concerned> concerned_{&memory_};
    Request* first_ = nullptr; // active one of ours
    int number_ = 0;           // number of these
};

} // namespace hopscotch::shim
