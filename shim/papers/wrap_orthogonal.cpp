// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocking global collectives: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning of
// the 2020 paper on communicators with neighborhoods.
#include "shim/papers/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define ALLGATHER(...) // in wrap_allgather.cpp
#define EXPORTED(name, iname) name
#define EXPORTED_LARGE(name, iname) name##_c
#define FORM(name, parameters, arguments, ...)                                                                         \
    HOPSCOTCH_COLLECTIVE(name, parameters, arguments, Completing{}, __VA_ARGS__)
#include "shim/mpi/collective_forms.def"
