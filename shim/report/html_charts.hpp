// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Draws the charts of the page: where the time goes, how many messages were sent, what was measured, when combining
// pays.
#pragma once

#include "shim/report/summary.hpp"

#include <string>
#include <vector>

namespace hopscotch::shim
{

constexpr std::size_t bars_shown = 12;

/// Time in calls of the `bars_shown` kinds of graphs with most of it, one bar each.
std::string time_chart(const std::vector<GraphGroup>& groups);

/// Messages of the same graphs: sent, and what the trivial algorithm would have sent.
std::string message_chart(const std::vector<GraphGroup>& groups);

/// What `auto` measured on a graph: a bar for every algorithm in every size class. Empty without trials.
std::string trials_chart(const GraphDescription& graph);

/// Predicted time of an alltoall over the block size, directly and combined, and where the two meet. Empty where no
/// grid was found.
std::string cutoff_chart(const GraphDescription& graph);

/// "3", "3, 4, 7 ... 90": the numbers of graphs that are alike.
std::string numbers(const GraphGroup& group);

} // namespace hopscotch::shim
