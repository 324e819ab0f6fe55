// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the tests that need no MPI.
#include "test/catch_runner.hpp"

#include <cstdlib>

int main(int argc, char* argv[])
{
    return run_cases(argc, argv) == 0 ? EXIT_SUCCESS : EXIT_FAILURE; // no tail call: main stays on the stack
}
