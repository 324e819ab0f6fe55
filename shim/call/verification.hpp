// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares calls under HOPSCOTCH_VERIFY: ours receives into memory of ours, the MPI library's into the user's buffer.
#pragma once

#include "shim/blocks/shadow.hpp"
#include "shim/call/communicator.hpp"

#include <functional>
#include <memory>

namespace hopscotch::shim
{

/// One call, or one persistent request, and its reference. A program that ends well has the MPI library's results.
class Verification
{
  public:
    /// `sources`: of the blocks; must live as long. The reference is an exchange, a request of the library, or nothing
    /// if the caller makes the call a second time himself.
    Verification(const std::vector<int>& sources, Layouts user, std::shared_ptr<Exchange> reference = nullptr);
    Verification(const std::vector<int>& sources, Layouts user, MPI_Request reference, Completion completion);
    ~Verification();
    Verification(const Verification&) = delete;
    Verification& operator=(const Verification&) = delete;

    /// The receive buffer for this library's call.
    const BlockLayout& receive() const noexcept { return shadow_.layout(); }

    /// Before ours starts: the reference starts, unless it is a nonblocking request. Throws: MpiError.
    void start();

    /// True if the reference is complete. Requires: there is one, and this was false before.
    bool complete();

    /// MPI_SUCCESS or the first error of the reference, once it is complete.
    int error_of_reference() const noexcept { return error_; }

    /// Compares the outcomes, both complete, and counts that. A difference is reported and ends the job.
    void compare(const Communicator& record, SelectionEntry& entry, int ours, int theirs) const;

  private:
    const std::vector<int>& sources_;
    Layouts user_;
    Shadow shadow_;
    std::shared_ptr<Exchange> exchange_; // the reference; null if it is the request
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool persistent_ = false; // request_ is persistent, and freed with this
    int error_ = MPI_SUCCESS;
};

/// The reference of a nonblocking or persistent call on this entry; `native()` gives a request of the library in
/// `request`, null if the library knows no such call. For a persistent call collective: over the communicator.
/// Throws: MpiError.
std::unique_ptr<Verification> verify_request(Communicator& record, const SelectionEntry& entry, Collective collective,
                                             Completion completion, const Layouts& blocks, const MPI_Request& request,
                                             const std::function<int()>& native);

/// Repeats a blocking call under HOPSCOTCH_VERIFY by the MPI library's function, or by messages if that function is
/// known to be wrong, and compares the results. `beside`: has been carried and is counted. Throws: MpiError if this
/// library's call fails, std::bad_alloc.
int verified_call(Communicator& record, SelectionEntry& entry, Collective collective, std::uint64_t begin,
                  std::size_t block_bytes, const Layouts& blocks, const std::function<int()>& native,
                  const OutsideExchange& outside_exchange);

} // namespace hopscotch::shim
