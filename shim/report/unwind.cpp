// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Opens libunwind's functions when they are first needed; they are only compiled against: the library does not depend
// on them.
#include "shim/report/unwind.hpp"

#ifdef HOPSCOTCH_HAVE_LIBUNWIND
// libunwind's functions are macros that stand for names with the architecture in them.
#define HOPSCOTCH_TEXT(name) #name
#define HOPSCOTCH_SYMBOL(name) HOPSCOTCH_TEXT(name)

namespace hopscotch::shim
{

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
        return found;
    }();
    return functions;
}

} // namespace hopscotch::shim
#endif
