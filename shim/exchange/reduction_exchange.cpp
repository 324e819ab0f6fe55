// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a reduction by a schedule that combines values on their way.
#include "shim/exchange/reduction_exchange.hpp"

#include "shim/mpi/mpi_error.hpp"

namespace hopscotch::shim
{

ReductionExchange::ReductionExchange(schedules::Reduction plan, std::shared_ptr<ProcessGroup> group, int tag)
    : plan_(std::move(plan)), traffic_(plan_.traffic()), messages_(traffic_, std::move(group), tag),
      outgoing_(messages_.rounds())
{
    forwards_ = true;
}

void ReductionExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    phase_ = 0;
    arrived_before_ = 0;
    result_ = receive[0];
    partials_ = Elements(plan_.first.size(), reducing_);
    for (std::size_t i = 0; i < plan_.first.size(); ++i) {
        Accumulator partial(reducing_, partials_[i]);
        for (const int block : plan_.first[i])
            partial.take(send[block].address);
    }
    incoming_.resize(static_cast<std::size_t>(traffic_.arrivals) * reducing_.bytes());
    for (std::size_t r = 0; r < messages_.rounds(); ++r)
        messages_.receive(r, arrival(messages_.round(r).first_arrival), message_bytes(messages_.round(r).arrivals));
    send_phase();
}

std::size_t ReductionExchange::message_bytes(int values) const noexcept
{
    return static_cast<std::size_t>(values) * reducing_.bytes();
}

/// The place of an arriving value, counted through all phases.
char* ReductionExchange::arrival(int index) noexcept
{
    return incoming_.data() + message_bytes(index);
}

void ReductionExchange::send_phase()
{
    if (phase_ == plan_.phases.size())
        return;
    std::size_t round = messages_.first_round(phase_);
    for (const schedules::ReductionRound& one : plan_.phases[phase_].rounds)
        send_values(round++, one.sends);
}

void ReductionExchange::send_values(std::size_t round, const std::vector<int>& partials)
{
    if (partials.empty())
        return;
    std::vector<char>& message = outgoing_[round];
    message.resize(message_bytes(static_cast<int>(partials.size())));
    char* to = message.data();
    for (const int partial : partials) {
        pack(reducing_.at(partials_[static_cast<std::size_t>(partial)]), to);
        to += reducing_.bytes();
    }
    messages_.send(round, message.data(), message.size());
    count({1, message.size(), message.size(), 0});
}

void ReductionExchange::check_messages()
{
    for (std::size_t r = messages_.first_round(phase_); r < messages_.first_round(phase_ + 1); ++r) {
        if (messages_.round(r).source == schedules::no_rank)
            continue;
        fail(messages_.error(r));
        if (messages_.bytes(r) != message_bytes(messages_.round(r).arrivals))
            fail(MPI_ERR_TRUNCATE);
    }
}

/// Takes one operand of this phase into a partial result.
void ReductionExchange::take(const schedules::Operand& operand, Elements& unpacked, Accumulator& partial)
{
    const char* value = nullptr;
    if (!operand.arrived) {
        value = partials_[static_cast<std::size_t>(operand.index)];
    } else if (value = arrival(arrived_before_ + operand.index); !reducing_.is_packed()) {
        unpack(value, reducing_.bytes(), reducing_.at(unpacked[0]));
        value = unpacked[0];
    }
    partial.take(value, operand.times);
}

/// Folds the received values into the partial results of this phase. The messages of later phases leave even after an
/// error: other processes wait for them.
void ReductionExchange::end_phase()
{
    check_messages();
    const schedules::ReductionPhase& phase = plan_.phases[phase_];
    Elements made(phase.partials.size(), reducing_);
    Elements unpacked(reducing_.is_packed() ? 0 : 1, reducing_);
    for (std::size_t i = 0; i < phase.partials.size(); ++i) {
        Accumulator partial(reducing_, made[i]);
        try {
            for (const schedules::Operand& operand : phase.partials[i])
                take(operand, unpacked, partial);
        } catch (const MpiError& failure) {
            fail(failure.code);
        }
    }
    partials_ = std::move(made);
    arrived_before_ += phase.arrivals;
    ++phase_;
}

bool ReductionExchange::advance()
{
    for (; phase_ < plan_.phases.size(); send_phase()) {
        if (!messages_.arrived(phase_))
            return false;
        end_phase();
    }
    int code = MPI_SUCCESS;
    const bool complete = messages_.sent(code);
    fail(code);
    if (complete && error() == MPI_SUCCESS && plan_.has_result())
        copy(reducing_.at(partials_[0]), result_);
    return complete;
}

} // namespace hopscotch::shim
