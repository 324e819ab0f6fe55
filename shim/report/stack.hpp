// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The return addresses on a thread's stack, read anew or found where they lay before. libunwind is opened when it is
// first needed and only compiled against: the library does not depend on it.
#pragma once

#include <array>
#include <cstddef>
#include <dlfcn.h>

#ifdef HOPSCOTCH_HAVE_LIBUNWIND
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

namespace hopscotch::shim
{

#ifdef HOPSCOTCH_HAVE_LIBUNWIND
struct Unwind {
    decltype(&unw_backtrace) backtrace = nullptr;
    decltype(&unw_init_local) init_local = nullptr;
    decltype(&unw_set_reg) set_reg = nullptr;
    decltype(&unw_get_proc_info) get_proc_info = nullptr;
    decltype(&unw_get_proc_name) get_proc_name = nullptr;
#ifdef __x86_64__
    decltype(&unw_tdep_getcontext) getcontext = nullptr;
    decltype(&unw_step) step = nullptr;
    decltype(&unw_get_reg) get_reg = nullptr;
#endif
};

/// Null members: libunwind is not there.
const Unwind& unwind();
#endif

/// The function of a library opened by dlopen; false, and null, when there is none.
template <typename Function>
bool load(void* library, const char* symbol, Function& function)
{
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, symbol));
    return function != nullptr;
}

/// The return addresses of the calling functions, innermost first, at most `most`; how many.
int read_stack(void** addresses, int most);

/// Of one thread: where on its stack the return addresses of a function's callers lie. A function called with the same
/// stack pointer whose callers' addresses all lie where they lay has been called from the same place: to compare them
/// takes a tenth of the time it takes to find them. A caller that moves its frame (alloca) can hide a change, so the
/// answer is for reports and guesses only.
class KnownStack
{
  public:
    /// `frame`: of the function that asks, __builtin_frame_address(0).
    bool holds(const void* frame) const noexcept;

    void forget() noexcept { frame_ = nullptr; }

    /// Walks the stack above the frame. What cannot be read safely, such as the stack of a thread that the program
    /// manages itself, is not remembered. Cost: some microseconds.
    void remember(const void* frame) noexcept;

  private:
    struct Slot {
        void* const* at = nullptr;
        void* value = nullptr;
    };
    const void* frame_ = nullptr;
    std::size_t count_ = 0;
    std::array<Slot, 64> slots_;
};

} // namespace hopscotch::shim
