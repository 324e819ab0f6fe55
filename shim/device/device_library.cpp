// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/device/device_library.hpp"

#include "shim/base/log.hpp"

#include <array>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <mutex>

namespace hopscotch::shim
{

std::atomic<bool> devices_are_driven{false};

namespace
{

/// Set once: a thread that has seen `devices_are_driven` reads them without a lock.
std::atomic<DeviceLibrary*> libraries[std::size(known_libraries)];

/// The objects loaded into this process: the number of them, now and when they were looked through, and the paths of
/// the known libraries.
struct LibrarySearch {
    unsigned long long looked_through;
    unsigned long long loaded = 0;
    std::array<std::string, std::size(known_libraries)> paths{};
};

int find_device_library(dl_phdr_info* info, std::size_t, void* argument)
{
    LibrarySearch& search = *static_cast<LibrarySearch*>(argument);
    search.loaded = info->dlpi_adds;
    if (search.loaded == search.looked_through)
        return 1; // nothing has been loaded since
    for (std::size_t i = 0; i < search.paths.size(); ++i)
        if (info->dlpi_name != nullptr && std::strstr(info->dlpi_name, known_libraries[i].file) != nullptr)
            search.paths[i] = info->dlpi_name;
    return 0;
}

/// True if a copy of rows can be left to the library: pitches beyond an int may fail, and rows that overlap.
bool are_rows(const schedules::Pieces& entry) noexcept
{
    return entry.count > 1 && entry.stride >= entry.length && entry.stride <= INT_MAX && entry.count <= INT_MAX;
}

} // namespace

void* DeviceLibrary::symbol(const char* name) noexcept
{
    void* const found = dlsym(handle_, name);
    usable_ = usable_ && found != nullptr;
    return found;
}

template <class Body>
int DeviceLibrary::within(DeviceOwner& owner, Body&& body)
{
    void* before = nullptr;
    int code = enter(owner, before);
    if (code != 0)
        return code;
    code = body();
    const int left = leave(owner, before);
    return code != 0 ? code : left;
}

DeviceOwner* DeviceLibrary::owner(void* handle, void* context)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    for (DeviceOwner& known : owners_)
        if (known.handle == handle)
            return &known;
    owners_.emplace_back();
    owners_.back().library = this;
    owners_.back().handle = handle;
    owners_.back().context = context;
    return &owners_.back();
}

int DeviceLibrary::copy_all(DeviceOwner& owner, Towards towards, const std::vector<schedules::Pieces>& pieces,
                            std::ptrdiff_t shift)
{
    int code = owner.stream == nullptr ? make_stream(owner) : 0;
    if (code != 0)
        return code;
    for (const schedules::Pieces& entry : pieces) {
        const bool rows = are_rows(entry);
        for (std::size_t i = 0; i < (rows ? 1 : entry.count) && code == 0; ++i) {
            char* const theirs = reinterpret_cast<char*>(entry.offset + i * entry.stride);
            char* const ours = theirs + shift;
            char* const to = towards == Towards::host ? ours : theirs;
            const char* const from = towards == Towards::host ? theirs : ours;
            code = rows ? copy_rows(owner, towards, to, from, entry) : copy_run(owner, to, from, entry.length);
        }
    }
    const int waited = wait(owner); // for those that have begun, at least
    return code != 0 ? code : waited;
}

bool DeviceLibrary::copy(DeviceOwner& owner, Towards towards, const std::vector<schedules::Pieces>& pieces,
                         std::ptrdiff_t shift)
{
    const std::lock_guard<std::mutex> lock(owner.mutex);
    const int code = within(owner, [&] { return copy_all(owner, towards, pieces, shift); });
    if (code != 0)
        log(LogLevel::error, std::string("a copy ") + (towards == Towards::host ? "from" : "to") +
                                 " the memory of a device failed (" + name_ + " error " + std::to_string(code) + ")");
    return code == 0;
}

bool DeviceLibrary::pin(DeviceOwner& owner, void* memory, std::size_t bytes)
{
    return within(owner, [&] { return do_pin(memory, bytes); }) == 0;
}

void DeviceLibrary::unpin(DeviceOwner& owner, void* memory)
{
    within(owner, [&] { return do_unpin(memory); });
}

bool look_for_device_libraries() noexcept
{
    static std::mutex mutex;
    static unsigned long long looked_through = 0;
    static bool found = false;
    const std::lock_guard<std::mutex> lock(mutex);
    LibrarySearch search{looked_through};
    if (dl_iterate_phdr(find_device_library, &search) != 0)
        return found;
    looked_through = search.loaded;
    for (std::size_t i = 0; i < search.paths.size(); ++i) {
        if (search.paths[i].empty() || libraries[i] != nullptr)
            continue;
        void* const handle = dlopen(search.paths[i].c_str(), RTLD_LAZY | RTLD_NOLOAD); // held for the process's life
        libraries[i] = handle != nullptr ? known_libraries[i].make(handle) : nullptr;
        found = found || libraries[i] != nullptr;
    }
    return found;
}

DeviceOwner* device_owner(const void* address)
{
    for (DeviceLibrary* const library : libraries)
        if (library != nullptr)
            if (DeviceOwner* const owner = library->owner_of(address))
                return owner;
    return nullptr;
}

std::string device_library_names()
{
    std::string names;
    for (const DeviceLibrary* const library : libraries)
        if (library != nullptr)
            names += (names.empty() ? "" : ", ") + std::string(library->name());
    return names;
}

} // namespace hopscotch::shim
