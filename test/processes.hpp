// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of tests that need MPI: the processes, a seed for all of them, a group.
#pragma once

#include "shim/group/process_group.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/next.hpp"

#include <memory>
#include <mpi.h>

/// MPI_COMM_WORLD, seen from this process.
struct World {
    int rank;
    int size;
};
const World& world();

/// A datatype made by a function of MPI, committed; freed at the end. The type is the function's last argument.
class CommittedType
{
  public:
    template <typename Make, typename... Arguments>
    explicit CommittedType(Make make, Arguments... arguments)
    {
        hopscotch::shim::check(make(arguments..., &type_));
        hopscotch::shim::check(MPI_Type_commit(&type_));
    }
    ~CommittedType() { MPI_Type_free(&type_); }
    CommittedType(const CommittedType&) = delete;
    CommittedType& operator=(const CommittedType&) = delete;

    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// While it lives, functions of the MPI library may be replaced; `library` has them as they are. One at a time.
struct ReplacedFunctions {
    static inline hopscotch::shim::Functions library;

    ReplacedFunctions() { library = hopscotch::shim::next; }
    ~ReplacedFunctions() { hopscotch::shim::next = library; }
    ReplacedFunctions(const ReplacedFunctions&) = delete;
    ReplacedFunctions& operator=(const ReplacedFunctions&) = delete;
};

/// MPI_TEST_SEED, or one of this run. The same on all processes. The first call is collective.
unsigned seed();

/// Seconds after which a wait has failed: MPI_TEST_PATIENCE, or so many that a busy machine does not use them up.
double patience();

/// The processes of MPI_COMM_WORLD, and one block of tags for every caller. Collective: over MPI_COMM_WORLD.
struct TestGroup {
    std::shared_ptr<hopscotch::shim::ProcessGroup> group;
    hopscotch::shim::TagBlock tags;
};
TestGroup test_group();
