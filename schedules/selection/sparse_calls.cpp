// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/sparse_calls.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

SparseCalls::Step SparseCalls::step_for(const SparsePatterns& all, int processes) const noexcept
{
    if (all.unable != 0 || !is_sparse(all.peers, processes))
        return Step::pass;
    if (has_graph_ && 8 * static_cast<std::uint64_t>(all.outside_calls) < calls_ - last_)
        return Step::go_on;
    if (all.peers == 0 || calls_ < 2 * made_)
        return has_graph_ ? Step::go_on : Step::pass;
    return make(all, processes);
}

SparseCalls::Step SparseCalls::decide(const SparsePatterns& all, int processes) noexcept
{
    const Step step = step_for(all, processes);
    has_graph_ = step != Step::pass;
    if (step == Step::make_of_seen || step == Step::make_of_this)
        made_ = calls_;
    last_ = calls_;
    next_ = calls_ + std::min(calls_, has_graph_ ? longest_pause : longest_dense_pause);
    return step;
}

SparseCalls::Step SparseCalls::decide_for_request(const SparsePatterns& all, int processes) noexcept
{
    if (all.unable != 0 || all.peers == 0 || !is_sparse(all.peers, processes))
        return Step::pass;
    if (has_graph_ && all.outside_calls == 0)
        return Step::go_on;
    if (request_graphs_ == most_request_graphs)
        return Step::pass;
    ++request_graphs_;
    has_graph_ = true;
    return make(all, processes);
}

} // namespace hopscotch::schedules
