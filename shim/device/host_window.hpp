// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Host memory that stands in for a stretch of the memory of a device.
#pragma once

#include "shim/device/device_library.hpp"

#include <cstddef>

namespace hopscotch::shim
{

/// Pages of ours, so that other processes may read them. Windows of up to 16 MiB are pinned if the library can do that,
/// and kept for the next one, up to 64 MiB per process.
class HostWindow
{
  public:
    /// Throws: std::bad_alloc. Cost: a call of the system, and pinning, unless one is kept.
    HostWindow(std::size_t bytes, DeviceOwner& owner);
    ~HostWindow();
    HostWindow(const HostWindow&) = delete;
    HostWindow& operator=(const HostWindow&) = delete;

    /// It still holds the data of its last user. Shape: at least as many bytes as asked for; begins with a page.
    char* data() const noexcept { return memory_.data; }

    struct Memory {
        char* data = nullptr;
        std::size_t bytes = 0;
        DeviceOwner* owner = nullptr;
        bool pinned = false;
    };

  private:
    Memory memory_;
};

} // namespace hopscotch::shim
