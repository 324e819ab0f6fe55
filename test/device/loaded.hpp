// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Loads the stand-in of a device's run-time library into a test, and gives memory of its devices.
#pragma once

#include <cstddef>
#include <vector>

struct DeviceCounts;

namespace hopscotch::test
{

enum class StandIn { cuda, hip, level_zero };

/// A stand-in of this process; loaded, started and known to the shim from then on.
class Device
{
  public:
    explicit Device(StandIn kind);

    /// The counters so far.
    const DeviceCounts& counts() const;

    /// See device_reach (test/device/device_memory.h).
    char* reach(const void* address) const;

    /// The number of contexts that this thread has pushed and not popped, if the library counts them.
    int depth() const;

    void* symbol(const char* name) const;

  private:
    void* handle_;
};

/// Memory of one device, filled with a byte.
class DeviceBuffer
{
  public:
    DeviceBuffer(const Device& device, std::size_t bytes, char byte, int number = 0);
    ~DeviceBuffer();
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    char* data() const noexcept { return data_; }          // nobody of the host may touch it
    char* reached() const { return device_.reach(data_); } // the same bytes

  private:
    const Device& device_;
    char* data_;
};

} // namespace hopscotch::test
