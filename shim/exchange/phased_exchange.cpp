// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule phase by phase; classes derived from it say what its messages are made of.
#include "shim/exchange/phased_exchange.hpp"

#include "schedules/topology.hpp"

namespace hopscotch::shim
{

PhasedExchange::PhasedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : schedule_(std::move(schedule)), messages_(schedule_, std::move(group), tag)
{
    forwards_ = messages_.phases() > 1;
}

void PhasedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    phase_ = 0;
    prepare(send, receive);
    for (std::size_t r = 0; r < messages_.rounds(); ++r)
        post_receive(r);
    if (messages_.phases() > 0)
        send_phase();
    start_others(send, receive);
    for (const schedules::Move& move : schedule_.copies) {
        const Block from = send[move.from.index];
        const Block to = receive[move.to.index];
        if (from.bytes != to.bytes)
            fail(MPI_ERR_TRUNCATE);
        copy(from, to);
    }
}

void PhasedExchange::send_phase()
{
    for (std::size_t r = messages_.first_round(phase_); r < messages_.first_round(phase_ + 1); ++r)
        if (messages_.round(r).destination != schedules::no_rank)
            send_round(r);
}

bool PhasedExchange::advance()
{
    while (phase_ < messages_.phases()) {
        if (!phase_arrived())
            return false;
        for (std::size_t r = messages_.first_round(phase_); r < messages_.first_round(phase_ + 1); ++r)
            if (messages_.round(r).source != schedules::no_rank)
                deliver_round(r);
        if (++phase_ < messages_.phases())
            send_phase();
    }
    int code = MPI_SUCCESS;
    const bool complete = all_sent(code);
    fail(code);
    return complete;
}

} // namespace hopscotch::shim
