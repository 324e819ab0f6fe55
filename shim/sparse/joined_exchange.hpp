// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Two exchanges of one nonblocking call: blocks that a graph has, and blocks outside of it.
#pragma once

#include "shim/exchange/exchange.hpp"
#include "shim/sparse/outside_blocks.hpp"

#include <memory>

namespace hopscotch::shim
{

class JoinedExchange final : public Exchange
{
  public:
    /// `graph` may still serve an earlier call. `received`: the places of the blocks outside, if not in `outside`.
    JoinedExchange(std::shared_ptr<Exchange> graph, std::shared_ptr<const OutsideBlocks> outside,
                   const BlockLayout* received);
    ~JoinedExchange() override;

    SequenceNumber take_turn() noexcept override { return graph_->take_turn(); }
    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    void begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn) override;
    bool advance() override;
    void idle(bool yields) override;

  private:
    /// Advances one of the two unless it is complete; true if it is.
    bool complete(Exchange& exchange, bool& is_complete);

    std::shared_ptr<Exchange> graph_;
    std::shared_ptr<const OutsideBlocks> outside_;
    const BlockLayout* received_;

    /// The state of one turn, assigned anew.
    struct Turn {
        const BlockLayout* send = nullptr;
        const BlockLayout* receive = nullptr;
        SequenceNumber number = 0;
        bool begun = false; // the exchange of the graph
        bool graph_complete = false;
        bool outside_complete = false;
    };
    Turn now_;
};

} // namespace hopscotch::shim
