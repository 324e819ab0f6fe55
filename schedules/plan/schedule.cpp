// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of schedules: counting, and relations between rounds.
#include "schedules/plan/schedule.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

std::vector<const Round*> rounds_of(const Schedule& schedule)
{
    std::vector<const Round*> rounds;
    for (const Phase& phase : schedule.phases)
        for (const Round& round : phase.rounds)
            rounds.push_back(&round);
    return rounds;
}

std::vector<std::size_t> bringing_rounds(const Schedule& schedule)
{
    std::vector<std::size_t> bringing;
    const std::vector<const Round*> rounds = rounds_of(schedule);
    for (std::size_t r = 0; r < rounds.size(); ++r)
        bringing.insert(bringing.end(), static_cast<std::size_t>(rounds[r]->arrivals), r);
    return bringing;
}

std::vector<int> whole_message_slots(const Schedule& schedule)
{
    const std::vector<const Round*> rounds = rounds_of(schedule);
    std::vector<bool> sent_on(static_cast<std::size_t>(schedule.arrivals), false);
    for (const Round* round : rounds)
        for (const Slot& slot : round->sends)
            if (slot.place == Place::transit)
                sent_on[static_cast<std::size_t>(slot.index)] = true;
    std::vector<int> slots;
    for (const Round* round : rounds) {
        const bool whole = round->arrivals == 1 && round->deliveries.size() == 1 &&
                           !sent_on[static_cast<std::size_t>(round->first_arrival)];
        slots.push_back(whole ? round->deliveries.front().to.index : -1);
    }
    return slots;
}

} // namespace hopscotch::schedules
