// Completion of requests, alone and in arrays where those of ours stand among others.
#pragma once

#include "shim/requests.hpp"

#include <vector>

namespace hopscotch::shim
{

/// Fills a status as that of a completed collective; MPI_STATUS_IGNORE is left alone.
void set_empty(MPI_Status* status) noexcept;

/// MPI_Wait and MPI_Test on a request of ours; `handle` becomes MPI_REQUEST_NULL when a nonblocking one is complete.
int wait_for(Request& ours, MPI_Request* handle, MPI_Status* status) noexcept;
int test(Request& ours, MPI_Request* handle, int* flag, MPI_Status* status) noexcept;

/// MPI_Start. MPI_ERR_REQUEST when the request is active or not persistent.
int start_persistent(const std::shared_ptr<Request>& ours) noexcept;

/// One call's array of requests, split into ours and others. An inactive persistent request of ours counts among the
/// others: its handle is an inactive persistent request of the library's too.
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
    int start_all();

  private:
    struct Ours {
        int index;
        std::shared_ptr<Request> request;
    };

    bool all_complete() const;
    void idle() noexcept;
    int finish(const Ours& ours, MPI_Status* status);
    int finish_all(int code, MPI_Status* statuses);
    void give_back_others();
    void place_others(int code, std::vector<MPI_Status>& theirs, MPI_Status* statuses);
    int others() const noexcept { return static_cast<int>(others_.size()); }

    MPI_Request* handles_;
    std::vector<Ours> ours_;
    std::vector<MPI_Request> others_;
    std::vector<int> other_indices_;
    bool yields_ = false;
};

/// Runs body; running out of memory becomes MPI_ERR_NO_MEM.
template <class Body>
int guarded_array(Body&& body) noexcept
{
    return guarded(MPI_COMM_WORLD, std::forward<Body>(body));
}

} // namespace hopscotch::shim
