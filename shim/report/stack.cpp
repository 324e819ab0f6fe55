// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The return addresses on a thread's stack, read anew or found where they lay before. libunwind is opened when it is
// first needed and only compiled against: the library does not depend on it.
#include "shim/report/stack.hpp"

#include <algorithm>
#include <cstdint>
#include <execinfo.h>
#include <pthread.h>

// libunwind's functions are macros that stand for names with the architecture in them.
#define HOPSCOTCH_TEXT(name) #name
#define HOPSCOTCH_SYMBOL(name) HOPSCOTCH_TEXT(name)

namespace hopscotch::shim
{

namespace
{

/// Where this thread's stack lies; empty when that is not known.
struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool holds(std::uintptr_t address) const noexcept { return address >= begin && address < end; }
};

[[maybe_unused]] Range own_range() noexcept
{
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return {};
    void* address = nullptr;
    std::size_t size = 0;
    const bool known = ::pthread_attr_getstack(&attributes, &address, &size) == 0;
    ::pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    return known ? Range{begin, begin + size} : Range{};
}

} // namespace

#ifdef HOPSCOTCH_HAVE_LIBUNWIND
const Unwind& unwind()
{
    static const Unwind functions = [] {
        Unwind found;
        // Local: libunwind's _Unwind_* must not take the place of the compiler's.
        void* const library = ::dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL);
        load(library, HOPSCOTCH_SYMBOL(unw_backtrace), found.backtrace);
        if (!load(library, HOPSCOTCH_SYMBOL(unw_init_local), found.init_local) ||
            !load(library, HOPSCOTCH_SYMBOL(unw_set_reg), found.set_reg) ||
            !load(library, HOPSCOTCH_SYMBOL(unw_get_proc_info), found.get_proc_info) ||
            !load(library, HOPSCOTCH_SYMBOL(unw_get_proc_name), found.get_proc_name))
            found.get_proc_name = nullptr;
#ifdef __x86_64__
        if (!load(library, HOPSCOTCH_SYMBOL(unw_tdep_getcontext), found.getcontext) ||
            !load(library, HOPSCOTCH_SYMBOL(unw_get_reg), found.get_reg) ||
            !load(library, HOPSCOTCH_SYMBOL(unw_step), found.step))
            found.step = nullptr;
#endif
        return found;
    }();
    return functions;
}
#endif

int read_stack(void** addresses, int most)
{
#ifdef HOPSCOTCH_HAVE_LIBUNWIND
    if (unwind().backtrace != nullptr)
        return unwind().backtrace(addresses, most);
#endif
    return ::backtrace(addresses, most);
}

[[gnu::no_sanitize("address")]] bool KnownStack::holds(const void* frame) const noexcept
{
    return frame == frame_ &&
           std::all_of(
               slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(count_),
               [](const Slot& slot) __attribute__((no_sanitize("address"))) { return *slot.at == slot.value; });
}

/// A call on x86-64 leaves the return address right below the caller's stack pointer.
[[gnu::no_sanitize("address")]] void KnownStack::remember([[maybe_unused]] const void* frame) noexcept
{
    frame_ = nullptr;
    count_ = 0;
#if defined(HOPSCOTCH_HAVE_LIBUNWIND) && defined(__x86_64__)
    const Unwind& functions = unwind();
    const Range range = own_range();
    const auto lowest = reinterpret_cast<std::uintptr_t>(frame);
    unw_context_t registers;
    unw_cursor_t cursor;
    if (functions.step == nullptr || functions.init_local == nullptr || !range.holds(lowest) ||
        functions.getcontext(&registers) != 0 || functions.init_local(&cursor, &registers) != 0)
        return;
    while (functions.step(&cursor) > 0) {
        unw_word_t stack_pointer = 0;
        unw_word_t address = 0;
        if (functions.get_reg(&cursor, UNW_REG_SP, &stack_pointer) != 0 ||
            functions.get_reg(&cursor, UNW_REG_IP, &address) != 0)
            return;
        const std::uintptr_t at = stack_pointer - sizeof(void*);
        if (at < lowest)
            continue; // a function that this one called
        Slot slot;
        slot.at = reinterpret_cast<void* const*>(at);
        slot.value = reinterpret_cast<void*>(address);
        if (!range.holds(at) || *slot.at != slot.value || count_ == slots_.size())
            return;
        slots_[count_++] = slot;
    }
    frame_ = count_ > 0 ? frame : nullptr;
#endif
}

} // namespace hopscotch::shim
