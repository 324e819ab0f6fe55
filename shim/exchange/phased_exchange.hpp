// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule phase by phase; classes derived from it say what its messages are made of.
#pragma once

#include "shim/exchange/messages.hpp"
#include "shim/exchange/operation.hpp"

#include <memory>

namespace hopscotch::shim
{

class PhasedExchange : public Exchange
{
  public:
    /// Posts all receives, sends the first phase, makes the local copies.
    void begin(const BlockLayout& send, const BlockLayout& receive) final;

    bool advance() final;

  protected:
    /// `tag`: of the messages; exchanges that may be in flight at once have different ones.
    PhasedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag);

    const schedules::Schedule& schedule() const noexcept { return schedule_; }
    Messages& messages() noexcept { return messages_; }
    const Messages& messages() const noexcept { return messages_; }
    Block send_block(int slot) const noexcept { return (*send_)[slot]; }
    Block receive_block(int slot) const noexcept { return (*receive_)[slot]; }
    std::size_t phase() const noexcept { return phase_; }

    /// A call begins: its layouts are known, nothing has been posted.
    virtual void prepare(const BlockLayout& send, const BlockLayout& receive) = 0;

    /// Posts the receive of a round, by messages().receive.
    virtual void post_receive(std::size_t r) = 0;

    /// Sends the message of a round that has a destination, and counts it.
    virtual void send_round(std::size_t r) = 0;

    /// What else is to be started, once the first phase is on its way.
    virtual void start_others(const BlockLayout&, const BlockLayout&) {}

    /// Whether all messages of the current phase are there.
    virtual bool phase_arrived() { return messages_.arrived(phase_); }

    /// Takes the message of a round that has a source and whose phase has arrived.
    virtual void deliver_round(std::size_t r) = 0;

    /// Whether nothing is under way any longer, once all phases are over. `error`: of what failed.
    virtual bool all_sent(int& error) { return messages_.sent(error); }

  private:
    void send_phase();

    schedules::Schedule schedule_;
    Messages messages_;
    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    std::size_t phase_ = 0;
};

} // namespace hopscotch::shim
