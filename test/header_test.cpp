// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The same as C++.
#include "test/header_test.c" // NOLINT
