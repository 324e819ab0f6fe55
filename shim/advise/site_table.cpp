// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/site_table.hpp"

#include "shim/base/no_memory.hpp"
#include "shim/mpi/next.hpp"
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_sites = 1024; // a power of two

CallSite sites[most_sites]; // all zero, so that it takes only the pages that are used
static_assert(sizeof sites < 1 << 18, "with the other tables as much as docs/advice.md promises");
std::size_t site_count = 0;
std::uint64_t left_out = 0;

const void* object_of(const void* address, bool& is_binding)
{
    Dl_info info{};
    if (::dladdr(address, &info) == 0)
        return nullptr;
    const char* const slash = std::strrchr(info.dli_fname, '/');
    const char* const name = slash != nullptr ? slash + 1 : info.dli_fname;
    is_binding = std::strncmp(name, "libmpi", 6) == 0 || std::strncmp(name, "libfmpi", 7) == 0;
    return info.dli_fbase;
}

/// The place of the return address of the MPI library's Fortran binding, in words from the frame on. A binding
/// has frames of a fixed size, so that it stands there in all calls from that place. 0: not found.
int words_to(const void* wanted, const void* frame)
{
    constexpr int most_words = 512;
    const void* const* const stack = static_cast<const void* const*>(frame);
    for (int words = 2; words < most_words; ++words)
        if (stack[words] == wanted)
            return words;
    return 0;
}

/// The caller of the function around an address: the program's next return address. Null: none.
const void* caller_of(const std::vector<void*>& frames, const void* address)
{
    const auto own = std::find(frames.begin(), frames.end(), address);
    return own == frames.end() || own + 1 == frames.end() ? nullptr : *(own + 1);
}

void learn(CallSite& site, Function function, const void* address, const void* frame)
{
    site.address = address;
    site.function = function;
    site.waited_at = site.started_at = site.overlaps = -1;
    bool is_binding = false;
    bool unused = false;
    if (object_of(address, is_binding) == object_of(reinterpret_cast<const void*>(next.MPI_Comm_rank), unused)) {
        site.deeper = CallSite::ignored;
        return;
    }
    site.stack = &capture_call_site();
    try {
        const std::vector<void*> frames = frames_of_the_program(*site.stack);
        if (is_binding && !frames.empty())
            site.deeper = words_to(frames.front(), frame);
        if (site.deeper != 0)
            return;
        site.caller = caller_of(frames, address);
        site.caller_at = site.caller != nullptr ? words_to(site.caller, frame) : 0;
    } catch (const NoMemory&) {
        return; // it is a place in the binding then
    }
}

/// The place of a site in its table, or a free one. `other_caller`: null for the site of the first caller.
std::size_t place_of_site(Function function, const void* address, const void* other_caller)
{
    const auto key = reinterpret_cast<std::uintptr_t>(address) + static_cast<std::size_t>(function) * 0x10001 +
                     reinterpret_cast<std::uintptr_t>(other_caller) * 31;
    std::size_t place = mixed(key) % most_sites;
    const auto is_it = [&](const CallSite& site) {
        return site.address == address && site.function == function && site.is_other == (other_caller != nullptr) &&
               (other_caller == nullptr || site.caller == other_caller);
    };
    while (sites[place].address != nullptr && !is_it(sites[place]))
        place = (place + 1) % most_sites;
    return place;
}

bool has_room_for_site() noexcept
{
    return 4 * site_count < 3 * most_sites;
}

/// The site of a call from another caller than the first. The address on the stack is the caller's if the frame of the
/// function has a fixed size. If it is not, all callers count as one from now on.
int site_of_other_caller(std::size_t first, const void* frame)
{
    CallSite& known = sites[first];
    const void* const caller = static_cast<const void* const*>(frame)[known.caller_at];
    const std::size_t place = caller != nullptr ? place_of_site(known.function, known.address, caller) : first;
    CallSite& site = sites[place];
    if (site.address != nullptr && site.is_other)
        return static_cast<int>(place);
    const std::vector<void*>& stack = capture_call_site();
    const void* read = nullptr;
    try {
        read = caller_of(frames_of_the_program(stack), known.address);
    } catch (const NoMemory&) {
        // Not told apart then.
    }
    if (caller == nullptr || read != caller || !has_room_for_site()) {
        known.caller_at = 0;
        return static_cast<int>(first);
    }
    ++site_count;
    site.address = known.address;
    site.function = known.function;
    site.waited_at = site.started_at = site.overlaps = -1;
    site.caller = caller;
    site.is_other = true;
    site.of_first = static_cast<int>(first);
    site.stack = &stack;
    return static_cast<int>(place);
}

} // namespace

int site_of(Function function, const void* address, const void* frame)
{
    for (int depth = 0; depth < 2; ++depth) {
        const std::size_t place = place_of_site(function, address, nullptr);
        CallSite& site = sites[place];
        if (site.address == nullptr) {
            if (!has_room_for_site())
                return ++left_out, -1;
            ++site_count;
            site.of_first = static_cast<int>(place);
            learn(site, function, address, frame);
        }
        if (site.deeper == CallSite::ignored)
            return -1;
        const void* const* const stack = static_cast<const void* const*>(frame);
        if (site.deeper == 0)
            return site.caller_at == 0 || stack[site.caller_at] == site.caller ? static_cast<int>(place)
                                                                               : site_of_other_caller(place, frame);
        address = stack[site.deeper];
    }
    return -1;
}

std::vector<const CallSite*> call_sites()
{
    std::vector<const CallSite*> found;
    for (const CallSite& site : sites)
        if (site.address != nullptr && site.deeper == 0)
            found.push_back(&site);
    return found;
}

CallSite& call_site(int index) noexcept
{
    return sites[index];
}

std::uint64_t left_out_sites() noexcept
{
    return left_out;
}

} // namespace hopscotch::shim
