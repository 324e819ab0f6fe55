// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Each run-time library tells the memory of devices from all other, and copies pieces of it; on stand-ins.
#include "test/catch.hpp"

#include "shim/device/device_library.hpp"
#include "test/device/device_memory.h"
#include "test/device/loaded.hpp"

#include <atomic>
#include <cstdlib>
#include <thread>

using namespace hopscotch::shim;
using namespace hopscotch::test;
using hopscotch::schedules::Pieces;

namespace
{

const Device& device(StandIn kind)
{
    static const Device all[] = {Device(StandIn::cuda), Device(StandIn::hip), Device(StandIn::level_zero)};
    return all[static_cast<int>(kind)];
}

Pieces pieces_at(const char* address, std::size_t length, std::size_t stride = 0, std::size_t count = 1)
{
    return {reinterpret_cast<std::size_t>(address), length, stride, count};
}

/// Brings pieces of device memory into memory of ours, changes them and takes them back.
void check_copies(StandIn kind)
{
    const Device& there = device(kind);
    const DeviceBuffer memory(there, 1000, 'a', 1);
    for (std::size_t i = 0; i < 1000; ++i)
        memory.reached()[i] = static_cast<char>(i);
    DeviceOwner* const owner = device_owner(memory.data() + 999);
    REQUIRE(owner != nullptr);
    std::vector<char> ours(1000, '#');
    const std::ptrdiff_t shift = ours.data() - memory.data();
    const std::vector<Pieces> pieces = {pieces_at(memory.data() + 10, 5), pieces_at(memory.data() + 100, 4, 16, 3),
                                        pieces_at(memory.data() + 301, 8, 4, 2)}; // the last two overlap
    const unsigned long before = there.counts().copies;
    const unsigned long waits = there.counts().waits;
    CHECK(owner->library->copy(*owner, Towards::host, pieces, shift));
    CHECK(there.counts().copies == before + 4);
    CHECK(there.counts().waits == waits + (kind == StandIn::level_zero ? 0 : 1)); // its copies are complete at once
    for (const std::size_t at : {10, 14, 100, 103, 116, 132, 135, 301, 312})
        CHECK(ours[at] == static_cast<char>(at));
    for (const std::size_t at : {0, 9, 15, 104, 136, 300, 313, 999})
        CHECK(ours[at] == '#');
    for (char& byte : ours)
        byte = '!';
    CHECK(owner->library->copy(*owner, Towards::device, pieces, shift));
    CHECK(memory.reached()[10] == '!');
    CHECK(memory.reached()[132] == '!');
    CHECK(memory.reached()[15] == 15);
    CHECK(memory.reached()[120] == 120);
    CHECK(there.depth() == 0);
    CHECK_FALSE(owner->library->copy(*owner, Towards::host, {pieces_at(memory.data() + 990, 11)}, shift));
    CHECK(there.depth() == 0);
}

} // namespace

TEST_CASE("Memory of devices and of the host, pinned or not, is recognized")
{
    int on_the_stack = 0;
    for (const StandIn kind : {StandIn::cuda, StandIn::hip, StandIn::level_zero}) {
        const Device& there = device(kind);
        const DeviceBuffer memory(there, 100, 'x');
        CHECK(device_owner(memory.data()) != nullptr);
        CHECK(device_owner(memory.data() + 99) != nullptr);
        CHECK(device_owner(memory.data() + 100) == nullptr);
        const DeviceBuffer pinned(there, 100, 'x', no_device);
        CHECK(device_owner(pinned.data()) == nullptr);
        CHECK(device_owner(&on_the_stack) == nullptr);
        CHECK(device_owner(nullptr) == nullptr);
    }
    CHECK(device_library_names() == "CUDA, HIP, Level Zero");
    const auto last_error = reinterpret_cast<int (*)()>(device(StandIn::hip).symbol("hipPeekAtLastError"));
    CHECK(last_error() == 0); // the program's own value
}

TEST_CASE("Memory that the host may touch is as good as its own")
{
    for (const StandIn kind : {StandIn::cuda, StandIn::hip}) {
        const DeviceBuffer memory(device(kind), 100, 'x');
        setenv("DEVICE_MANAGED", "1", 1);
        CHECK(device_owner(memory.data()) == nullptr);
        unsetenv("DEVICE_MANAGED");
        CHECK(device_owner(memory.data()) != nullptr);
    }
}

