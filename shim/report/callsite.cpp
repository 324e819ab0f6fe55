// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <execinfo.h>
#include <initializer_list>
#include <link.h>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_frames = 16;

/// Frames of the stack that are looked at: some are of this library, and of the MPI library.
constexpr int most_looked_at = 32;

/// The program, or one of its libraries.
struct Object {
    const link_map* entry = nullptr; // entry in the list of loaded objects; null: none

    bool is_program() const noexcept { return entry != nullptr && entry->l_prev == nullptr; }
    bool starts_with(std::initializer_list<std::string_view> starts) const
    {
        const std::string_view path = entry != nullptr ? entry->l_name : "";
        const std::string_view name = path.substr(path.rfind('/') + 1);
        return std::any_of(starts.begin(), starts.end(), [name](auto start) { return name.rfind(start, 0) == 0; });
    }
    bool is_mpi() const { return starts_with({"libmpi", "libpmpi", "libfmpi"}); }

    /// True if it is start-up code, below main or the function of a thread.
    bool is_start_up() const
    {
        return starts_with({"libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgomp", "libomp"});
    }
};

Object object_of(const void* address)
{
    Dl_info info{};
    void* entry = nullptr;
    const bool is_found = ::dladdr1(address, &info, &entry, RTLD_DL_LINKMAP) != 0;
    return {is_found ? static_cast<const link_map*>(entry) : nullptr};
}

/// True if valgrind runs the process: it loads an object of its own before all others.
bool is_under_valgrind()
{
    return ::dlsym(RTLD_DEFAULT, "_vgnU_freeres") != nullptr;
}

/// Writes the return addresses on the stack, `most` at most; returns their number.
using StackReader = int (*)(void** addresses, int most);

/// The stack is read so often before libunwind is loaded. The C library takes 2 us at any place. libunwind takes 100 us
/// at a new place, 10 us for the next few stacks there, then 0.1 us. Loading it takes as long as several hundred stacks
/// by the C library.
constexpr unsigned long read_before_libunwind = 256;

/// The reader of libunwind, if that is installed; else the reader of the C library. Under valgrind always the latter:
/// libunwind passes uninitialized bytes of the stack to write(), and the error would change the exit status.
StackReader fastest_reader()
{
    // Local: libunwind's _Unwind_* must not take the place of the compiler's.
    void* const library = is_under_valgrind() ? nullptr : ::dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL);
    void* const reader = library == nullptr ? nullptr : ::dlsym(library, "unw_backtrace");
    return reader == nullptr ? &::backtrace : reinterpret_cast<StackReader>(reader);
}

/// Both readers find the same addresses. Any thread.
int read_stack(void** addresses, int most)
{
    static std::atomic<unsigned long> stacks{0};
    static std::atomic<StackReader> reader{&::backtrace};
    if (++stacks == read_before_libunwind)
        reader = fastest_reader();
    return reader.load()(addresses, most);
}

/// True if an address belongs to this library, to the MPI library, or to no object.
bool is_left_out(const void* address)
{
    const Object object = object_of(call_of(address));
    // In a test this code is part of the program: then the object does not tell the owner of a frame.
    static const Object own = object_of(reinterpret_cast<const void*>(&is_left_out));
    const bool ours = object.entry == own.entry;
    return address == nullptr || (ours && !object.is_program()) || object.is_mpi();
}

/// The list that all captures of this stack share.
const std::vector<void*>& shared(std::vector<void*> stack)
{
    static auto& known = *new std::set<std::vector<void*>>;
    static auto& known_mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock(known_mutex);
    return *known.insert(std::move(stack)).first;
}

} // namespace

const std::vector<void*>& capture_call_site() noexcept
{
    try {
        void* stack[most_looked_at];
        return shared(std::vector<void*>(stack, stack + read_stack(stack, most_looked_at)));
    } catch (...) {
        static const auto& nowhere = *new std::vector<void*>;
        return nowhere;
    }
}

std::vector<void*> frames_of_the_program(std::vector<void*> site)
{
    site.erase(std::remove_if(site.begin(), site.end(), is_left_out), site.end());
    const auto is_start_up = [](const void* address) { return object_of(call_of(address)).is_start_up(); };
    std::size_t size = site.size();
    if (size > 1 && object_of(call_of(site[size - 1])).is_program() && is_start_up(site[size - 2]))
        --size; // _start
    while (size > 0 && is_start_up(site[size - 1]))
        --size;
    site.resize(std::min(size, most_frames));
    return site;
}

} // namespace hopscotch::shim
