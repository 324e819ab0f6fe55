// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the cases of a program.
#pragma once

/// The exit status; the arguments are those of Catch2.
int run_cases(int argc, char* argv[]);
