// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the constructors of an MPI datatype from the library, as a list of types.
#pragma once

#include "schedules/message/datatype.hpp"
#include "shim/mpi/mpi_error.hpp"
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

/// The number of arguments of a constructor (MPI 4.0, 5.1.13).
struct Envelope {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count large_counts = 0; // only for constructors with large counts, for which the old inquiry fails
    MPI_Count types = 0;
    int combiner = MPI_COMBINER_NAMED;

    /// A program cannot free it.
    bool predefined() const noexcept
    {
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
        if (combiner == MPI_COMBINER_VALUE_INDEX)
            return true;
#endif
        return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
               combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
    }
};

/// The envelope of a usable type. Local. Throws: MpiError.
inline Envelope envelope_of(MPI_Datatype datatype)
{
    Envelope result;
    if (next.MPI_Type_get_envelope_c != nullptr) {
        check(next.MPI_Type_get_envelope_c(datatype, &result.integers, &result.addresses, &result.large_counts,
                                           &result.types, &result.combiner));
        return result;
    }
    int integers = 0;
    int addresses = 0;
    int types = 0;
    check(next.MPI_Type_get_envelope(datatype, &integers, &addresses, &types, &result.combiner));
    result.integers = integers;
    result.addresses = addresses;
    result.types = types;
    return result;
}

} // namespace hopscotch::shim