TEST_CASE("Memory of a pool belongs to the first context of its device")
{
    const DeviceBuffer memory(device(StandIn::cuda), 100, 'x', 1);
    const DeviceOwner* const usual = device_owner(memory.data());
    setenv("DEVICE_POOL", "1", 1);
    DeviceOwner* const owner = device_owner(memory.data());
    unsetenv("DEVICE_POOL");
    CHECK(owner == usual);
}

TEST_CASE("Pieces are copied from a device and to it, rows at once")
{
    check_copies(StandIn::cuda);
    check_copies(StandIn::hip);
    check_copies(StandIn::level_zero);
}

TEST_CASE("The current device of a thread and its last error stay the program's")
{
    const Device& hip = device(StandIn::hip);
    const auto function = [&hip](const char* name) { return hip.symbol(name); };
    const auto set_device = reinterpret_cast<int (*)(int)>(function("hipSetDevice"));
    const auto get_device = reinterpret_cast<int (*)(int*)>(function("hipGetDevice"));
    const auto ask = reinterpret_cast<int (*)(void*, const void*)>(function("hipPointerGetAttributes"));
    const auto take_error = reinterpret_cast<int (*)()>(function("hipGetLastError"));
    const auto current = [&get_device] {
        int number = -1;
        get_device(&number);
        return number;
    };
    std::vector<char> ours(64);
    for (const int own : {0, 1, 0})
        for (const int other : {0, 1}) {
            const DeviceBuffer memory(hip, 64, 'x', other);
            set_device(own);
            DeviceOwner* const owner = device_owner(memory.data());
            REQUIRE(owner != nullptr);
            CHECK(current() == own);
            const std::ptrdiff_t shift = ours.data() - memory.data();
            CHECK(owner->library->copy(*owner, Towards::host, {pieces_at(memory.data(), 64)}, shift));
            CHECK(current() == own);
            CHECK_FALSE(owner->library->copy(*owner, Towards::host, {pieces_at(memory.data() + 60, 5)}, shift));
            CHECK(current() == own);
            CHECK(owner->library->pin(*owner, ours.data(), ours.size()));
            CHECK(current() == own);
            owner->library->unpin(*owner, ours.data());
            CHECK(current() == own);
            take_error();
        }
    set_device(0);

    const DeviceBuffer memory(hip, 64, 'x');
    const int on_the_stack = 0;
    char attributes[64];
    REQUIRE(ask(attributes, &on_the_stack) != 0); // an error that the program has not looked at yet
    CHECK(device_owner(&on_the_stack) == nullptr);
    CHECK(device_owner(memory.data()) != nullptr);
    CHECK(take_error() != 0);
    CHECK(take_error() == 0);
    CHECK(device_owner(&on_the_stack) == nullptr);
    CHECK(take_error() == 0);

    const Device& cuda = device(StandIn::cuda);
    const DeviceBuffer there(cuda, 64, 'x', 1);
    DeviceOwner* const owner = device_owner(there.data());
    CHECK(owner->library->pin(*owner, ours.data(), ours.size()));
    owner->library->unpin(*owner, ours.data());
    CHECK(cuda.depth() == 0);
}

TEST_CASE("Threads copy from two devices at once")
{
    for (const StandIn kind : {StandIn::cuda, StandIn::hip, StandIn::level_zero}) {
        std::atomic<int> faults{0}; // checks are for one thread
        const auto copy_often = [kind, &faults](int number) {
            const DeviceBuffer memory(device(kind), 64, static_cast<char>('a' + number), number);
            DeviceOwner* const owner = device_owner(memory.data());
            for (int i = 0; i < 200; ++i) {
                std::string ours(64, '#');
                const std::ptrdiff_t shift = ours.data() - memory.data();
                const bool copied = owner->library->copy(*owner, Towards::host, {pieces_at(memory.data(), 64)}, shift);
                faults += copied && ours == std::string(64, static_cast<char>('a' + number)) ? 0 : 1;
            }
        };
        device(kind);
        std::thread other(copy_often, 1);
        copy_often(0);
        other.join();
        CHECK(faults == 0);
    }
}
