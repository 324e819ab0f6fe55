// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Opens libunwind's functions when they are first needed; they are only compiled against: the library does not depend
// on them.
#pragma once

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
    decltype(&unw_get_proc_name) get_proc_name = nullptr; // null where one of those it needs is not there
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

} // namespace hopscotch::shim
