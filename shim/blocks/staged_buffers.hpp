// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#pragma once

#include "shim/blocks/block_layout.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// The distances of the buffers of a call to their copies in private host memory. Units: bytes.
struct Shifts {
    std::ptrdiff_t send = 0;
    std::ptrdiff_t receive = 0;

    /// The buffer arguments there.
    const void* sent(const void* buffer) const noexcept { return moved(buffer, send); }
    void* received(void* buffer) const noexcept { return moved(buffer, receive); }
};

/// The other processes of a call act the same whether or not one has any: each decides alone.
class StagedBuffers
{
  public:
    /// Null if both buffers are in ordinary memory. Nothing is copied yet. `user`: as the call has them.
    /// `destinations`, `sources`: of the blocks, with no_rank for those that nobody gets or sends. Throws: MpiError,
    /// std::bad_alloc. Cost: for ordinary memory a question to the library for each buffer; if that is MPI_BOTTOM, for
    /// each piece of it, which may lie elsewhere.
    static std::unique_ptr<StagedBuffers> find(const Layouts& user, const std::vector<int>& destinations,
                                               const std::vector<int>& sources);
    ~StagedBuffers();
    StagedBuffers(const StagedBuffers&) = delete;
    StagedBuffers& operator=(const StagedBuffers&) = delete;

    /// The layouts that were found, moved.
    const Layouts& blocks() const noexcept { return blocks_; }
    const Shifts& shifts() const noexcept { return shifts_; }

    /// The blocks that the call sends become those of the program. Throws: MpiError.
    void bring() { copy(send_.get()); }

    /// The program's blocks become those that have been received there, and nothing else of it is written. Throws:
    /// MpiError.
    void take_back() { copy(receive_.get()); }

    /// The bytes copied since the last call of this function, and the time for them. Units: bytes, ticks.
    struct Copied {
        std::uint64_t bytes = 0;
        std::uint64_t ticks = 0;
    };
    Copied take_copied() noexcept { return std::exchange(copied_, {}); }

  private:
    struct Window;

    StagedBuffers();
    void copy(const Window* window);

    Layouts blocks_;
    Shifts shifts_;
    std::unique_ptr<Window> send_;    // null: ordinary memory
    std::unique_ptr<Window> receive_; // the same
    Copied copied_;
};

} // namespace hopscotch::shim
