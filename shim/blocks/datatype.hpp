// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Flattens an MPI datatype once into byte runs, and remembers them as an attribute of the datatype.
#pragma once

#include "schedules/message/datatype.hpp"
#include "shim/mpi/next.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The bytes of one element of a datatype, in the order of its type map.
struct TypeMap {
    TypeMap() = default;
    TypeMap(const TypeMap&) = delete;
    TypeMap& operator=(const TypeMap&) = delete;
    ~TypeMap(); // frees `datatype`

    std::size_t size = 0;       // bytes of data in one element
    MPI_Aint extent = 0;        // bytes from one element to the next
    bool flat = false;          // `pieces` describes the type; else only MPI_Pack can read it
    bool one_run = false;       // each element is
    bool contiguous = false;    // any number of elements is one run of bytes from `lowest_offset` on
    MPI_Aint lowest_offset = 0; // all data lies in [lowest_offset, highest_offset)
    MPI_Aint highest_offset = 0;
    std::vector<schedules::Pieces> pieces; // offsets count from `lowest_offset`

    /// If not flat: the same type, moved by so many bytes, since MPI_Pack of MPI 4.0.2 takes no null pointer, which is
    /// the address of absolute data; made for one call, since the user may free his type.
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    static constexpr MPI_Aint distance = 64;
};

/// The map of a datatype. Predefined types are looked up in a table, others in an attribute of the type, so a handle
/// that is reused after MPI_Type_free never meets an old map. The pointer keeps the map alive beyond the type. Throws:
/// WrongArgument for a handle that the MPI library does not communicate with: no type, or one that is not committed.
/// Cost: nanoseconds for the types a thread used last.
[[gnu::hot]] std::shared_ptr<const TypeMap> type_map(MPI_Datatype datatype);

/// The number of freed types that had a map. Until it grows no handle with a map has become another type's.
std::uint64_t types_gone() noexcept;

/// True if the type has a name, so that the program cannot free it; and the extent of a type for which type_map would
/// not throw. Throws: as that.
bool is_predefined(MPI_Datatype datatype);
MPI_Aint proven_extent(MPI_Datatype datatype);

} // namespace hopscotch::shim
