// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Two processes in one: one fills a buffer by a form, the other takes its blocks out.
#pragma once

#include "shim/exchange/block_form.hpp"

/// Process 0 sends three blocks to process 1, which receives the last one first; of two others one goes to nobody, the
/// other one beyond the node.
inline hopscotch::schedules::MemoryPlan sending_plan()
{
    const hopscotch::schedules::Edges edges{0, {hopscotch::schedules::no_rank, 1, 2, 1, 1}, {}, {0, 0, 0, 1, 2}, {}};
    return memory_plan(edges, hopscotch::schedules::Blocks::individual, [](int rank) { return rank < 2; }, {});
}

inline hopscotch::schedules::MemoryPlan receiving_plan()
{
    const hopscotch::schedules::Edges edges{1, {}, {0, 0, 0}, {}, {2, 0, 1}};
    return memory_plan(edges, hopscotch::schedules::Blocks::individual, [](int rank) { return rank < 2; }, {3, 0, 2});
}
