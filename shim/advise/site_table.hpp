// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions that are looked at, and the places of one process that call them, in a table of a fixed size; what
// finds no room is counted as left out.
#pragma once

#include "shim/mpi/signatures.hpp"

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

namespace hopscotch::shim
{

/// The functions of functions.def: their numbers.
enum class Function : unsigned char {
#define WATCH(name, ...) name,
#include "shim/advise/functions.def"
};

constexpr std::size_t function_count = 0
#define WATCH(name, ...) +1
#include "shim/advise/functions.def"
    ;

/// Pointers to them.
struct Watched {
#define WATCH(name, parameters, ...) int(*name) parameters;
#include "shim/advise/functions.def"
};

/// A place in the program that calls one function, by one caller of the function that it is in. Times are ticks.
struct CallSite {
    static constexpr int ignored = -1; // the MPI library calls itself there

    const void* address = nullptr; // to which the function returns; null: a free place
    int deeper = 0; // > 0: the MPI library's Fortran binding; the program's address lies so many words up the stack
    const void* caller = nullptr; // to which the function around it returns; null: to none of the program, or not known
    int caller_at = 0;     // > 0: that address lies so many words up the stack; 0: calls are not told apart by callers
    bool is_other = false; // it is not the first caller
    int of_first = 0;      // index of the site of the first caller
    Function function{};
    std::uint64_t calls = 0;
    std::uint64_t ticks = 0;
    std::uint64_t wait_ticks = 0;  // of waits for what was posted here last
    std::uint64_t start_ticks = 0; // of starts of what was prepared here
    int waited_at = 0;             // the last site that waited for it, and that started it; -1: none
    int started_at = 0;
    int overlaps = 0;   // a site with messages in flight while this one posted; -1: none
    int first = -1;     // the first site of the last exchange in which it posted
    int other_way = -1; // a site of it with messages in the other direction
    bool receives = false;
    bool wildcards = false;                    // MPI_ANY_SOURCE
    bool nobody = false;                       // MPI_PROC_NULL
    const std::vector<void*>* stack = nullptr; // when it was first seen
};

/// For the first place of a key in a table.
inline std::size_t mixed(std::uint64_t key) noexcept
{
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 32);
}

/// The index of the site of a call, which is new at its first call. -1: none is to be noted, or the table is full.
/// `frame`: of the exported function, `address` to which it returns. One thread at a time.
int site_of(Function function, const void* address, const void* frame);

CallSite& call_site(int index) noexcept;

/// All sites, in no order, for the process that gathers them.
std::vector<const CallSite*> call_sites();

std::uint64_t left_out_sites() noexcept;

} // namespace hopscotch::shim
