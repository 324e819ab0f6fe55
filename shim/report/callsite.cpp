// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures who called: the return addresses of the program's functions on the stack, one list for each site.
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <execinfo.h>
#include <initializer_list>
#include <iterator>
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

/// The program, or one of its libraries. Position: in the order in which they were loaded; -1: none.
struct Object {
    int position = -1;
    std::string_view name;

    bool is_program() const noexcept { return position == 0; }
    bool starts_with(std::initializer_list<std::string_view> starts) const
    {
        return std::any_of(starts.begin(), starts.end(), [this](auto start) { return name.rfind(start, 0) == 0; });
    }
    bool is_mpi() const { return starts_with({"libmpi", "libpmpi", "libfmpi"}); }

    /// Whether it is what lies below main or the function of a thread.
    bool is_start_up() const
    {
        return starts_with({"libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libstdc++", "libgomp", "libomp"});
    }
};

struct Search {
    const std::vector<const void*>& addresses;
    std::vector<Object> objects;
    int position = 0;
};

bool holds(const dl_phdr_info& object, const void* address)
{
    const auto place = reinterpret_cast<std::uintptr_t>(address) - object.dlpi_addr;
    return std::any_of(object.dlpi_phdr, object.dlpi_phdr + object.dlpi_phnum, [place](const auto& segment) {
        return segment.p_type == PT_LOAD && place - segment.p_vaddr < segment.p_memsz;
    });
}

/// The objects that addresses lie in, all in one pass: dladdr() would search the symbols of each, which takes
/// milliseconds in a program of many large libraries.
std::vector<Object> objects_of(const std::vector<const void*>& addresses)
{
    Search search{addresses, std::vector<Object>(addresses.size())};
    const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
        auto& in = *static_cast<Search*>(data);
        const std::string_view path = object->dlpi_name;
        for (std::size_t i = 0; i < in.addresses.size(); ++i)
            if (in.objects[i].position < 0 && holds(*object, in.addresses[i]))
                in.objects[i] = {in.position, path.substr(path.rfind('/') + 1)};
        ++in.position;
        return 0;
    };
    ::dl_iterate_phdr(look, &search);
    return search.objects;
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

/// What matters of the object that a frame lies in.
struct Frame {
    bool left_out; // of this library, or of the MPI library
    bool is_program;
    bool is_start_up;
};

/// What is known of frames; most of a stack is that of the one before.
using Frames = std::map<const void*, Frame>;

void learn(Frames& frames, void* const* stack, int raw)
{
    std::vector<const void*> addresses;
    std::copy_if(stack, stack + raw, std::back_inserter(addresses),
                 [&frames](const void* address) { return frames.count(address) == 0; });
    if (addresses.empty())
        return;
    std::vector<const void*> calls;
    std::transform(addresses.begin(), addresses.end(), std::back_inserter(calls), call_of);
    calls.push_back(reinterpret_cast<const void*>(&learn));
    const std::vector<Object> objects = objects_of(calls);
    const Object& own = objects.back();
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const Object& object = objects[i];
        // A test has this code in the program itself: then the object says nothing about whose a frame is.
        const bool ours = object.position == own.position && !own.is_program();
        frames[addresses[i]] = {addresses[i] == nullptr || ours || object.is_mpi(), object.is_program(),
                                object.is_start_up()};
    }
}

/// The frames stack[0] to stack[raw - 1] without those of this library, of the MPI library and of start-up code.
std::vector<void*> of_the_program(Frames& frames, void* const* stack, int raw)
{
    learn(frames, stack, raw);
    std::vector<void*> kept;
    std::copy_if(stack, stack + raw, std::back_inserter(kept),
                 [&frames](const void* address) { return !frames.at(address).left_out; });
    std::size_t size = kept.size();
    if (size > 1 && frames.at(kept[size - 1]).is_program && frames.at(kept[size - 2]).is_start_up)
        --size; // _start
    while (size > 0 && frames.at(kept[size - 1]).is_start_up)
        --size;
    kept.resize(std::min(size, most_frames));
    return kept;
}

/// What of_the_program() says of a stack, found once: to ask which object an address lies in takes microseconds.
const std::vector<void*>& remembered(void* const* stack, int raw)
{
    static auto& known = *new std::map<std::vector<void*>, std::vector<void*>>;
    static auto& frames = *new Frames;
    static auto& known_mutex = *new std::mutex;
    const std::lock_guard<std::mutex> lock(known_mutex);
    std::vector<void*> whole(stack, stack + raw);
    auto place = known.find(whole);
    if (place == known.end())
        place = known.emplace(std::move(whole), of_the_program(frames, stack, raw)).first;
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
