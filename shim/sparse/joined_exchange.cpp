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
    if (now_.begun && !now_.graph_complete) // an error has ended the call
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
    now_ = {&send, &receive, turn};
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
    if (!now_.begun && graph_->acquire()) {
        now_.begun = true;
        graph_->begin_turn(*now_.send, *now_.receive, now_.number);
    }
    const bool had_completed = now_.graph_complete;
    if (now_.begun && complete(*graph_, now_.graph_complete) && !had_completed)
        graph_->release();
    return complete(outside_->exchange(), now_.outside_complete) && now_.graph_complete;
}

void JoinedExchange::idle(bool yields)
{
    if (now_.begun && !now_.graph_complete && now_.outside_complete)
        graph_->idle(yields);
    else
        Exchange::idle(yields);
}

} // namespace hopscotch::shim
