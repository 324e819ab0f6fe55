// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the run-time libraries of devices that the program has loaded, finds the owner of an address, and copies
// between the memory of a device and that of the host.
#pragma once

#include "schedules/message/pieces.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace hopscotch::shim
{

enum class Towards { host, device };

class DeviceLibrary;

/// The owner of memory: a context of CUDA, a device of HIP, or a device of Level Zero with a context of this library.
struct DeviceOwner {
    DeviceLibrary* library = nullptr;
    void* handle = nullptr;
    void* context = nullptr;
    void* stream = nullptr; // private stream, which waits for no work of the program; null: not made yet
    std::mutex mutex{};     // one thread at a time copies
};

/// One run-time library, as the program has loaded it. Its functions may be called by several threads at once.
class DeviceLibrary
{
  public:
    virtual ~DeviceLibrary() = default;
    DeviceLibrary(const DeviceLibrary&) = delete;
    DeviceLibrary& operator=(const DeviceLibrary&) = delete;

    const char* name() const noexcept { return name_; }

    /// False if a function is missing.
    bool usable() const noexcept { return usable_; }

    /// The owner of this memory, if it is a device's memory that the host cannot touch. Null for all other memory:
    /// pageable, pinned, managed, or not known to the library.
    virtual DeviceOwner* owner_of(const void* address) = 0;

    /// Copies pieces to or from private host memory; their offsets are addresses of the program, and each piece lies
    /// `shift` bytes further in host memory. Returns once all are there; false if a copy failed. The thread's current
    /// device stays as it is. Cost: one copy for each entry of `pieces`, all at once, and one wait.
    bool copy(DeviceOwner& owner, Towards towards, const std::vector<schedules::Pieces>& pieces, std::ptrdiff_t shift);

    /// Pins host memory, which makes copies faster. False: the library does not.
    bool pin(DeviceOwner& owner, void* memory, std::size_t bytes);
    void unpin(DeviceOwner& owner, void* memory);

  protected:
    DeviceLibrary(const char* name, void* handle) : name_(name), handle_(handle) {}

    /// A function of the loaded object.
    template <class Function>
    Function* find(const char* name) noexcept
    {
        return reinterpret_cast<Function*>(symbol(name));
    }

    bool usable_ = true;

    /// The one for a handle, new if there is none.
    DeviceOwner* owner(void* handle, void* context = nullptr);

    // Each returns 0 for success. Code between enter() and leave() has the owner as the thread's current device;
    // leave() gets the value that enter() has left in `before`.
    virtual int enter(DeviceOwner&, void*& /*before*/) { return 0; }
    virtual int leave(DeviceOwner&, void* /*before*/) { return 0; }
    virtual int make_stream(DeviceOwner& owner) = 0;
    virtual int copy_run(DeviceOwner& owner, void* to, const void* from, std::size_t bytes) = 0;
    virtual int copy_rows(DeviceOwner& owner, Towards towards, void* to, const void* from,
                          const schedules::Pieces& rows) = 0;
    virtual int wait(DeviceOwner&) { return 0; }
    virtual int do_pin(void* /*memory*/, std::size_t /*bytes*/) { return -1; }
    virtual int do_unpin(void* /*memory*/) { return -1; }

  private:
    void* symbol(const char* name) noexcept;
    template <class Body>
    int within(DeviceOwner& owner, Body&& body);
    int copy_all(DeviceOwner& owner, Towards towards, const std::vector<schedules::Pieces>& pieces,
                 std::ptrdiff_t shift);

    const char* name_;
    void* handle_;
    std::mutex mutex_;
    std::deque<DeviceOwner> owners_; // a deque, so that they keep their addresses
};

/// True if a run-time library is loaded, so that buffers have to be checked.
extern std::atomic<bool> devices_are_driven;
inline bool may_be_on_devices() noexcept
{
    return __builtin_expect(devices_are_driven.load(std::memory_order_relaxed), 0);
}

/// Looks for libraries that the program has loaded by now, but only after it has loaded more. Returns true if there are
/// any. Local.
bool look_for_device_libraries() noexcept;

/// The owner of the address; null for ordinary memory. Cost: one question to each library.
DeviceOwner* device_owner(const void* address);

/// The libraries by name, as "CUDA"; "" if there are none.
std::string device_library_names();

/// A library by a part of its file's name.
struct KnownLibrary {
    const char* file;

    /// The library of the loaded object behind `handle`, never deleted; null if that lacks a function.
    DeviceLibrary* (*make)(void* handle);
};
extern const KnownLibrary known_libraries[3]; // device_run_times.cpp

} // namespace hopscotch::shim
