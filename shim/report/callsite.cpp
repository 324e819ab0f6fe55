// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures who called: the return addresses of the program's functions on the stack, one list for each site.
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <execinfo.h>
#include <initializer_list>
#include <link.h>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_frames = 16;

/// Frames of the stack that are looked at: some are of this library, and of the MPI library.
constexpr int most_looked_at = 32;

/// The object an address lies in; null when it lies in none.
const link_map* object_of(const void* address)
{
    Dl_info info{};
    void* map = nullptr;
    if (::dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0)
        return nullptr;
    return static_cast<const link_map*>(map);
}

bool is_program(const link_map* object)
{
    return object != nullptr && object->l_prev == nullptr;
}

bool name_starts_with(const link_map* object, std::initializer_list<std::string_view> starts)
{
    if (object == nullptr)
        return false;
    const std::string_view path = object->l_name;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::any_of(starts.begin(), starts.end(), [name](auto start) { return name.rfind(start, 0) == 0; });
}

bool is_mpi(const link_map* object)
{
    return name_starts_with(object, {"libmpi", "libpmpi", "libfmpi"});
}

/// What lies below main or the function of a thread.
bool is_start_up(const link_map* object)
{
    return name_starts_with(
        object, {"libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgomp", "libomp"});
}

/// libunwind's walk, which takes a fraction of the time of the C library's, where libunwind is there.
auto stack_walk()
{
    // Local: libunwind's _Unwind_* must not take the place of the compiler's.
    void* const library = ::dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL);
    void* const walk = library == nullptr ? nullptr : ::dlsym(library, "unw_backtrace");
    return walk == nullptr ? &::backtrace : reinterpret_cast<decltype(&::backtrace)>(walk);
}

int read_stack(void** addresses, int most)
{
    static const auto walk = stack_walk();
    return walk(addresses, most);
}

/// The frames stack[0] to stack[raw - 1] without those of this library, of the MPI library and of start-up code.
std::vector<void*> of_the_program(void* const* stack, int raw)
{
    // A test has this code in the program itself: then the object says nothing about whose a frame is.
    const link_map* own = object_of(reinterpret_cast<const void*>(&of_the_program));
    if (is_program(own))
        own = nullptr;

    std::vector<void*> kept;
    std::vector<const link_map*> objects;
    for (int i = 0; i < raw; ++i) {
        const link_map* const object = object_of(call_of(stack[i]));
        if (object == nullptr ? stack[i] == nullptr : object == own || is_mpi(object))
            continue;
        kept.push_back(stack[i]);
        objects.push_back(object);
    }
    std::size_t size = kept.size();
    if (size > 1 && is_program(objects[size - 1]) && is_start_up(objects[size - 2]))
        --size; // _start
    while (size > 0 && is_start_up(objects[size - 1]))
        --size;
    kept.resize(std::min(size, most_frames));
    return kept;
}

/// What of_the_program() says of a stack, found once: to ask which object an address lies in takes microseconds.
const std::vector<void*>& remembered(void* const* stack, int raw)
{
    static auto& known = *new std::map<std::vector<void*>, std::vector<void*>>;
    static auto& known_mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock(known_mutex);
    std::vector<void*> whole(stack, stack + raw);
    auto place = known.find(whole);
    if (place == known.end())
        place = known.emplace(std::move(whole), of_the_program(stack, raw)).first;
    return place->second;
}

} // namespace

const std::vector<void*>& capture_call_site() noexcept
{
    try {
        void* stack[most_looked_at];
        return remembered(stack, read_stack(stack, most_looked_at));
    } catch (...) {
        static const auto& nowhere = *new std::vector<void*>;
        return nowhere;
    }
}

} // namespace hopscotch::shim
