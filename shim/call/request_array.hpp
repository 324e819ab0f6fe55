// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes requests, alone and in arrays where those of ours stand among others.
#pragma once

#include "shim/call/requests.hpp"

#include <vector>

namespace hopscotch::shim
{

/// The request behind a handle, or null when it is not ours.
std::shared_ptr<Request> find_request(MPI_Request handle);

/// Fills a status as that of a completed collective; MPI_STATUS_IGNORE is left alone.
void set_empty(MPI_Status* status) noexcept;

/// Whether there is no place for a status, or statuses, though the program has not said that it wants none.
bool missing(const MPI_Status* status) noexcept;

/// MPI_Wait, MPI_Test, MPI_Request_get_status and MPI_Start on one request, whosever it is. To start one of ours that
/// is active or not persistent is MPI_ERR_REQUEST.
int wait_for(MPI_Request* handle, MPI_Status* status) noexcept;
int test(MPI_Request* handle, int* flag, MPI_Status* status) noexcept;
int get_status(MPI_Request handle, int* flag, MPI_Status* status) noexcept;
int start_one(MPI_Request* handle) noexcept;

/// One call's array of requests, split into ours and others. An inactive
/// persistent request of ours counts among the others: its handle is an inactive persistent request of the library's
/// too.
class RequestArray
{
  public:
    /// Throws: std::bad_alloc.
    RequestArray(int count, MPI_Request* array);

    int wait_all(MPI_Status* statuses);
    int test_all(int* flag, MPI_Status* statuses);
    int wait_any(int* index, MPI_Status* status);
    int test_any(int* index, int* flag, MPI_Status* status);
    int wait_some(int* count, int* indices, MPI_Status* statuses);
    int test_some(int* count, int* indices, MPI_Status* statuses);

    /// All or, where one is active or no persistent request, none.
    int start_all();

  private:
    struct Ours {
        int index;
        std::shared_ptr<Request> request;
    };

    bool all_complete() const;
    void idle() noexcept;
    int finish(const Ours& ours, MPI_Status* status);
    std::vector<MPI_Status> statuses_of_others(const MPI_Status* statuses) const;
    int finish_all(int code, std::vector<MPI_Status>& theirs, MPI_Status* statuses);
    template <class Look>
    int until(Look&& look);
    void note_complete(int code, int found, const int* indices) noexcept;
    void give_back_others();
    int others() const noexcept { return static_cast<int>(others_.size()); }

    MPI_Request* handles_;
    TimedCall timed_;
    std::vector<Ours> ours_;
    std::vector<MPI_Request> others_;
    std::vector<int> other_indices_;
    bool yields_ = false;
};

} // namespace hopscotch::shim
