// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The nonblocking global collectives, as wrap_orthogonal.cpp has the blocking ones.
#include "shim/papers/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define EXPORTED(name, iname) iname
#define EXPORTED_LARGE(name, iname) iname##_c
#define FORM(name, parameters, arguments, ...)                                                                         \
    HOPSCOTCH_COLLECTIVE(name, (HOPSCOTCH_BARE parameters, MPI_Request * request),                                     \
                         (HOPSCOTCH_BARE arguments, request), (Completing{Completion::nonblocking, request}),          \
                         __VA_ARGS__)
#include "shim/mpi/collective_forms.def"
