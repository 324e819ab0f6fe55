// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the MPI functions behind the shim at run time: the library is not linked to MPI.
#pragma once

#include "shim/mpi/signatures.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>

#ifdef OPEN_MPI
// Open MPI's handles of predefined objects are addresses of data in its library. Referring to that data by name would
// keep this library from loading into a program without MPI, so the addresses are found like functions, at run time.
// The list has the predefined objects that the shim uses.
#define HOPSCOTCH_OPENMPI_OBJECTS(OBJECT)                                                                              \
    OBJECT(ompi_mpi_comm_world)                                                                                        \
    OBJECT(ompi_mpi_comm_self)                                                                                         \
    OBJECT(ompi_mpi_comm_null)                                                                                         \
    OBJECT(ompi_mpi_group_null)                                                                                        \
    OBJECT(ompi_mpi_group_empty)                                                                                       \
    OBJECT(ompi_request_null)                                                                                          \
    OBJECT(ompi_mpi_info_null)                                                                                         \
    OBJECT(ompi_mpi_win_null)                                                                                          \
    OBJECT(ompi_mpi_errhandler_null)                                                                                   \
    OBJECT(ompi_mpi_errors_return)                                                                                     \
    OBJECT(ompi_mpi_errors_are_fatal)                                                                                  \
    OBJECT(ompi_mpi_datatype_null)                                                                                     \
    OBJECT(ompi_mpi_byte)                                                                                              \
    OBJECT(ompi_mpi_char)                                                                                              \
    OBJECT(ompi_mpi_int)                                                                                               \
    OBJECT(ompi_mpi_int64_t)                                                                                           \
    OBJECT(ompi_mpi_uint64_t)                                                                                          \
    OBJECT(ompi_mpi_double)                                                                                            \
    OBJECT(ompi_mpi_double_int)                                                                                        \
    OBJECT(ompi_mpi_op_null)                                                                                           \
    OBJECT(ompi_mpi_op_max)                                                                                            \
    OBJECT(ompi_mpi_op_min)                                                                                            \
    OBJECT(ompi_mpi_op_sum)                                                                                            \
    OBJECT(ompi_mpi_op_band)                                                                                           \
    OBJECT(ompi_mpi_op_bor)

namespace hopscotch::shim
{

struct OpenMpiObjects {
#define OBJECT(name) void* name;
    HOPSCOTCH_OPENMPI_OBJECTS(OBJECT)
#undef OBJECT
};

/// Filled together with `next`; all null in a process with another MPI library.
extern OpenMpiObjects open_mpi;

} // namespace hopscotch::shim

// The expansion of MPI_COMM_WORLD, MPI_INT ...
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(::hopscotch::shim::open_mpi.global))
#endif

namespace hopscotch::shim
{

/// The MPI libraries with one binary interface, and the one this library was compiled for. `standard`: MPI 5.0, chapter
/// 20, of any maker. Between different interfaces, handles differ in size and constants in value. `other`: none of
/// these, for instance that of a library that translates between them.
enum class Abi { unknown, mpich, openmpi, standard, other };
#if defined(OPEN_MPI)
constexpr Abi our_abi = Abi::openmpi;
#elif defined(HOPSCOTCH_STANDARD_ABI)
constexpr Abi our_abi = Abi::standard;
#else
constexpr Abi our_abi = Abi::mpich;
#endif

/// One pointer per row of calls.def. If the MPI library has no such function: null in family `used`, else a function
/// that returns MPI_ERR_UNSUPPORTED_OPERATION.
struct Functions {
#define CALL(name, family) decltype(&::name) name;
#include "shim/mpi/calls.def"
};

/// The MPI library's own functions (its PMPI_ names). All of our MPI calls go through here and nowhere else: calling a
/// PMPI_ function by name would end in our own export of it.
extern Functions next;

/// MPI_ functions of another tool that come after those of this library in the search order; null if there is none. The
/// MPI_X of this library hands the call to that tool and acts when it comes back through PMPI_X, so each call is
/// handled once, in any preload order.
extern Functions tools;

/// The interface of the MPI library behind this one; unknown until exported functions have been resolved. Until MPI has
/// started it is a guess.
extern std::atomic<Abi> abi_behind;

/// Fills `next` and `tools`, and returns the interface of the library it has found.
/// Ends the process with one line on stderr if no MPI library is loaded, since the call cannot be answered.
Abi resolve_functions() noexcept;

/// The guess if a communicator that the MPI library returns confirms it, else `other`. The library's text proves
/// nothing: it may be that of a library behind it. Passes no handle. Requires: MPI has started, resolve_functions().
Abi proven_abi() noexcept;

/// The path of the MPI library; empty if it is not known. Calls no function of MPI.
std::string library_path();

/// An object with this name in the MPI library (not every one has it), or in the program in its place; null if there is
/// none.
/// Requires: resolve_functions() has begun.
void* find_symbol(const char* name) noexcept;

/// The function or object of this name that comes after this library, another tool's function perhaps; null if there is
/// none. Requires: resolve_functions() has begun.
void* symbol_behind(const char* name) noexcept;

/// True if the program uses an MPI library of another family: then nothing of MPI may be called.
inline bool is_foreign() noexcept
{
    return abi_behind != Abi::unknown && abi_behind != our_abi;
}

/// True if this process has started MPI, perhaps without calling an exported function of this library. Local; at any
/// time.
bool mpi_has_started() noexcept;

/// The MPI library's description of itself, of any maker, perhaps in several lines; empty if it gives none.
std::string library_version();

/// True if objects of MPI can still be freed: MPI has not ended.
inline bool mpi_goes_on() noexcept
{
    int finalized = 0;
    return next.MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0;
}

/// A handle as a number: it is an int or a pointer.
template <class Handle>
std::uintptr_t number_of(Handle handle) noexcept
{
    return (std::uintptr_t)handle;
}

/// The hash of a handle, of `bits` bits. Few handles in use at a time share one.
template <unsigned bits, class Handle>
std::size_t hash_of_handle(Handle handle) noexcept
{
    return std::uint64_t{number_of(handle)} * 0x9e3779b97f4a7c15u >> (64 - bits);
}

/// Copy callback of attributes that duplicates do not get. MPI's own are functions of the MPI library, or none.
template <class Handle>
int copy_nothing(Handle, int, void*, void*, void*, int* flag) noexcept
{
    *flag = 0;
    return MPI_SUCCESS;
}

} // namespace hopscotch::shim
