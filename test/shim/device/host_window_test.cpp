// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Windows are pinned and kept as far as their limits say, and may be larger than memory.
#include "test/catch.hpp"

#include "shim/device/host_window.hpp"
#include "test/device/device_memory.h"
#include "test/device/loaded.hpp"

#include <atomic>
#include <cstring>
#include <sys/mman.h>
#include <thread>

using namespace hopscotch::shim;
using namespace hopscotch::test;

TEST_CASE("A window is pinned, and kept for the next one of its size")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 10, 'x');
    DeviceOwner* const owner = device_owner(memory.data());
    char* first = nullptr;
    {
        const HostWindow window(100000, *owner);
        first = window.data();
        first[99999] = 'y';
        CHECK(device.counts().pinned_bytes >= 100000);
    }
    const HostWindow again(120000, *owner);
    CHECK(again.data() == first);
    CHECK(again.data()[99999] == 'y');
    const HostWindow other(100000, *owner);
    CHECK(other.data() != first);
    for (char round = 0; round < 20; ++round) { // 160 MiB in all
        const HostWindow large(8 << 20, *owner);
        CHECK(large.data()[0] == round);
        large.data()[0] = static_cast<char>(round + 1);
    }
}

TEST_CASE("No more than 64 MiB stay pinned")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 10, 'x');
    DeviceOwner* const owner = device_owner(memory.data());
    std::vector<std::unique_ptr<HostWindow>> windows;
    for (int i = 0; i < 6; ++i)
        windows.push_back(std::make_unique<HostWindow>(std::size_t{16} << 20, *owner));
    CHECK(device.counts().pinned_bytes >= std::size_t{96} << 20);
    windows.clear();
    CHECK(device.counts().pinned_bytes <= std::size_t{64} << 20);
}

TEST_CASE("Threads never share a kept window")
{
    const Device device(StandIn::cuda);
    std::atomic<int> faults{0}; // checks are for one thread
    const auto use_often = [&](char byte) {
        const DeviceBuffer memory(device, 10, 'x', byte % 2);
        DeviceOwner* const owner = device_owner(memory.data());
        for (int i = 0; i < 200; ++i) {
            const HostWindow window(50000, *owner);
            std::memset(window.data(), byte, 50000);
            faults += std::count(window.data(), window.data() + 50000, byte) == 50000 ? 0 : 1;
        }
    };
    std::thread other(use_often, 'a');
    use_often('b');
    other.join();
    CHECK(faults == 0);
}

TEST_CASE("A large window takes memory only for touched pages, and is not pinned")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 10, 'x');
    const unsigned long before = device.counts().pinned_bytes;
    const HostWindow window(std::size_t{1} << 40, *device_owner(memory.data()));
    window.data()[(std::size_t{1} << 40) - 1] = 'z';
    CHECK(device.counts().pinned_bytes == before);
}

TEST_CASE("The address space of windows that are not kept is given back")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer memory(device, 10, 'x');
    for (int i = 0; i < 300; ++i) // more than there is
        CHECK_NOTHROW(HostWindow(std::size_t{1} << 40, *device_owner(memory.data())));
    // Those of the largest size that is pinned, beyond the number that is kept.
    std::vector<std::unique_ptr<HostWindow>> windows;
    std::vector<const char*> addresses;
    for (int i = 0; i < 8; ++i) {
        windows.push_back(std::make_unique<HostWindow>(std::size_t{16} << 20, *device_owner(memory.data())));
        addresses.push_back(windows.back()->data());
    }
    windows.clear();
    std::ptrdiff_t mapped = 0;
    for (const char* const address : addresses) {
        unsigned char page = 0;
        mapped += mincore(const_cast<char*>(address), 1, &page) == 0 ? 1 : 0;
    }
    CHECK(mapped <= 4);
}

TEST_CASE("A window of one library's devices is not kept for those of another")
{
    const Device cuda(StandIn::cuda);
    const Device hip(StandIn::hip);
    const DeviceBuffer memory(cuda, 10, 'x');
    const DeviceBuffer other(hip, 10, 'x');
    std::vector<std::unique_ptr<HostWindow>> others; // those that are kept: there is room for more
    for (int i = 0; i < 4; ++i)
        others.push_back(std::make_unique<HostWindow>(std::size_t{16} << 20, *device_owner(memory.data())));
    const char* const kept = HostWindow(3 << 20, *device_owner(memory.data())).data();
    const HostWindow window(3 << 20, *device_owner(other.data()));
    CHECK(window.data() != kept);
    CHECK(HostWindow(3 << 20, *device_owner(memory.data())).data() == kept);
}
