// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a reduction by a schedule that combines values on their way.
#pragma once

#include "schedules/plan/reduction.hpp"
#include "shim/exchange/elements.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/exchange/messages.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Messages hold values packed, one after the other.
class ReductionExchange final : public Exchange
{
  public:
    ReductionExchange(schedules::Reduction plan, std::shared_ptr<ProcessGroup> group, int tag);

    /// Sets the operands of the next call. Requires: the operator is commutative; no call is under way.
    void prepare(Reducing reducing) { reducing_ = std::move(reducing); }

    /// `send`: the values of this process, block by block; `receive`: one block, unchanged if there is no source.
    /// Throws: MpiError, std::bad_alloc.
    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;

  private:
    std::size_t message_bytes(int values) const noexcept;
    char* arrival(int index) noexcept;
    void send_phase();
    void send_values(std::size_t round, const std::vector<int>& partials);
    void check_messages();
    void take(const schedules::Operand& operand, Elements& unpacked, Accumulator& partial);
    void end_phase();

    schedules::Reduction plan_;
    schedules::Schedule traffic_;
    Messages messages_;
    Reducing reducing_;
    Block result_;
    std::size_t phase_ = 0;
    int arrived_before_ = 0;                  // values of earlier phases
    Elements partials_;                       // results of the phase before
    std::vector<std::vector<char>> outgoing_; // by round
    std::vector<char> incoming_;              // messages of all phases
};

} // namespace hopscotch::shim
