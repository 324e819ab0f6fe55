// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule by messages, phase by phase.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/message/message_format.hpp"
#include "schedules/plan/schedule.hpp"
#include "shim/blocks/message_writer.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/exchange/messages.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The part of one process in an exchange by messages.
struct ExchangePlan {
    schedules::Schedule schedule;

    /// Blocks above the cut-off take no part: each travels by itself along its edge. Units: bytes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    schedules::Edges edges{}; // edges of the schedule; not needed without a cut-off
};

/// If a block has another size than its receiver expects, the call fails with MPI_ERR_TRUNCATE, after this process has
/// done its part for the others: blocks of a wrong message count as empty.
class ScheduledExchange final : public Exchange
{
  public:
    /// `tag`: the first of the exchange.
    ScheduledExchange(ExchangePlan plan, schedules::SizesAre sizes, std::shared_ptr<ProcessGroup> group, int tag);

    /// Posts all receives, sends the first phase, makes the local copies.
    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;

  private:
    struct Outgoing {
        MessageWriter writer;
        std::vector<char> room; // unless the message lies somewhere as it is
    };

    struct Incoming {
        int whole_slot = -1; // the receive slot that may be received into
        bool in_place = false;
        char* at = nullptr;
        std::size_t capacity = 0; // capacity for the first message
        bool has_rest = false;
        std::vector<char> room;
        schedules::Arrived arrived;

        const char* payload() const noexcept { return at + arrived.header_bytes; }
    };

    /// The state of one call, assigned anew by each.
    struct Turn {
        const BlockLayout* send = nullptr;
        const BlockLayout* receive = nullptr;
        std::size_t phase = 0;
        bool headers_read = false; // headers of this phase: only rests are still to come
    };

    void post_receive(std::size_t r);
    void send_phase();
    void collect(std::size_t r);
    void send_bare(std::size_t r);
    void send_with_header(std::size_t r);
    Block transit_block(int index) const;
    bool phase_arrived();
    void read_message(std::size_t r);
    void deliver_round(std::size_t r);

    schedules::Schedule schedule_;
    Messages messages_;
    Messages rests_;
    std::unique_ptr<schedules::MessageFormat> format_;
    DirectBlocks direct_;
    std::vector<Outgoing> out_;         // by round
    std::vector<Incoming> in_;          // by round
    std::vector<std::size_t> bringing_; // by transit index: the round
    std::vector<char> scratch_;

    Turn now_;
};

} // namespace hopscotch::shim
