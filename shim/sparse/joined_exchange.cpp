// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Two exchanges of one nonblocking call: blocks that a graph has, and blocks outside of it.
#include "shim/sparse/joined_exchange.hpp"

#include <utility>

namespace hopscotch::shim
{

JoinedExchange::JoinedExchange(std::shared_ptr<Exchange> graph, std::shared_ptr<const OutsideBlocks> outside,
                               const BlockLayout* received)
    : graph_(std::move(graph)), outside_(std::move(outside)),
      received_(received != nullptr ? received : &outside_->blocks().receive)
{
    forwards_ = graph_->forwards();
}

JoinedExchange::~JoinedExchange()
{
    if (begun_ && !graph_complete_) // an error has ended the call
        graph_->release();
}

void JoinedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    begin_turn(send, receive, take_turn());
}

/// Messages outside of the graph start in the order of the calls, also if the exchange of the graph is busy: they have
/// one tag.
void JoinedExchange::begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    turn_ = turn;
    begun_ = graph_complete_ = outside_complete_ = false;
    outside_->exchange().begin(outside_->blocks().send, *received_);
}

bool JoinedExchange::complete(Exchange& exchange, bool& is_complete)
{
    if (!is_complete && exchange.advance()) {
        is_complete = true;
        fail(exchange.error());
        count(exchange.sent());
    }
    return is_complete;
}

bool JoinedExchange::advance()
{
    if (!begun_ && graph_->acquire()) {
        begun_ = true;
        graph_->begin_turn(*send_, *receive_, turn_);
    }
    const bool had_completed = graph_complete_;
    if (begun_ && complete(*graph_, graph_complete_) && !had_completed)
        graph_->release();
    return complete(outside_->exchange(), outside_complete_) && graph_complete_;
}

void JoinedExchange::idle(bool yields)
{
    if (begun_ && !graph_complete_ && outside_complete_)
        graph_->idle(yields);
    else
        Exchange::idle(yields);
}

} // namespace hopscotch::shim
