// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Checks schedules against their own rules, and prints them.
#include "test/schedules/plan/rules.hpp"

#include "schedules/grid/topology.hpp"

#include <cstddef>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace hopscotch::schedules
{

namespace
{

/// Walks a schedule once and throws at the first rule it breaks.
class Validator
{
  public:
    Validator(int send_slots, int receive_slots) : send_slots_(send_slots), written_(check_size(receive_slots), false)
    {
    }

    void check_copy(const Move& move)
    {
        position_ = "copies";
        require(move.from.place == Place::send, move.from, " is copied, which is no send slot");
        check_send_slot(move.from);
        write(move.to);
    }

    void begin_phase() { arrived_before_phase_ = arrived_; }

    void check_round(const Round& round, std::size_t phase, std::size_t index)
    {
        position_ = in_rounds;
        phase_ = phase;
        round_ = index;
        check_message_out(round);
        check_message_in(round);
        for (const Move& move : round.deliveries)
            check_delivery(round, move);
    }

    void finish(int arrivals, const std::vector<int>& unused)
    {
        position_ = "schedule";
        require(arrivals == arrived_, arrivals, " arrivals announced, ", arrived_, " in the rounds");
        for (const int slot : unused) {
            require(slot >= 0 && static_cast<std::size_t>(slot) < written_.size(), "unused receive ", slot,
                    " is out of range");
            require(!written_[slot], "receive ", slot, " is written but has no source");
        }
        for (const int slot : unused)
            written_[slot] = true;
        for (std::size_t slot = 0; slot < written_.size(); ++slot)
            require(written_[slot], "receive ", slot, " is never written");
    }

  private:
    static std::size_t check_size(int slots) { return static_cast<std::size_t>(slots < 0 ? 0 : slots); }

    /// Throws the sentence that the parts make unless the rule holds.
    template <class... Parts>
    void require(bool holds, const Parts&... otherwise) const
    {
        if (holds)
            return;
        std::ostringstream text;
        text << position_;
        if (position_ == in_rounds)
            text << phase_ << ", round " << round_;
        text << ": ";
        (text << ... << otherwise);
        throw std::logic_error(text.str());
    }

    void check_send_slot(const Slot& slot) const
    {
        require(slot.index >= 0 && slot.index < send_slots_, slot, " is out of range");
    }

    void check_message_out(const Round& round) const
    {
        require(round.destination >= no_rank, "destination ", round.destination, " is no process");
        require(round.destination != no_rank || round.sends.empty(), "blocks are sent to no process");
        require(round.destination == no_rank || !round.sends.empty(), "a message without blocks to process ",
                round.destination);
        for (const Slot& slot : round.sends) {
            require(slot.place != Place::receive, slot, " is sent, but receive slots are final");
            if (slot.place == Place::send)
                check_send_slot(slot);
            else
                require(slot.index >= 0 && slot.index < arrived_before_phase_, slot,
                        " is sent, but has not arrived in an earlier phase");
        }
    }

    void check_message_in(const Round& round)
    {
        require(round.source >= no_rank, "source ", round.source, " is no process");
        require(round.arrivals >= 0, round.arrivals, " arrivals");
        require(round.source != no_rank || round.arrivals == 0, "blocks arrive from no process");
        require(round.source == no_rank || round.arrivals > 0, "a message without blocks from process ", round.source);
        require(round.arrivals == 0 || round.first_arrival == arrived_, "first arrival is ", round.first_arrival,
                ", but ", arrived_, " blocks arrived before");
        arrived_ += round.arrivals;
    }

    void check_delivery(const Round& round, const Move& move)
    {
        require(move.from.place == Place::transit, move.from, " is delivered, which is not in transit");
        require(move.from.index >= round.first_arrival && move.from.index < round.first_arrival + round.arrivals,
                move.from, " is delivered, but does not arrive in this round");
        write(move.to);
    }

    void write(const Slot& slot)
    {
        require(slot.place == Place::receive, slot, " is written, which is no receive slot");
        require(slot.index >= 0 && static_cast<std::size_t>(slot.index) < written_.size(), slot, " is out of range");
        require(!written_[slot.index], slot, " is written twice");
        written_[slot.index] = true;
    }

    int send_slots_;
    std::vector<bool> written_;
    int arrived_ = 0;
    int arrived_before_phase_ = 0;
    static constexpr std::string_view in_rounds = "phase ";
    std::string_view position_;
    std::size_t phase_ = 0;
    std::size_t round_ = 0;
};

void print_round(std::ostream& stream, const Round& round)
{
    const char* between = "";
    if (round.destination != no_rank) {
        stream << "to " << round.destination << ":";
        for (const Slot& slot : round.sends)
            stream << ' ' << slot << (&slot == &round.sends.back() ? "" : ",");
        between = " | ";
    }
    if (round.source != no_rank) {
        stream << between << "from " << round.source << ": transit " << round.first_arrival;
        if (round.arrivals > 1)
            stream << ".." << round.first_arrival + round.arrivals - 1;
        between = " | ";
    }
    if (!round.deliveries.empty())
        stream << between << "deliver";
    for (const Move& move : round.deliveries)
        stream << ' ' << move.from << " -> " << move.to << (&move == &round.deliveries.back() ? "" : ",");
}

} // namespace

void validate(const Schedule& schedule, int send_slots, int receive_slots, const std::vector<int>& unused)
{
    Validator validator(send_slots, receive_slots);
    for (const Move& move : schedule.copies)
        validator.check_copy(move);
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        validator.begin_phase();
        const std::vector<Round>& rounds = schedule.phases[phase].rounds;
        for (std::size_t round = 0; round < rounds.size(); ++round)
            validator.check_round(rounds[round], phase, round);
    }
    validator.finish(schedule.arrivals, unused);
}

std::ostream& operator<<(std::ostream& stream, const Slot& slot)
{
    constexpr const char* names[] = {"send ", "receive ", "transit "};
    return stream << names[static_cast<int>(slot.place)] << slot.index;
}

std::ostream& operator<<(std::ostream& stream, const Schedule& schedule)
{
    stream << schedule.messages() << " messages, " << schedule.volume() << " blocks sent, " << schedule.arrivals
           << " received\n";
    for (const Move& move : schedule.copies)
        stream << "copy " << move.from << " -> " << move.to << '\n';
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        stream << "phase " << phase << '\n';
        for (const Round& round : schedule.phases[phase].rounds) {
            stream << "  ";
            print_round(stream, round);
            stream << '\n';
        }
    }
    return stream;
}

} // namespace hopscotch::schedules
