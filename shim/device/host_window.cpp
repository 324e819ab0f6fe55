// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/device/host_window.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"

#include <algorithm>
#include <mutex>
#include <sys/mman.h>
#include <vector>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t least_bytes = 64 << 10;
constexpr std::size_t most_pinned_bytes = 16 << 20; // of one window
constexpr std::size_t most_kept_bytes = 64 << 20;   // of all windows

struct Kept {
    std::mutex mutex;
    std::vector<HostWindow::Memory> memory;
    std::size_t bytes = 0;

    Kept() { memory.reserve(most_kept_bytes / least_bytes); } // room for all
};

} // namespace

HostWindow::HostWindow(std::size_t bytes, DeviceOwner& owner)
{
    std::size_t room = bytes > most_pinned_bytes ? bytes : least_bytes;
    while (room < bytes)
        room *= 2;
    {
        Kept& kept = immortal<Kept>();
        const std::lock_guard<std::mutex> lock(kept.mutex);
        const auto fits = [&](const Memory& memory) {
            return memory.bytes == room && memory.owner->library == owner.library;
        };
        const auto found = std::find_if(kept.memory.begin(), kept.memory.end(), fits);
        if (found != kept.memory.end()) {
            memory_ = *found;
            kept.bytes -= room;
            kept.memory.erase(found);
            return;
        }
    }
    // A large one may reach over the gap between two allocations: its pages are never touched.
    void* const mapped =
        mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        throw NoMemory();
    const bool pinned = room <= most_pinned_bytes && owner.library->pin(owner, mapped, room);
    memory_ = {static_cast<char*>(mapped), room, &owner, pinned};
}

HostWindow::~HostWindow()
{
    if (memory_.bytes <= most_pinned_bytes) {
        Kept& kept = immortal<Kept>();
        const std::lock_guard<std::mutex> lock(kept.mutex);
        if (kept.bytes + memory_.bytes <= most_kept_bytes) {
            kept.memory.push_back(memory_);
            kept.bytes += memory_.bytes;
            return;
        }
    }
    if (memory_.pinned)
        memory_.owner->library->unpin(*memory_.owner, memory_.data);
    munmap(memory_.data, memory_.bytes);
}

} // namespace hopscotch::shim
