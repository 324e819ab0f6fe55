// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes blocks of others off the processes that would send more messages with a partial grid than without.
#include "schedules/irregular/relief.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Lists = std::vector<std::vector<int>>;

/// The steps of a stencil's blocks. A step is a shift along one dimension.
struct Ways {
    struct Step {
        int k;
        int shift;
        std::size_t number; // of this shift along this dimension
    };
    std::vector<std::vector<Step>> of_block;
    std::size_t numbers = 0;

    Ways(const Stencil& stencil, const std::vector<int>& dimension_order)
        : of_block(static_cast<std::size_t>(stencil.size()))
    {
        std::map<std::pair<int, int>, std::size_t> seen;
        for (int b = 0; b < stencil.size(); ++b)
            for (const int k : dimension_order)
                if (const int shift = stencil.shift(b, k); shift != 0) {
                    const std::size_t number = seen.try_emplace({k, shift}, seen.size()).first->second;
                    of_block[static_cast<std::size_t>(b)].push_back({k, shift, number});
                }
        numbers = seen.size();
    }
};

/// Counts over all processes.
struct Totals {
    std::int64_t beyond = 0;       // messages of processes with many neighbors beyond those without the grid
    std::int64_t without_gain = 0; // processes with many neighbors that do not send fewer messages
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    std::int64_t combined = 0; // blocks

    bool is_better_than(const Totals& other) const noexcept
    {
        const auto key = [](const Totals& all) {
            return std::make_tuple(8 * all.beyond + 2 * all.without_gain + all.messages, all.volume);
        };
        return key(*this) < key(other);
    }
};

/// The blocks of all processes in one call, and the messages that carry them.
class Traffic
{
  public:
    Traffic(const PartialGrid& grid, Blocks kind, const Lists& destinations)
        : ways_(grid.stencil, kind == Blocks::common ? grid.gather_order : identity(grid.stencil.dimensions())),
          steps_(ways_.numbers), carried_(destinations.size() * steps_), own_(carried_.size()),
          loads_(destinations.size())
    {
        for (std::size_t rank = 0; rank < destinations.size(); ++rank)
            add_process(grid, kind, static_cast<int>(rank), destinations[rank]);
        sort_by_message();
        for (std::size_t block = 0; block < blocks_.size(); ++block)
            combine(block);
    }

    /// Lets blocks travel directly if that is better for all together.
    void improve()
    {
        bool any = true;
        for (int round = 0; any && round < most_rounds; ++round) {
            any = false;
            for (std::size_t message = 0; message < carried_.size(); ++message)
                any = (only_forwards(message) && is_better_without(message)) || any;
        }
    }

    /// Leaves no process with many neighbors more messages than without the grid. Every round lets at least one more
    /// block travel directly.
    void limit()
    {
        while (totals_.beyond > 0)
            for (std::size_t rank = 0; rank < loads_.size(); ++rank)
                for (const bool own : {false, true})
                    for (std::size_t i = 0; i < steps_ && beyond(loads_[rank]) > 0; ++i)
                        if (own || only_forwards(rank * steps_ + i))
                            dissolve(rank * steps_ + i);
    }

    const Totals& totals() const noexcept { return totals_; }

    const std::vector<PartialGrid::Load>& loads() const noexcept { return loads_; }

    void tell(std::vector<bool>& combined) const
    {
        for (const Block& block : blocks_)
            combined[block.bit] = block.combined;
    }

  private:
    static constexpr int most_rounds = 4; // few blocks change after the second

    struct Block {
        std::size_t from;
        std::size_t pair;
        std::size_t bit;       // in PartialGrid::combined
        std::size_t first_hop; // its others follow; each names the message
        bool combined = false;
    };

    using Load = PartialGrid::Load;

    /// Messages of a process beyond those without the grid.
    static int beyond(const Load& load) noexcept
    {
        return load.has_many_neighbors() ? std::max(load.messages - load.merged_messages, 0) : 0;
    }

    void add_process(const PartialGrid& grid, Blocks kind, int rank, const std::vector<int>& list)
    {
        const std::vector<int> others = distinct_others(list, rank);
        const std::size_t first_pair = direct_.size();
        const auto pair_with = [&](int to) {
            return first_pair +
                   static_cast<std::size_t>(std::lower_bound(others.begin(), others.end(), to) - others.begin());
        };
        direct_.resize(first_pair + others.size());
        loads_[static_cast<std::size_t>(rank)].merged_messages = static_cast<int>(others.size());
        const auto from = static_cast<std::size_t>(rank);
        for (const int to : list)
            if (to != no_rank && to != rank)
                change(from, direct_[pair_with(to)], 1);
        loads_[from].edges = loads_[from].volume;
        for (int b = 0; b < grid.stencil.size(); ++b) {
            if (!grid.combines(kind, rank, b))
                continue;
            int at = rank;
            const std::size_t first_hop = hops_.size();
            for (const Ways::Step& step : ways_.of_block[static_cast<std::size_t>(b)]) {
                hops_.push_back(static_cast<std::size_t>(at) * steps_ + step.number);
                at = grid.process(at, step.k, step.shift);
            }
            const std::size_t bit = from * static_cast<std::size_t>(grid.stencil.size()) + static_cast<std::size_t>(b);
            blocks_.push_back({from, pair_with(at), bit, first_hop});
        }
    }

