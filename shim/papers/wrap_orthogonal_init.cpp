// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The persistent global collectives, as wrap_orthogonal.cpp has the blocking ones.
#include "shim/papers/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define EXPORTED(name, iname) name##_init
#define EXPORTED_LARGE(name, iname) name##_init_c
#define FORM(name, parameters, arguments, ...)                                                                         \
    HOPSCOTCH_COLLECTIVE(name, (HOPSCOTCH_BARE parameters, MPI_Info info, MPI_Request * request),                      \
                         (HOPSCOTCH_BARE arguments, info, request),                                                    \
                         (Completing{Completion::persistent, request, info}), __VA_ARGS__)
#include "shim/mpi/collective_forms.def"
