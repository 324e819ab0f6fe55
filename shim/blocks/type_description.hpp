// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the constructors of an MPI datatype from the library, as a list of types.
#pragma once

#include "schedules/message/datatype.hpp"
#include "shim/mpi/next.hpp"

#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// The type and all types inside it that hold data, each behind its inner types, the type itself last. Nothing if the
/// library does not tell where the data lies (MPI_DOUBLE_INT, a distributed array), or if there is too much to read.
/// Local. Throws: MpiError, std::bad_alloc.
/// Cost: no recursion. If the library returns the handles that the program has used, each type is read once, however
/// often it is used; Open MPI returns new handles, so there a type is read once for each use.
std::optional<std::vector<schedules::DataType>> description_of(MPI_Datatype datatype);

MPI_Aint extent_of(MPI_Datatype datatype);

} // namespace hopscotch::shim
