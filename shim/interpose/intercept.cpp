// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the target of an exported function.
#include "shim/interpose/intercept.hpp"

#include "shim/gather/graph_records.hpp"
#include "shim/mpi/calls.hpp"

#include <cstdint>
#include <type_traits>

namespace hopscotch::shim
{

namespace
{

/// A whole register in place of an int or a pointer: a handle that is an int here may be a pointer in a program with an
/// MPI library of another family.
template <class Argument>
using Register = std::conditional_t<std::is_floating_point_v<Argument>, Argument, std::uintptr_t>;

/// A function as a pointer of another type, by way of void (*)(), which stands for any.
template <class To, class From>
To as(From function)
{
    return reinterpret_cast<To>(reinterpret_cast<void (*)()>(function));
}

/// The first function called looks for the MPI library, then goes to the target of the call.
template <Functions Entries::*table, auto member>
struct First;

template <Functions Entries::*table, class Result, class... Arguments, Result (*Functions::*member)(Arguments...)>
struct First<table, member> {
    static Result call(Register<Arguments>... arguments)
    {
        require_functions();
        return as<Result (*)(Register<Arguments>...)>(entries.*table.*member)(arguments...);
    }
};

/// MPI_Pcontrol: further arguments cannot be handed on.
template <Functions Entries::*table, int (*Functions::*member)(const int, ...)>
struct First<table, member> {
    static int call(const int level, ...)
    {
        require_functions();
        return (entries.*table.*member)(level);
    }
};

} // namespace

// Filled at load time, before any constructor runs: that of another library may call MPI.
#define FIRST(table, name)                                                                                             \
    reinterpret_cast<decltype(Functions::name)>(                                                                       \
        reinterpret_cast<void (*)()>(First<&Entries::table, &Functions::name>::call)),
Entries entries = {
    {
#define CALL(name, family) FIRST(shown, name)
#define USED(name) nullptr,
#include "shim/mpi/calls.def"
    },
    {
#define CALL(name, family) FIRST(base, name)
#define USED(name) nullptr,
#include "shim/mpi/calls.def"
    },
};

namespace
{

/// The functions of this library that are in the table.
enum class Acting { none, without_handles, all };

constexpr bool acts(Acting acting, Call call) noexcept
{
    const bool has_no_handle = call == Call::MPI_Init || call == Call::MPI_Init_thread || call == Call::MPI_Finalize ||
                               call == Call::MPI_Pcontrol;
    return acting == Acting::all || (acting == Acting::without_handles && has_no_handle);
}

void set_entries(Acting acting) noexcept
{
#define CALL(name, family)                                                                                             \
    entries.base.name = acts(acting, Call::name) ? act::name : next.name;                                              \
    entries.shown.name = tools.name != nullptr ? tools.name : entries.base.name;
#define USED(name)
#include "shim/mpi/calls.def"
}

} // namespace

std::atomic<bool> family_is_proven{false};

void fill_entries() noexcept
{
    [[maybe_unused]] static const bool filled = [] { // by one thread
        const Abi guess = resolve_functions();
        set_entries(Acting::without_handles);
        abi_behind = guess;
        return true;
    }();
}

bool ask_for_family() noexcept
{
    require_functions();
    static const bool proven = [] {
        abi_behind = proven_abi();
        keep_records_of_freed();
        set_entries(is_foreign() ? Acting::none : Acting::all);
        return !is_foreign();
    }();
    family_is_proven = proven;
    return proven;
}

} // namespace hopscotch::shim
