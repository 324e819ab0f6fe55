// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/network/goal_file.hpp"

#include "schedules/grid/topology.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace hopscotch::schedules
{

namespace
{

/// The operations of one process.
class GoalRank
{
  public:
    GoalRank(std::ostream& stream, std::size_t block_bytes) : stream_(stream), block_bytes_(block_bytes) {}

    void add(const Phase& phase, std::size_t number)
    {
        std::vector<std::string> arrived;
        for (const Round& round : phase.rounds)
            if (round.source != no_rank)
                arrived.push_back(
                    add_message("recv", static_cast<std::size_t>(round.arrivals), " from ", round.source, number));
        for (const Round& round : phase.rounds)
            if (round.destination != no_rank)
                require(add_message("send", round.sends.size(), " to ", round.destination, number), end_);
        if (arrived.empty())
            return;
        const std::string end = new_label();
        stream_ << end << ": calc 0\n";
        for (const std::string& message : arrived)
            require(end, message);
        require(end, end_);
        end_ = end;
    }

  private:
    std::string new_label()
    {
        std::string label = "l";
        return label += std::to_string(++operations_);
    }

    /// Writes a message and returns its label.
    std::string add_message(const char* kind, std::size_t blocks, const char* direction, int other, std::size_t phase)
    {
        const std::string label = new_label();
        stream_ << label << ": " << kind << ' ' << blocks * block_bytes_ << 'b' << direction << other << " tag "
                << phase << '\n';
        return label;
    }

    void require(const std::string& label, const std::string& before)
    {
        if (!before.empty())
            stream_ << label << " requires " << before << '\n';
    }

    std::ostream& stream_;
    std::size_t block_bytes_;
    int operations_ = 0;
    std::string end_; // of the last phase with a receive; empty: none yet
};

} // namespace

void write_goal(std::ostream& stream, int processes, std::size_t block_bytes,
                const std::function<Schedule(int rank)>& schedule_of)
{
    stream << "num_ranks " << processes << '\n';
    for (int rank = 0; rank < processes; ++rank) {
        stream << "\nrank " << rank << " {\n";
        const Schedule schedule = schedule_of(rank);
        GoalRank goal(stream, block_bytes);
        for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase)
            goal.add(schedule.phases[phase], phase);
        stream << "}\n";
    }
}

} // namespace hopscotch::schedules
