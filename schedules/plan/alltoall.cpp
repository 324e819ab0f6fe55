// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The message-combining schedule of neighborhood alltoall on tori, meshes and mixed grids.
#include "schedules/plan/alltoall.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/block_mask.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

namespace
{

/// Follows all blocks of a neighborhood through the dimensions and writes down what this process does.
class Planner
{
  public:
    explicit Planner(const Neighborhood& neighborhood)
        : neighborhood_(neighborhood), stencil_(neighborhood.stencil), mask_(neighborhood),
          rest_(static_cast<std::size_t>(stencil_.size())), last_(static_cast<std::size_t>(stencil_.size()), none)
    {
        for (int b = 0; b < stencil_.size(); ++b) {
            rest_[b] = {Place::send, neighborhood.send_slot[b]};
            for (int k = 0; k < stencil_.dimensions(); ++k)
                if (stencil_.shift(b, k) != 0)
                    last_[b] = k;
        }
    }

    Schedule plan()
    {
        for (int b = 0; b < stencil_.size(); ++b)
            if (last_[b] == none && mask_.holds(b))
                schedule_.copies.push_back({rest_[b], {Place::receive, neighborhood_.receive_slot[b]}});
        for (int k = 0; k < stencil_.dimensions(); ++k)
            plan_phase(k);
        return std::move(schedule_);
    }

  private:
    static constexpr int none = -1;

    void plan_phase(int k)
    {
        const std::vector<int> shifts = shifts_along(stencil_, k);
        std::vector<int> order = identity(stencil_.size());
        sort_by(order, shifts);
        const BlockMask before = mask_;
        mask_.travel(k);
        Phase phase;
        bool any_shift = false;
        std::size_t end = 0;
        for (std::size_t begin = 0; begin < order.size(); begin = end) {
            const int shift = shifts[order[begin]];
            for (end = begin; end < order.size() && shifts[order[end]] == shift;)
                ++end;
            if (shift == 0)
                continue;
            any_shift = true;
            const Round round = plan_round(k, shift, before, order.data() + begin, order.data() + end);
            if (round.destination != no_rank || round.source != no_rank)
                phase.rounds.push_back(round);
        }
        if (any_shift)
            schedule_.phases.push_back(std::move(phase));
    }

    /// The blocks that make the step `shift` along k: those held before it leave, those held after it arrive. Both ends
    /// of a message walk the same blocks in the same order.
    Round plan_round(int k, int shift, const BlockMask& before, const int* begin, const int* end)
    {
        Round round;
        round.first_arrival = schedule_.arrivals;
        round.sends.reserve(static_cast<std::size_t>(end - begin));
        for (const int* block = begin; block != end; ++block) {
            const int b = *block;
            if (before.holds(b))
                round.sends.push_back(rest_[b]);
            if (!mask_.holds(b))
                continue;
            rest_[b] = {Place::transit, schedule_.arrivals++};
            ++round.arrivals;
            if (last_[b] == k)
                round.deliveries.push_back({rest_[b], {Place::receive, neighborhood_.receive_slot[b]}});
        }
        if (!round.sends.empty())
            round.destination = neighborhood_.process(k, shift);
        if (round.arrivals > 0)
            round.source = neighborhood_.process(k, -shift);
        return round;
    }

    const Neighborhood& neighborhood_;
    const Stencil& stencil_;
    BlockMask mask_;
    std::vector<Slot> rest_; // per block: where the one that is here now rests
    std::vector<int> last_;  // per block: the last dimension it travels along
    Schedule schedule_;
};

} // namespace

Schedule combining_alltoall(const Neighborhood& neighborhood)
{
    return Planner(neighborhood).plan();
}

} // namespace hopscotch::schedules
