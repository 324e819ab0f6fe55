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
    /// `sources`: of the blocks; must live as long. `reference`: null if the caller makes the call a second time
    /// himself.
    Verification(const std::vector<int>& sources, Layouts user, std::shared_ptr<Exchange> reference = nullptr);

    /// The receive buffer for this library's call.
    const BlockLayout& receive() const noexcept { return shadow_.layout(); }

    /// Before ours starts: the reference starts. Throws: MpiError.
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
    std::shared_ptr<Exchange> reference_;
    int error_ = MPI_SUCCESS;
};

/// Makes the exchange that the MPI library carries; it may begin at once.
using ByLibrary = std::function<std::shared_ptr<Exchange>()>;

/// The verification of a call on this entry. The reference is the exchange of the MPI library, or one by messages if
/// the library's function is known to be wrong or there is none (null). For a persistent call collective: over the
/// communicator. Throws: MpiError.
std::unique_ptr<Verification> verify_call(Communicator& record, const SelectionEntry& entry, Collective collective,
                                          Completion completion, const Layouts& blocks, const ByLibrary& by_library);

} // namespace hopscotch::shim
