// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of functions.def: their numbers, their names, and pointers to them.
#pragma once

#include "shim/mpi/signatures.hpp"

#include <mpi.h>

#include <cstddef>

namespace hopscotch::shim
{

enum class Function : unsigned char {
#define WATCH(name, ...) name,
#include "shim/advise/functions.def"
};

constexpr std::size_t function_count = 0
#define WATCH(name, ...) +1
#include "shim/advise/functions.def"
    ;

/// One pointer for each.
struct Watched {
#define WATCH(name, parameters, ...) int(*name) parameters;
#include "shim/advise/functions.def"
};

} // namespace hopscotch::shim
