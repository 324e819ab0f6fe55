// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives tests, which are linked to the MPI library, every constant of it; the shim has only the constants that it looks
// up.
#pragma once

#include "shim/mpi/next.hpp"

#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(static_cast<void*>(&(global))))
#endif
