// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares calls under HOPSCOTCH_VERIFY: ours receives into memory of ours, the MPI library's into the user's buffer.
#pragma once

#include "shim/blocks/shadow.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/reference_call.hpp"

#include <functional>
#include <memory>

namespace hopscotch::shim
{

/// One call, or one persistent request, and its reference. Either program that ends well has the library's result,
/// whatever ours was.
class Verification
{
  public:
    /// `sources`: of the blocks; must live as long. `reference`: null where the caller makes the call a second time
    /// himself.
    Verification(const std::vector<int>& sources, BlockLayout user, std::unique_ptr<ReferenceCall> reference);

    /// Where ours has to receive.
    const BlockLayout& receive() const noexcept { return shadow_.layout(); }

    /// Before the reference and ours start. Throws: MpiError.
    void start();

    /// Whether the reference is complete.
    bool complete() { return reference_->complete(); }
    int error_of_reference() const noexcept { return reference_->error(); }

    /// Compares the outcomes, both complete, and counts that. A difference is reported and ends the job.
    void compare(const Communicator& known, SelectionEntry& entry, int ours, int theirs) const;

  private:
    const std::vector<int>& sources_;
    BlockLayout user_;
    Shadow shadow_;
    std::unique_ptr<ReferenceCall> reference_;
};

/// The reference of a nonblocking or persistent call on this entry; `native()` gives a request of the library in
/// `request`, null where the library knows no such call. For a persistent call collective: over the communicator.
/// Throws: MpiError.
std::unique_ptr<Verification> verify_request(Communicator& known, const SelectionEntry& entry, Collective collective,
                                             Completion completion, const Layouts& blocks, const MPI_Request& request,
                                             const std::function<int()>& native);

/// A blocking call of ours under HOPSCOTCH_VERIFY: carried a second time by the library's function, or by messages
/// where that is known to be wrong, and compared. Throws: MpiError where ours fails, std::bad_alloc.
int verified_call(Communicator& known, SelectionEntry& entry, Collective collective, std::uint64_t begin,
                  std::size_t block_bytes, const Layouts& blocks, const std::function<int()>& native);

} // namespace hopscotch::shim
