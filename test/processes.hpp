// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of tests that need MPI: the processes, a seed for all of them, a group.
#pragma once

#include "shim/group/process_group.hpp"

#include <memory>

/// MPI_COMM_WORLD, seen from this process.
struct World {
    int rank;
    int size;
};
const World& world();

/// HOPSCOTCH_TEST_SEED, or one of this run. The same on all processes. The first call is collective.
unsigned seed();

/// The processes of MPI_COMM_WORLD, and one block of tags for every caller. Collective: over MPI_COMM_WORLD.
struct TestGroup {
    std::shared_ptr<hopscotch::shim::ProcessGroup> group;
    hopscotch::shim::TagBlock tags;
};
TestGroup test_group();
