// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes of MPI, put together by all of its constructors, and memory for their elements.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

/// A committed datatype without overlapping bytes, freed with the object.
class RandomType
{
  public:
    explicit RandomType(std::mt19937& random);
    ~RandomType() { MPI_Type_free(&type_); }
    RandomType(const RandomType&) = delete;
    RandomType& operator=(const RandomType&) = delete;

    MPI_Datatype get() const noexcept { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Calls the function with so many types, and with the random numbers behind them; the seed is in the failure message.
void for_random_types(unsigned types, const std::function<void(const RandomType&, std::mt19937&)>& try_out);

/// Memory for elements of a type with any bounds: MPI calls take the address address().
class ElementMemory
{
  public:
    /// Every byte tells its place.
    ElementMemory(MPI_Datatype type, int elements);

    char* address() noexcept { return bytes_.data() + origin_; }
    std::vector<char>& bytes() noexcept { return bytes_; }

    /// The data as MPI_Pack writes it.
    std::vector<char> packed() const;

  private:
    MPI_Datatype type_;
    int elements_;
    std::ptrdiff_t origin_ = 0;
    std::vector<char> bytes_;
};
