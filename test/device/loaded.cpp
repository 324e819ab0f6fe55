// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Loads the stand-in of a device's run-time library into a test, and gives memory of its devices.
#include "test/device/loaded.hpp"

#include "shim/device/device_library.hpp"
#include "test/device/device_memory.h"

#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

namespace hopscotch::test
{

namespace
{

const char* path_of(StandIn kind)
{
    switch (kind) {
    case StandIn::cuda:
        return HOPSCOTCH_STAND_IN_CUDA;
    case StandIn::hip:
        return HOPSCOTCH_STAND_IN_AMDHIP64;
    default:
        return HOPSCOTCH_STAND_IN_ZE_LOADER;
    }
}

} // namespace

Device::Device(StandIn kind) : handle_(dlopen(path_of(kind), RTLD_NOW | RTLD_LOCAL))
{
    if (handle_ == nullptr)
        throw std::runtime_error(dlerror());
    for (const char* const start : {"cuInit", "zeInit"})
        if (const auto begin = reinterpret_cast<int (*)(unsigned)>(symbol(start)))
            begin(0);
    shim::look_for_device_libraries();
}

void* Device::symbol(const char* name) const
{
    return dlsym(handle_, name);
}

const DeviceCounts& Device::counts() const
{
    return *static_cast<const DeviceCounts*>(symbol("device_counts"));
}

char* Device::reach(const void* address) const
{
    return reinterpret_cast<char* (*)(const void*)>(symbol("device_reach"))(address);
}

int Device::depth() const
{
    const auto depth = reinterpret_cast<int (*)()>(symbol("device_depth"));
    return depth != nullptr ? depth() : 0;
}

DeviceBuffer::DeviceBuffer(const Device& device, std::size_t bytes, char byte, int number)
    : device_(device),
      data_(reinterpret_cast<char* (*)(int, std::size_t)>(device.symbol("device_allocate"))(number, bytes))
{
    std::memset(reached(), byte, bytes);
}

DeviceBuffer::~DeviceBuffer()
{
    reinterpret_cast<void (*)(void*)>(device_.symbol("device_release"))(data_);
}

} // namespace hopscotch::test
