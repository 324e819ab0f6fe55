// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The headers that most tests include: the compiler reads them once for a program.

#include "test/catch.hpp"
