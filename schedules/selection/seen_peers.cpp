// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/seen_peers.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::schedules
{

void SeenPeers::reset(int processes)
{
    marks_.assign(static_cast<std::size_t>(processes), 0);
    graph_.clear();
    seen_ = unseen_ = 0;
}

void SeenPeers::make_graph()
{
    std::vector<int> ranks;
    ranks.reserve(static_cast<std::size_t>(seen_));
    for (std::size_t rank = 0; rank < marks_.size(); ++rank)
        if ((marks_[rank] & is_seen) != 0)
            ranks.push_back(static_cast<int>(rank));
    make_graph(std::move(ranks));
}

void SeenPeers::make_graph(std::vector<int> ranks)
{
    std::fill(marks_.begin(), marks_.end(), static_cast<unsigned char>(0));
    graph_ = std::move(ranks);
    for (const int rank : graph_)
        marks_[static_cast<std::size_t>(rank)] = is_in_graph;
    seen_ = 0;
    unseen_ = static_cast<int>(graph_.size());
}

} // namespace hopscotch::schedules
