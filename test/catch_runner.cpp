// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#define CATCH_CONFIG_RUNNER // read by version 2 only
#include "test/catch_runner.hpp"

#include "test/catch.hpp"

int run_cases(int argc, char* argv[])
{
    return Catch::Session().run(argc, argv);
}
