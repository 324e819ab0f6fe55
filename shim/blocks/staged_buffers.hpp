// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#pragma once

#include "schedules/grid/topology.hpp"
#include "shim/base/host_window.hpp"
#include "shim/blocks/layouts.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Selects the blocks that stay where they are: is_untouched() is true for them, and another process has the other end.
struct Staying {
    std::size_t most_packed = std::numeric_limits<std::size_t>::max();
    int rank = schedules::no_rank;
};

/// Host memory of ours in place of one buffer: its blocks lie there as they do in the buffer.
class DeviceWindow
{
  public:
    /// For the blocks of a buffer that a call sends, or for those that it receives; no other byte may be written.
    /// Those that stay are left out.
    /// `peers`: of the blocks, with no_rank for those that nobody gets or sends. Null if the memory is ordinary. If the
    /// buffer is MPI_BOTTOM each of its pieces may lie elsewhere. Throws: MpiError, std::bad_alloc. Cost: a question to
    /// the library for ordinary memory.
    static std::unique_ptr<DeviceWindow> find(const BlockLayout& user, const std::vector<int>& peers, Towards towards,
                                              const Staying& staying = {});

    /// The distance to be added to an address in the buffer. Units: bytes.
    std::ptrdiff_t shift() const noexcept { return shift_; }

    /// The bytes of the blocks, each counted once.
    std::size_t bytes() const noexcept { return bytes_; }

    /// Brings the blocks into the window, or takes them back, as find() was told. Throws: MpiError.
    void copy();

  private:
    DeviceWindow(const DevicePlace& place, Towards towards, std::vector<schedules::Pieces> pieces);

    DevicePlace place_;
    Towards towards_;
    std::vector<schedules::Pieces> pieces_; // offsets are addresses in the buffer
    std::size_t begin_ = 0;                 // begin of the stretch of memory that holds all pieces
    std::size_t end_ = 0;
    std::size_t bytes_ = 0;
    std::unique_ptr<HostWindow> memory_;
    std::ptrdiff_t shift_ = 0;
};

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
    /// std::bad_alloc.
    static std::unique_ptr<StagedBuffers> find(const Layouts& user, const std::vector<int>& destinations,
                                               const std::vector<int>& sources, const Staying& staying = {});

    /// The layouts that were found, moved but for blocks that stay.
    const Layouts& blocks() const noexcept { return blocks_; }
    const Shifts& shifts() const noexcept { return shifts_; }

    /// The blocks that the call sends become those of the program. Throws: MpiError.
    void bring();

    /// The program's blocks become those that have been received there, and nothing else of it is written. Throws:
    /// MpiError.
    void take_back();

    /// The bytes copied since the last call of this function, and the time for them. Units: bytes, ticks.
    struct Copied {
        std::uint64_t bytes = 0;
        std::uint64_t ticks = 0;
    };
    Copied take_copied() noexcept { return std::exchange(copied_, {}); }

  private:
    StagedBuffers() = default;
    void copy(DeviceWindow* window);

    Layouts blocks_;
    Shifts shifts_;
    std::unique_ptr<DeviceWindow> send_;    // null: ordinary memory
    std::unique_ptr<DeviceWindow> receive_; // the same
    Copied copied_;
};

} // namespace hopscotch::shim
