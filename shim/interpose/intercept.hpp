// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Frames every exported MPI function: both names, one action.
#pragma once

#include "shim/interpose/entries.hpp"

/// A list in parentheses without them.
#define HOPSCOTCH_BARE(...) __VA_ARGS__

/// Defines MPI_name and PMPI_name and opens the body of what they do. MPI_name hands the call to another tool when one
/// comes after us in the search order; it then comes back through PMPI_name. So each call is acted upon once, by the
/// last layer above the MPI library, whatever the order of preloaded tools.
#define HOPSCOTCH_WRAP(name, parameters, arguments)                                                                    \
    extern "C" [[gnu::hot]] int MPI_##name parameters                                                                  \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.shown.name arguments;                                                        \
    }                                                                                                                  \
    extern "C" [[gnu::hot]] int PMPI_##name parameters                                                                 \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.base.name arguments;                                                         \
    }                                                                                                                  \
    int hopscotch::shim::act_##name parameters
