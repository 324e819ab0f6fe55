// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator that the program frees lives as long as somebody holds it.
#include "test/catch.hpp"

#include "shim/hop/held_operators.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

void larger(void* in, void* inout, int* count, MPI_Datatype*)
{
    for (int i = 0; i < *count; ++i)
        if (static_cast<const int*>(in)[i] > static_cast<int*>(inout)[i])
            static_cast<int*>(inout)[i] = static_cast<const int*>(in)[i];
}

} // namespace

TEST_CASE("A held operator still works after the program has freed it")
{
    MPI_Op op = MPI_OP_NULL;
    check(MPI_Op_create(larger, 1, &op));
    const MPI_Op before = op;
    std::shared_ptr<const void> held = hold_operator(op);
    const std::shared_ptr<const void> again = hold_operator(op);
    check(free_operator(&op));
    CHECK(op == MPI_OP_NULL);
    held.reset();
    int value = 3;
    const int other = 5;
    check(MPI_Reduce_local(&other, &value, 1, MPI_INT, before));
    CHECK(value == 5);
}

TEST_CASE("Operators of MPI need not be held")
{
    const std::shared_ptr<const void> held = hold_operator(MPI_SUM);
    int value = 3;
    const int other = 5;
    check(MPI_Reduce_local(&other, &value, 1, MPI_INT, MPI_SUM));
    CHECK(value == 8);
}
