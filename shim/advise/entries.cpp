// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exports the functions of functions.def under both their names, notes each call and hands it on unchanged. A name is a
// jump through a table, so that the function returns to the program and that no argument is touched where the MPI
// library is of another family.
#include "shim/advise/record.hpp"
#include "shim/base/log.hpp"
#include "shim/mpi/next.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

namespace
{

using AnyFunction = void (*)();

/// The next functions under the names MPI_X and PMPI_X.
Watched shown_behind;
Watched base_behind;

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

// The work in each function, under each of its names.
#define ACT(which, name, parameters, arguments, before, after)                                                         \
    int which##_##name parameters                                                                                      \
    {                                                                                                                  \
        Watch watch(Function::name, __builtin_return_address(0), __builtin_frame_address(0));                          \
        if (watch.outermost()) {                                                                                       \
            before;                                                                                                    \
        }                                                                                                              \
        watch.begin();                                                                                                 \
        const int code = which##_behind.name arguments;                                                                \
        watch.end();                                                                                                   \
        if (watch.outermost() && code == MPI_SUCCESS) {                                                                \
            after;                                                                                                     \
        }                                                                                                              \
        return code;                                                                                                   \
    }
#define WATCH(...) ACT(shown, __VA_ARGS__)
#include "shim/advise/functions.def"
#define WATCH(...) ACT(base, __VA_ARGS__)
#include "shim/advise/functions.def"

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
        return all || function == Function::Init || function == Function::Init_thread;
    };
#define WATCH(name, ...)                                                                                               \
    shown_entries.name = watched(Function::name) ? shown_##name : shown_behind.name;                                   \
    base_entries.name = watched(Function::name) ? base_##name : base_behind.name;
#include "shim/advise/functions.def"
}

void find_functions() noexcept
{
    [[maybe_unused]] static const bool found = [] { // by one thread
        const Abi guess = resolve_functions();
#define WATCH(name, ...)                                                                                               \
    find(shown_behind.name, "MPI_" #name);                                                                             \
    find(base_behind.name, "PMPI_" #name);
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

#define EXPORT(prefix, table, name, parameters, arguments)                                                             \
    extern "C" int prefix##name parameters                                                                             \
    {                                                                                                                  \
        return ::hopscotch::shim::table.name arguments;                                                                \
    }
#define WATCH(name, parameters, arguments, ...) EXPORT(MPI_, shown_entries, name, parameters, arguments)
#include "shim/advise/functions.def"
#define WATCH(name, parameters, arguments, ...) EXPORT(PMPI_, base_entries, name, parameters, arguments)
#include "shim/advise/functions.def"
