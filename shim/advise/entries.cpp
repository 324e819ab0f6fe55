// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exports the functions of functions.def under both their names, notes each call and hands it on unchanged. A name is a
// jump through a table, so that the function returns to the program and that no argument is touched where the MPI
// library is of another family.
#include "shim/advise/record.hpp"
#include "shim/base/log.hpp"
#include "shim/mpi/next.hpp"

#include <cstdint>

namespace hopscotch::shim
{

namespace
{

using AnyFunction = void (*)();

void find_functions() noexcept;

template <class Argument>
using WholeRegister = std::uintptr_t;

/// The first function called looks for the MPI library, then goes where the call belongs.
template <Watched& entries, auto member>
struct FirstCall;
template <Watched& entries, class... Arguments, int (*Watched::*member)(Arguments...)>
struct FirstCall<entries, member> {
    static int call(WholeRegister<Arguments>... arguments)
    {
        find_functions();
        return reinterpret_cast<int (*)(WholeRegister<Arguments>...)>(reinterpret_cast<AnyFunction>(entries.*member))(
            arguments...);
    }
};

template <class... Arguments>
void find(int (*&function)(Arguments...), const char* symbol)
{
    function = reinterpret_cast<int (*)(Arguments...)>(symbol_behind(symbol));
    if (function == nullptr) // only a program that declares it itself can call it
        function = [](Arguments...) -> int { return MPI_ERR_UNSUPPORTED_OPERATION; };
}

// The work in each function.
#define WORK(name, parameters, arguments, before, after)                                                               \
    int name parameters                                                                                                \
    {                                                                                                                  \
        Watch watch(Function::name, __builtin_return_address(0), __builtin_frame_address(0));                          \
        if (watch.outermost()) {                                                                                       \
            before;                                                                                                    \
        }                                                                                                              \
        watch.begin();                                                                                                 \
        const int code = behind.name arguments;                                                                        \
        watch.end();                                                                                                   \
        if (watch.outermost() && code == MPI_SUCCESS) {                                                                \
            after;                                                                                                     \
        }                                                                                                              \
        return code;                                                                                                   \
    }

namespace of_shown // under the name MPI_X
{
Watched behind; // the next functions under this name
#define WATCH WORK
#include "shim/advise/functions.def"
} // namespace of_shown

namespace of_base // under the name PMPI_X
{
Watched behind;
#define WATCH WORK
#include "shim/advise/functions.def"
} // namespace of_base

} // namespace

// The targets of the exported functions.
extern Watched shown_entries;
extern Watched base_entries;
#define FIRST(table, name)                                                                                             \
    reinterpret_cast<decltype(Watched::name)>(reinterpret_cast<AnyFunction>(FirstCall<table, &Watched::name>::call)),
Watched shown_entries = {
#define WATCH(name, ...) FIRST(shown_entries, name)
#include "shim/advise/functions.def"
};
Watched base_entries = {
#define WATCH(name, ...) FIRST(base_entries, name)
#include "shim/advise/functions.def"
};

namespace
{

/// `all`: else those that have no handle.
void watch_entries(bool all) noexcept
{
    const auto watched = [all](Function function) {
        return all || function == Function::MPI_Init || function == Function::MPI_Init_thread;
    };
#define WATCH(name, ...)                                                                                               \
    shown_entries.name = watched(Function::name) ? of_shown::name : of_shown::behind.name;                             \
    base_entries.name = watched(Function::name) ? of_base::name : of_base::behind.name;
#include "shim/advise/functions.def"
}

void find_functions() noexcept
{
    [[maybe_unused]] static const bool found = [] { // by one thread
        const Abi guess = resolve_functions();
#define WATCH(name, ...)                                                                                               \
    find(of_shown::behind.name, #name);                                                                                \
    find(of_base::behind.name, "P" #name);
#include "shim/advise/functions.def"
        watch_entries(false);
        abi_behind = guess;
        return true;
    }();
}

} // namespace

bool watch_functions() noexcept
{
    abi_behind = proven_abi();
    if (is_foreign())
        log(LogLevel::warn, "the advice is built for another MPI library than the program uses; it says nothing");
    else
        watch_entries(true);
    return !is_foreign();
}

} // namespace hopscotch::shim

#define WATCH(name, parameters, arguments, ...)                                                                        \
    HOPSCOTCH_EXPORT(name, parameters, arguments, shown_entries, base_entries)
#include "shim/advise/functions.def"
