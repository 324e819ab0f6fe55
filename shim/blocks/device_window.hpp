// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Host memory of ours in place of a buffer in the memory of a device: its blocks lie there as they do in the buffer.
#pragma once

#include "shim/base/host_window.hpp"
#include "shim/blocks/block_layout.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

class DeviceWindow
{
  public:
    /// For the blocks of a buffer that a call sends, or for those that it receives; no other byte may be written.
    /// `peers`: of the blocks, with no_rank for those that nobody gets or sends. Null if the memory is ordinary. If the
    /// buffer is MPI_BOTTOM each of its pieces may lie elsewhere. Throws: MpiError, std::bad_alloc. Cost: a question to
    /// the library for ordinary memory.
    static std::unique_ptr<DeviceWindow> find(const BlockLayout& user, const std::vector<int>& peers, Towards towards);

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

} // namespace hopscotch::shim