    std::size_t end_of_hops(std::size_t block) const noexcept
    {
        return block + 1 < blocks_.size() ? blocks_[block + 1].first_hop : hops_.size();
    }

    void sort_by_message()
    {
        first_member_.assign(carried_.size() + 1, 0);
        for (const std::size_t message : hops_)
            ++first_member_[message + 1];
        for (std::size_t message = 0; message < carried_.size(); ++message)
            first_member_[message + 1] += first_member_[message];
        members_.resize(hops_.size());
        std::vector<std::size_t> next = first_member_;
        for (std::size_t block = 0; block < blocks_.size(); ++block)
            for (std::size_t hop = blocks_[block].first_hop; hop < end_of_hops(block); ++hop)
                members_[next[hops_[hop]]++] = block;
    }

    bool only_forwards(std::size_t message) const noexcept { return carried_[message] > 0 && own_[message] == 0; }

    /// A process sends so many blocks more in one message, which then has `blocks` in all.
    void change(std::size_t rank, int& blocks, int more)
    {
        Load& load = loads_[rank];
        const auto count = [&](int sign) {
            totals_.beyond += sign * beyond(load);
            totals_.without_gain += load.gains_nothing() ? sign : 0;
        };
        const int before = blocks > 0 ? 1 : 0;
        blocks += more;
        const int messages = (blocks > 0 ? 1 : 0) - before;
        count(-1);
        load.messages += messages;
        load.volume += more;
        count(1);
        totals_.messages += messages;
        totals_.volume += more;
    }

    void change_hops(std::size_t block, int blocks)
    {
        const std::size_t first = blocks_[block].first_hop;
        for (std::size_t hop = first; hop < end_of_hops(block); ++hop) {
            const std::size_t message = hops_[hop];
            own_[message] += hop == first ? blocks : 0;
            change(message / steps_, carried_[message], blocks);
        }
        totals_.combined += blocks;
        blocks_[block].combined = blocks > 0;
    }

    void combine(std::size_t block)
    {
        change(blocks_[block].from, direct_[blocks_[block].pair], -1);
        change_hops(block, 1);
    }

    /// The blocks of a message travel directly. Returns them.
    std::vector<std::size_t> dissolve(std::size_t message)
    {
        std::vector<std::size_t> changed;
        for (std::size_t i = first_member_[message]; i < first_member_[message + 1]; ++i)
            if (blocks_[members_[i]].combined) {
                changed.push_back(members_[i]);
                change_hops(members_[i], -1);
                change(blocks_[members_[i]].from, direct_[blocks_[members_[i]].pair], 1);
            }
        return changed;
    }

    /// Dissolves a message if that is better.
    bool is_better_without(std::size_t message)
    {
        const Totals before = totals_;
        const std::vector<std::size_t> changed = dissolve(message);
        if (totals_.is_better_than(before))
            return true;
        for (const std::size_t block : changed)
            combine(block);
        return false;
    }

    Ways ways_;
    std::size_t steps_;
    std::vector<int> carried_; // blocks, by message: the sender's rank and the number of the step
    std::vector<int> own_;     // those of its sender
    std::vector<Load> loads_;
    std::vector<int> direct_; // blocks that travel directly, by pair of processes
    std::vector<Block> blocks_;
    std::vector<std::size_t> hops_;
    std::vector<std::size_t> first_member_; // in members_, by message
    std::vector<std::size_t> members_;      // blocks that are in each message at first
    Totals totals_;
};

} // namespace

bool relieve(PartialGrid& grid, const Lists& destinations, SearchBudget& budget)
{
    constexpr std::size_t steps_of_edge = 12;
    if (grid.without_gain == 0 || !budget.take(static_cast<std::size_t>(grid.edges) * steps_of_edge))
        return grid.messages < grid.merged_messages;
    grid.most = {};
    grid.without_gain = 0;
    for (const Blocks kind : {Blocks::common, Blocks::individual}) {
        Traffic traffic(grid, kind, destinations);
        traffic.improve();
        traffic.limit();
        traffic.tell(grid.combined[static_cast<std::size_t>(kind)]);
        grid.messages = traffic.totals().messages; // alltoall comes last
        grid.volume = traffic.totals().volume;
        grid.combined_edges = traffic.totals().combined;
        grid.add_loads(kind, traffic.loads());
    }
    return grid.messages < grid.merged_messages;
}

} // namespace hopscotch::schedules
