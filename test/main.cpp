// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the tests that need no MPI.
#define CATCH_CONFIG_RUNNER // read by version 2 only
#include "test/catch.hpp"

int main(int argc, char* argv[])
{
    return Catch::Session().run(argc, argv);
}
