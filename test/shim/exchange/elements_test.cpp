// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Values of a reduction are combined element by element, wherever the data of an element lies.
#include "test/catch.hpp"

#include "shim/exchange/elements.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/mpi_constants.hpp"

#include <cstddef>
#include <cstdint>
#include <mpi.h>

using namespace hopscotch::shim;

TEST_CASE("A value grows by the values taken in, several times over, too")
{
    const Reducing sum(2, MPI_INT, MPI_SUM);
    CHECK(sum.bytes() == 8);
    CHECK(sum.is_packed());
    Elements values(3, sum);
    Accumulator accumulator(sum, values[1]);
    CHECK(accumulator.empty());
    const int first[] = {1, 10};
    const int second[] = {5, -3};
    accumulator.take(first);
    accumulator.take(second, 3);
    CHECK_FALSE(accumulator.empty());
    CHECK(reinterpret_cast<const int*>(values[1])[0] == 16);
    CHECK(reinterpret_cast<const int*>(values[1])[1] == 1);
}

TEST_CASE("Elements of a type that begins behind its address do not reach into each other")
{
    struct Found {
        double value;
        int place;
    };
    const Reducing largest(2, MPI_DOUBLE_INT, MPI_MAXLOC);
    Elements values(2, largest);
    for (std::size_t i = 0; i < 2; ++i) {
        Accumulator accumulator(largest, values[i]);
        const Found one[] = {{1.5, 3}, {0.5, 1}};
        const Found other[] = {{2.5 + static_cast<double>(i), 7}, {0.5, 0}};
        accumulator.take(one);
        accumulator.take(other, 2);
    }
    const Found* const second = reinterpret_cast<const Found*>(values[1]);
    CHECK(second[0].value == 3.5);
    CHECK(second[0].place == 7);
    CHECK(second[1].place == 0);
    CHECK(reinterpret_cast<const Found*>(values[0])[0].value == 2.5);
}

TEST_CASE("The data of an element lies at an address for any type, where the type begins behind that of the element")
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const MPI_Aint begin = 4;
    const int one = 1;
    check(MPI_Type_create_hindexed(1, &one, &begin, MPI_INT, &type));
    check(MPI_Type_commit(&type));
    Elements values(2, Reducing(1, type, MPI_REPLACE));
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(reinterpret_cast<std::uintptr_t>(values[i] + begin) % alignof(std::max_align_t) == 0);
    check(MPI_Type_free(&type));
}

TEST_CASE("A type that nobody may communicate with is rejected")
{
    CHECK_THROWS_AS(Reducing(1, MPI_DATATYPE_NULL, MPI_SUM), WrongArgument);
}
