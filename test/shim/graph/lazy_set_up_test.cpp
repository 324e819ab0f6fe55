// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators of one place that go away unused are counted until one is used.
#include "test/catch.hpp"

#include "shim/graph/lazy_set_up.hpp"

using namespace hopscotch::shim;

TEST_CASE("Only places with communicators that were never used have unused ones")
{
    CHECK(unused_so_far(4711) == 0);
    note_end(4711);
    note_end(4711);
    note_end(4712);
    CHECK(unused_so_far(4711) == 2);
    CHECK(unused_so_far(4712) == 1);
    note_use(4711);
    note_end(4711);
    CHECK(unused_so_far(4711) == 0);
    CHECK(unused_so_far(4712) == 1);
}
