// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds and combines the values of a reduction in memory of ours: elements of any datatype, addressed as MPI does.
#pragma once

#include "shim/blocks/block_layout.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::shim
{

/// The operands of a reduction: count, type and operator.
struct Reducing {
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    std::shared_ptr<const TypeMap> map; // map of the type

    Reducing() = default;

    /// Throws: WrongArgument for a type that the MPI library does not communicate with.
    Reducing(MPI_Count elements, MPI_Datatype of_type, MPI_Op by)
        : count(elements), type(of_type), op(by), map(type_map(of_type))
    {
    }

    /// A value that begins at an address as MPI means it.
    Block at(const void* address) const { return block_at(address, 0, count, *map); }

    /// Bytes of data in a value.
    std::size_t bytes() const noexcept { return static_cast<std::size_t>(count) * map->size; }

    /// True if packed values equal the values in place.
    bool is_packed() const noexcept { return map->contiguous && map->lowest_offset == 0; }

    /// into = from op into. Throws: MpiError.
    void combine(const void* from, void* into) const;
};

/// Room for `n` values.
class Elements
{
  public:
    Elements() = default;

    /// Throws: MpiError, std::bad_alloc.
    Elements(std::size_t n, const Reducing& of);

    char* operator[](std::size_t i) noexcept { return first_ + i * distance_; }

  private:
    std::vector<std::max_align_t> storage_;
    char* first_ = nullptr;
    std::size_t distance_ = 0;
};

/// A value that grows: that of nothing, until something is taken in.
class Accumulator
{
  public:
    Accumulator(const Reducing& of, char* at) : of_(of), at_(at) {}

    /// Takes in another, `times` times over. Throws: MpiError, std::bad_alloc.
    void take(const void* value, int times = 1);

    bool empty() const noexcept { return empty_; }

  private:
    const Reducing& of_;
    char* at_;
    bool empty_ = true;
};

} // namespace hopscotch::shim
