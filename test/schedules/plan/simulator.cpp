// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// All processes of a job inside one process: executes any schedules on labelled blocks instead of data.
#include "test/schedules/plan/simulator.hpp"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <string>

using namespace hopscotch::schedules;

namespace
{

struct Message {
    int source;
    std::vector<Label> blocks;
    bool taken;
};

/// One process: its schedule, its blocks and its progress.
struct Process {
    int rank;
    const Schedule& schedule;
    std::vector<Label> received;
    std::vector<Label> transit;
    std::size_t phase = 0;
    std::size_t awaited_round = 0; // round of the phase; the rounds before it have been received
    bool sent = false;             // the messages of the phase
    std::vector<Message> inbox = {};
};

[[noreturn]] void fail(int rank, const std::string& what)
{
    throw std::runtime_error("process " + std::to_string(rank) + ": " + what);
}

Label& at(std::vector<Label>& labels, int index, int rank)
{
    if (index < 0 || static_cast<std::size_t>(index) >= labels.size())
        fail(rank, "slot " + std::to_string(index) + " of " + std::to_string(labels.size()));
    return labels[index];
}

Label read(Process& process, const Slot& slot)
{
    if (slot.place == Place::send)
        return {process.rank, slot.index};
    const Label label = at(slot.place == Place::receive ? process.received : process.transit, slot.index, process.rank);
    if (label.origin == no_rank)
        fail(process.rank, "slot " + std::to_string(slot.index) + " is read before a block has arrived in it");
    return label;
}

void send_phase(std::vector<Process>& processes, Process& process)
{
    for (const Round& round : process.schedule.phases[process.phase].rounds) {
        if (round.destination == no_rank)
            continue;
        if (round.destination < 0 || static_cast<std::size_t>(round.destination) >= processes.size())
            fail(process.rank, "sends to " + std::to_string(round.destination));
        Message message{process.rank, {}, false};
        for (const Slot& slot : round.sends)
            message.blocks.push_back(read(process, slot));
        processes[round.destination].inbox.push_back(std::move(message));
    }
    process.sent = true;
}

void take(Process& process, const Round& round, Message& message)
{
    if (static_cast<int>(message.blocks.size()) != round.arrivals)
        fail(process.rank, "expects " + std::to_string(round.arrivals) + " blocks from " +
                               std::to_string(round.source) + ", but " + std::to_string(message.blocks.size()) +
                               " came");
    for (int q = 0; q < round.arrivals; ++q)
        at(process.transit, round.first_arrival + q, process.rank) = message.blocks[q];
    for (const Move& move : round.deliveries)
        at(process.received, move.to.index, process.rank) = read(process, move.from);
    message.taken = true;
}

/// Goes on as far as the arrived messages allow; true if it made progress.
bool advance(std::vector<Process>& processes, Process& process)
{
    bool progress = false;
    while (process.phase < process.schedule.phases.size()) {
        const std::vector<Round>& rounds = process.schedule.phases[process.phase].rounds;
        if (!process.sent) {
            send_phase(processes, process);
            progress = true;
        }
        for (; process.awaited_round < rounds.size(); ++process.awaited_round) {
            const Round& round = rounds[process.awaited_round];
            if (round.source == no_rank)
                continue;
            const auto message = std::find_if(process.inbox.begin(), process.inbox.end(), [&](const Message& one) {
                return !one.taken && one.source == round.source;
            });
            if (message == process.inbox.end())
                return progress;
            take(process, round, *message);
            progress = true;
        }
        ++process.phase;
        process.awaited_round = 0;
        process.sent = false;
    }
    return progress;
}

void check_finished(const Process& process)
{
    if (process.phase < process.schedule.phases.size()) {
        const Round& round = process.schedule.phases[process.phase].rounds[process.awaited_round];
        fail(process.rank, "deadlock: waits in phase " + std::to_string(process.phase) + " for a message from " +
                               std::to_string(round.source));
    }
    for (const Message& message : process.inbox)
        if (!message.taken)
            fail(process.rank, "a message from " + std::to_string(message.source) + " is left over");
}

} // namespace

std::ostream& operator<<(std::ostream& stream, const Label& label)
{
    if (label.origin == no_rank)
        return stream << "nothing";
    return stream << "block " << label.slot << " of process " << label.origin;
}

std::vector<std::vector<Label>> simulate(const std::vector<Schedule>& schedules, const std::vector<int>& receive_slots)
{
    std::vector<Process> processes;
    processes.reserve(schedules.size());
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
        processes.push_back({static_cast<int>(rank), schedules[rank],
                             std::vector<Label>(static_cast<std::size_t>(receive_slots[rank])),
                             std::vector<Label>(static_cast<std::size_t>(schedules[rank].arrivals))});
        for (const Move& move : schedules[rank].copies)
            at(processes[rank].received, move.to.index, processes[rank].rank) = read(processes[rank], move.from);
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (Process& process : processes)
            progress = advance(processes, process) || progress;
    }
    std::vector<std::vector<Label>> result;
    for (Process& process : processes) {
        check_finished(process);
        result.push_back(std::move(process.received));
    }
    return result;
}
