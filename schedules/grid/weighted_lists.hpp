// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the neighbors of a process and the weights of the edges to them, and packs both for another process.
#pragma once

#include <vector>

namespace hopscotch::schedules
{

/// Shape: of the weights, as of the ranks.
struct WeightedLists {
    std::vector<int> sources, source_weights, destinations, destination_weights;
    bool weighted = false; // else the weights mean nothing
};

/// Packs the lists into numbers to be sent, and unpacks them.
std::vector<int> packed(const WeightedLists& lists);
WeightedLists unpacked(const std::vector<int>& numbers);

} // namespace hopscotch::schedules
