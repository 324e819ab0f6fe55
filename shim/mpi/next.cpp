// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/next.hpp"

#include "shim/base/output.hpp"
#include "shim/mpi/calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <link.h>

namespace hopscotch::shim
{

Functions next;
Functions tools;
std::atomic<Abi> abi_behind{Abi::unknown};
#ifdef OPEN_MPI
OpenMpiObjects open_mpi;
#endif

namespace
{

void* library = RTLD_NEXT; // argument of dlsym

const void* object_of(const void* address)
{
    Dl_info info;
    return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// A handle of a loaded MPI library that the global scope does not show, as Python's MPI modules leave it
/// (dlopen with RTLD_LOCAL). dl_iterate_phdr calls this once per loaded object.
int try_object(dl_phdr_info* info, std::size_t, void* found)
{
    const char* path = info->dlpi_name;
    if (path == nullptr || (std::strstr(path, "libmp") == nullptr && std::strstr(path, "libpmpi") == nullptr))
        return 0;
    void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr)
        return 0;
    void* symbol = dlsym(handle, "PMPI_Comm_rank");
    if (symbol == nullptr || object_of(symbol) == object_of(reinterpret_cast<void*>(&try_object))) {
        dlclose(handle);
        return 0;
    }
    *static_cast<void**>(found) = handle;
    return 1;
}

void* hidden_library()
{
    void* handle = nullptr;
    dl_iterate_phdr(try_object, &handle);
    return handle;
}

/// Stands for a function the MPI library does not have: only a program that declares it itself can call it.
template <class... Arguments>
int unsupported(Arguments...)
{
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

template <class Function>
void stand_in(Function&)
{
    // No function every MPI library has returns something else, or takes a variable number of arguments.
}

template <class... Arguments>
void stand_in(int (*&function)(Arguments...))
{
    function = unsupported<Arguments...>;
}

template <class Function>
void look_up(const char* base_name, Family family, Function& behind, Function& tool)
{
    void* const base = dlsym(library, base_name);
    void* const shown = dlsym(library, base_name + 1);
    behind = reinterpret_cast<Function>(base != nullptr ? base : shown);
    // Mostly one function with two names. To find the object of an address takes 50,000 instructions.
    const bool is_tool = base != nullptr && shown != nullptr && base != shown && object_of(base) != object_of(shown);
    tool = is_tool ? reinterpret_cast<Function>(shown) : nullptr;
    if (behind == nullptr && family != Family::used)
        stand_in(behind);
}

void fill()
{
#define CALL(name, family) look_up("P" #name, Family::family, next.name, tools.name);
#include "shim/mpi/calls.def"
#ifdef OPEN_MPI
#define OBJECT(name) open_mpi.name = find_symbol(#name);
    HOPSCOTCH_OPENMPI_OBJECTS(OBJECT)
#undef OBJECT
#endif
}

/// True if the library has the standard's binary interface: it returns the version then, or -1 for another interface;
/// an older library has no such function (MPI 5.0, 20.2; the function may be called at any time).
bool speaks_standard_abi()
{
    using GetVersion = int (*)(int*, int*);
    const auto get_version = reinterpret_cast<GetVersion>(find_symbol("PMPI_Abi_get_version"));
    int major = -1;
    int minor = -1;
    return get_version != nullptr && get_version(&major, &minor) == MPI_SUCCESS && major >= 1;
}

/// Open MPI has its communicators as data of this name, the MPICH family as numbers. This is a guess: a library that
/// translates the calls of one family to another one has handles of its own.
Abi find_abi()
{
    if (speaks_standard_abi())
        return Abi::standard;
    return find_symbol("ompi_mpi_comm_world") != nullptr ? Abi::openmpi : Abi::mpich;
}

/// The communicator is an int whose bits 26 to 29 say that it is one, and no byte behind it is written.
bool returns_communicator_of_mpich() noexcept
{
    constexpr unsigned char untouched = 0xa5;
    constexpr unsigned communicator = 1;
    using GetParent = int (*)(void*);
    const auto get_parent = reinterpret_cast<GetParent>(symbol_behind("PMPI_Comm_get_parent"));
    alignas(std::max_align_t) unsigned char room[32];
    std::memset(room, untouched, sizeof room);
    if (get_parent == nullptr || get_parent(room) != MPI_SUCCESS)
        return false;
    unsigned parent = 0;
    std::memcpy(&parent, room, sizeof parent);
    return (parent >> 26 & 0xf) == communicator &&
           std::all_of(room + sizeof parent, std::end(room), [](unsigned char byte) { return byte == untouched; });
}

/// MPI_COMM_NULL has the number 2 in Fortran.
bool returns_communicator_of_open_mpi() noexcept
{
    using FromFortran = void* (*)(MPI_Fint);
    const auto from_fortran = reinterpret_cast<FromFortran>(symbol_behind("PMPI_Comm_f2c"));
    return from_fortran != nullptr && from_fortran(2) == find_symbol("ompi_mpi_comm_null");
}

} // namespace

Abi proven_abi() noexcept
{
    const Abi guess = abi_behind;
    const bool proven = guess == Abi::mpich     ? returns_communicator_of_mpich()
                        : guess == Abi::openmpi ? returns_communicator_of_open_mpi()
                                                : guess == Abi::standard; // which a function of the library has said
    return proven ? guess : Abi::other;
}

std::string library_path()
{
    Dl_info info;
    const auto address = reinterpret_cast<const void*>(next.MPI_Comm_rank);
    return address != nullptr && dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

/// A program that names an object of Open MPI has a copy of its own, which the MPI library then uses, too; a search
/// behind this library misses it.
void* find_symbol(const char* name) noexcept
{
    void* const found = dlsym(RTLD_DEFAULT, name);
    return found != nullptr ? found : dlsym(library, name);
}

void* symbol_behind(const char* name) noexcept
{
    return dlsym(library, name);
}

bool mpi_has_started() noexcept
{
    void* found = dlsym(RTLD_DEFAULT, "PMPI_Initialized");
    if (void* const hidden = found == nullptr ? hidden_library() : nullptr; hidden != nullptr)
        found = dlsym(hidden, "PMPI_Initialized");
    int started = 0;
    return found != nullptr && reinterpret_cast<int (*)(int*)>(found)(&started) == MPI_SUCCESS && started != 0;
}

std::string library_version()
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 8192] = {}; // that of another family may be longer
    int length = 0;
    if (next.MPI_Get_library_version == nullptr || next.MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return {};
    return text; // the length of Open MPI counts the end of the text, too
}

Abi resolve_functions() noexcept
{
    fill();
    if (void* const hidden = next.MPI_Comm_rank == nullptr ? hidden_library() : nullptr; hidden != nullptr) {
        library = hidden;
        fill();
    }
    if (next.MPI_Comm_rank == nullptr) {
        write_to_stderr("hopscotch error: an MPI function was called but no MPI library is loaded\n");
        std::abort();
    }
    return find_abi();
}

} // namespace hopscotch::shim
