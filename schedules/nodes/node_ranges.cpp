// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/node_ranges.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace hopscotch::schedules
{

NodeRanges::NodeRanges(const std::vector<int>& sizes) : nodes_(static_cast<int>(sizes.size()))
{
    if (sizes.empty())
        throw std::invalid_argument("mapping: there is no node");
    long long sum = 0;
    bool equal = true;
    for (const int size : sizes) {
        if (size < 1)
            throw std::invalid_argument("mapping: a node of " + std::to_string(size) + " processes");
        sum += size;
        equal = equal && size == sizes.front();
    }
    if (sum > std::numeric_limits<int>::max())
        throw std::invalid_argument("mapping: " + std::to_string(sum) + " processes are too many");
    processes_ = static_cast<int>(sum);
    size_ = equal ? sizes.front() : 0;
    if (equal)
        return;
    ends_.reserve(sizes.size());
    for (const int size : sizes)
        ends_.push_back(size + (ends_.empty() ? 0 : ends_.back()));
}

int NodeRanges::node(int process) const noexcept
{
    if (size_ > 0)
        return process / size_;
    return static_cast<int>(std::upper_bound(ends_.begin(), ends_.end(), process) - ends_.begin());
}

bool NodeRanges::begins_at(int process) const noexcept
{
    if (size_ > 0)
        return process % size_ == 0;
    return process == 0 || std::binary_search(ends_.begin(), ends_.end(), process);
}

} // namespace hopscotch::schedules
