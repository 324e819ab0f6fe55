// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a call that its graph does not have, and their exchange: a message each.
#include "shim/sparse/outside_blocks.hpp"

#include "schedules/plan/direct.hpp"
#include "shim/exchange/scheduled_exchange.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// A block for the process itself that only one of both buffers has is an error of the program: it stays where it is.
void demand_own_block_twice(std::vector<int>& destinations, std::vector<int>& sources, int rank)
{
    const auto sends = std::find(destinations.begin(), destinations.end(), rank);
    const auto receives = std::find(sources.begin(), sources.end(), rank);
    if (sends != destinations.end() && receives == sources.end())
        destinations.erase(sends);
    if (sends == destinations.end() && receives != sources.end())
        sources.erase(receives);
}

} // namespace

OutsideBlocks::OutsideBlocks(const Communicator& graph, int rank, std::vector<int> destinations,
                             std::vector<int> sources, const BlockArguments& send, const BlockArguments& receive)
{
    demand_own_block_twice(destinations, sources, rank);
    edges_.rank = rank;
    edges_.destination_order.assign(destinations.size(), 0);
    edges_.source_order.assign(sources.size(), 0);
    edges_.destinations = std::move(destinations);
    edges_.sources = std::move(sources);
    const int sent = send.gather(edges_.destinations, send_);
    const int received = receive.gather(edges_.sources, receive_);
    blocks_ = {send.layout(send_, sent, nullptr), receive.layout(receive_, received, nullptr)};
    ExchangePlan plan;
    plan.schedule = schedules::trivial(edges_);
    exchange_ = std::make_unique<ScheduledExchange>(std::move(plan), schedules::SizesAre::sent, graph.share_group(),
                                                    graph.exchanges().first_own_tag());
}

} // namespace hopscotch::shim
