// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets blocks travel directly or over common neighbors where that saves messages on a partial grid.
#include "schedules/irregular/relief.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/routing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Lists = std::vector<std::vector<int>>;

/// The steps of a stencil's blocks. A step is a shift along one dimension.
struct GridSteps {
    struct Step {
        int k;
        int shift;
        std::size_t number; // of this shift along this dimension
    };
    std::vector<std::vector<Step>> of_block;
    std::vector<int> phases; // by number

    GridSteps(const Stencil& stencil, const std::vector<int>& dimension_order)
        : of_block(static_cast<std::size_t>(stencil.size()))
    {
        int phase = 0;
        for (const Steps& steps : route_along(stencil, dimension_order)) {
            for (std::size_t b = 0; b < of_block.size(); ++b)
                if (const int step = steps.of_block[b]; step != steps.none)
                    of_block[b].push_back({steps.dimensions[0], steps.distinct.shift(step, 0),
                                           phases.size() + static_cast<std::size_t>(step)});
            phases.resize(phases.size() + static_cast<std::size_t>(steps.distinct.size()), phase++);
        }
    }
};

/// The ways of a block: in one message of the first phase; along the grid; in one message of the last phase; in two
/// messages, over a neighbor of both ends.
enum Way : std::size_t { directly, along_grid, waiting, over, all_ways };

/// Counts over all processes.
struct ReliefTotals {
    std::int64_t beyond = 0;       // messages of processes with many neighbors beyond those without the grid
    std::int64_t without_gain = 0; // processes with many neighbors that do not send fewer messages
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    std::int64_t combined = 0; // blocks

    bool is_better_than(const ReliefTotals& other) const noexcept
    {
        const auto key = [](const ReliefTotals& all) {
            return std::make_tuple(8 * all.beyond + 2 * all.without_gain + all.messages, all.volume);
        };
        return key(*this) < key(other);
    }
};

/// The blocks of all processes in one call, and the messages that carry them.
class Traffic
{
  public:
    Traffic(const PartialGrid& grid, Blocks kind, const Lists& destinations, SearchBudget& budget)
        : budget_(budget),
          grid_steps_(grid.stencil, kind == Blocks::common ? grid.gather_order : identity(grid.stencil.dimensions())),
          steps_(grid_steps_.phases.size()), loads_(destinations.size()), first_pair_{0}
    {
        for (std::size_t rank = 0; rank < destinations.size(); ++rank)
            add_process(rank, destinations[rank]);
        first_block_.push_back(blocks_.size());
        carried_.resize(early(to_.size()));
        own_.resize(carried_.size());
        for (std::size_t rank = 0; rank < destinations.size(); ++rank)
            add_ways(grid, kind, static_cast<int>(rank));
        sort_by_message();
        for (const Block& block : blocks_) {
            ++loads_[block.from].edges;
            count(block, 1);
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
        changed_.clear();
    }

    /// Lets direct messages join others over a neighbor of both ends, and dissolves messages along the grid for that or
    /// because they save nothing. Processes without gain come first; of the others, only messages with one block of
    /// their own at most are tried: more blocks seldom find room elsewhere.
    void detour()
    {
        for (const bool all : {false, true}) {
            for (std::size_t rank = 0; rank < loads_.size(); ++rank)
                for (std::size_t pair = first_pair_[rank]; pair < first_pair_[rank + 1]; ++pair)
                    if (all || loads_[rank].gains_nothing())
                        detour(pair);
            for (std::size_t rank = 0; rank < loads_.size(); ++rank)
                for (std::size_t message = rank * steps_; message < (rank + 1) * steps_; ++message)
                    if (loads_[rank].gains_nothing() || (all && carried_[message] > 0 && own_[message] <= 1))
                        is_better_after([&] { detour_from(message); });
        }
    }

    const ReliefTotals& totals() const noexcept { return totals_; }

    const std::vector<PartialGrid::Load>& loads() const noexcept { return loads_; }

    /// Writes the ways of the blocks into the grid.
    void tell(PartialGrid& grid, Blocks kind) const
    {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const Block& block = blocks_[i];
            if (block.hops[along_grid].begin != block.hops[along_grid].end)
                grid.combined[static_cast<std::size_t>(kind)][block.bit] = block.way == along_grid;
            if (block.way != waiting && block.way != over)
                continue;
            const std::size_t first = hops_[block.hops[block.way].begin];
            const std::size_t last = hops_[block.hops[block.way].end - 1];
            grid.detours[static_cast<std::size_t>(kind)].push_back({static_cast<int>(block.from),
                                                                    static_cast<int>(sender(last)),
                                                                    to_[block.pair],
                                                                    static_cast<int>(i - first_block_[block.pair]),
                                                                    {phase(first), phase(last)}});
        }
    }

  private:
    static constexpr auto none = static_cast<std::size_t>(-1); // no message, no pair

    struct ReliefRange {
        std::size_t begin;
        std::size_t end;
    };

    struct Block {
        std::size_t from;
        std::size_t pair;
        std::array<ReliefRange, all_ways> hops; // each names the message
        std::size_t bit = 0;                    // in PartialGrid::combined
        std::size_t way = directly;
    };

    using Member = std::pair<std::size_t, std::size_t>; // a block and a way
    using Load = PartialGrid::Load;

    /// Messages of a process beyond those without the grid.
    static int beyond(const Load& load) noexcept
    {
        return load.has_many_neighbors() ? std::max(load.messages - load.merged_messages, 0) : 0;
    }

    void add_process(std::size_t rank, std::vector<int> list)
    {
        std::sort(list.begin(), list.end());
        for (const int to : list) {
            if (to == no_rank || to == static_cast<int>(rank))
                continue;
            if (to_.size() == first_pair_.back() || to_.back() != to) {
                to_.push_back(to);
                first_block_.push_back(blocks_.size());
            }
            const std::size_t pair = to_.size() - 1;
            const std::size_t hop = hops_.size();
            hops_.insert(hops_.end(), {early(pair), late(pair), none, none});
            blocks_.push_back(
                {rank, pair, {ReliefRange{hop, hop + 1}, {hop, hop}, {hop + 1, hop + 2}, {hop + 2, hop + 4}}});
        }
        loads_[rank].merged_messages = static_cast<int>(to_.size() - first_pair_.back());
        first_pair_.push_back(to_.size());
    }

    /// The ways of a process's blocks along the grid.
    void add_ways(const PartialGrid& grid, Blocks kind, int rank)
    {
        const int d = grid.stencil.dimensions();
        std::size_t order = 0;
        for (int b = 0; b < grid.stencil.size(); ++b) {
            const int* const offset = grid.stencil.offset(b);
            order = b > 0 && std::equal(offset, offset + d, offset - d) ? order + 1 : 0;
            if (!grid.combines(kind, rank, b))
                continue;
            int at = rank;
            const std::size_t begin = hops_.size();
            for (const GridSteps::Step& step : grid_steps_.of_block[static_cast<std::size_t>(b)]) {
                hops_.push_back(static_cast<std::size_t>(at) * steps_ + step.number);
                at = grid.process(at, step.k, step.shift);
            }
            Block& block = blocks_[first_block_[pair_of(rank, at)] + order];
            block.hops[along_grid] = {begin, hops_.size()};
            block.way = along_grid;
            block.bit = static_cast<std::size_t>(rank) * static_cast<std::size_t>(grid.stencil.size()) +
                        static_cast<std::size_t>(b);
        }
    }

    /// The pair of two processes; `none` if the first has no blocks for the second.
    std::size_t pair_of(int from, int to) const
    {
        const auto begin = to_.begin() + static_cast<std::ptrdiff_t>(first_pair_[static_cast<std::size_t>(from)]);
        const auto end = to_.begin() + static_cast<std::ptrdiff_t>(first_pair_[static_cast<std::size_t>(from) + 1]);
        const auto found = std::lower_bound(begin, end, to);
        return found != end && *found == to ? static_cast<std::size_t>(found - to_.begin()) : none;
    }

    /// The message of a pair in the first phase, and that in the last.
    std::size_t early(std::size_t pair) const noexcept { return loads_.size() * steps_ + 2 * pair; }
    std::size_t late(std::size_t pair) const noexcept { return early(pair) + 1; }

    std::size_t sender(std::size_t message) const
    {
        return message < early(0) ? message / steps_ : blocks_[first_block_[(message - early(0)) / 2]].from;
    }

    int phase(std::size_t message) const
    {
        if (message < early(0))
            return grid_steps_.phases[message % steps_];
        return message == none ? -1 : static_cast<int>((message - early(0)) % 2) * (grid_steps_.phases.back() + 1);
    }

    void sort_by_message()
    {
        first_member_.assign(early(0) + 1, 0);
        const auto for_all = [this](const auto& act) {
            for (std::size_t block = 0; block < blocks_.size(); ++block)
                for (std::size_t i = blocks_[block].hops[along_grid].begin; i < blocks_[block].hops[along_grid].end;
                     ++i)
                    act(hops_[i], block);
        };
        for_all([this](std::size_t message, std::size_t) { ++first_member_[message + 1]; });
        for (std::size_t message = 0; message < early(0); ++message)
            first_member_[message + 1] += first_member_[message];
        members_.resize(first_member_.back());
        std::vector<std::size_t> next = first_member_;
        for_all([&](std::size_t message, std::size_t block) { members_[next[message]++] = block; });
    }

    bool only_forwards(std::size_t message) const noexcept { return carried_[message] > 0 && own_[message] == 0; }

    /// A message has so many blocks more.
    void change(std::size_t message, int more)
    {
        Load& load = loads_[sender(message)];
        const auto count = [&](int sign) {
            totals_.beyond += sign * beyond(load);
            totals_.without_gain += load.gains_nothing() ? sign : 0;
            totals_.messages += sign * load.messages;
            totals_.volume += sign * load.volume;
        };
        count(-1);
        load.messages -= carried_[message] > 0 ? 1 : 0;
        carried_[message] += more;
        load.messages += carried_[message] > 0 ? 1 : 0;
        load.volume += more;
        count(1);
    }

    void count(const Block& block, int blocks)
    {
        const auto [begin, end] = block.hops[block.way];
        own_[hops_[begin]] += blocks;
        for (std::size_t i = begin; i < end; ++i)
            change(hops_[i], blocks);
        totals_.combined += block.way == along_grid ? blocks : 0;
    }

    void travel(std::size_t block, std::size_t way)
    {
        changed_.push_back({block, blocks_[block].way});
        count(blocks_[block], -1);
        blocks_[block].way = way;
        count(blocks_[block], 1);
    }

    /// The blocks of a message travel directly.
    void dissolve(std::size_t message)
    {
        for (std::size_t i = first_member_[message]; i < first_member_[message + 1]; ++i)
            if (blocks_[members_[i]].way == along_grid)
                travel(members_[i], directly);
    }

    /// The first or the last message of a pair; `none` if there is no message.
    std::size_t message_of(std::size_t pair, bool last) const
    {
        std::size_t found = none;
        for (const Way way : {directly, along_grid, waiting}) {
            const auto [begin, end] = blocks_[first_block_[pair]].hops[way];
            if (begin + 1 == end && carried_[hops_[begin]] > 0 &&
                (found == none || (phase(hops_[begin]) > phase(found)) == last))
                found = hops_[begin];
        }
        return found;
    }

    /// Lets the blocks of a pair wait, or lets its direct blocks travel over a neighbor in two messages.
    void redirect(std::size_t pair, Way way, std::array<std::size_t, 2> hops = {})
    {
        for (std::size_t i = first_block_[pair]; i < first_block_[pair + 1]; ++i) {
            if (blocks_[i].way >= waiting || (way == over && blocks_[i].way != directly))
                continue;
            if (way == over)
                std::copy(hops.begin(), hops.end(), &hops_[blocks_[i].hops[over].begin]);
            travel(i, way);
        }
    }

    /// The direct blocks of a pair join a message of the pair `there`, then one of the pair `on`, which may have to
    /// wait.
    void go_over(std::size_t pair, std::size_t there, std::size_t on)
    {
        const std::size_t first = message_of(there, false);
        if (first == none)
            return;
        if (phase(message_of(on, true)) <= phase(first))
            redirect(on, waiting);
        if (const std::size_t last = message_of(on, true); phase(last) > phase(first))
            redirect(pair, over, {first, last});
    }

    /// Tries all neighbors of both ends for the direct blocks of a pair.
    void detour(std::size_t pair)
    {
        constexpr std::size_t steps_of_neighbor = 8;
        const std::size_t rank = blocks_[first_block_[pair]].from;
        for (std::size_t there = first_pair_[rank]; there < first_pair_[rank + 1]; ++there) {
            if (carried_[early(pair)] == 0 || !budget_.take(steps_of_neighbor))
                return;
            if (const std::size_t on = pair_of(to_[there], to_[pair]); on != none)
                is_better_after([&] { go_over(pair, there, on); });
        }
    }

    /// The blocks of a message travel directly or over neighbors, those of its sender first.
    void detour_from(std::size_t message)
    {
        const std::size_t first = changed_.size();
        dissolve(message);
        const std::size_t end = changed_.size();
        for (const bool own : {true, false})
            for (std::size_t i = first; i < end; ++i)
                if (const Block& block = blocks_[changed_[i].first]; (block.from == sender(message)) == own)
                    detour(block.pair);
    }

    /// Undoes a change unless it is better.
    template <typename Change>
    bool is_better_after(const Change& change)
    {
        const ReliefTotals before = totals_;
        const std::size_t first = changed_.size();
        change();
        const bool better = totals_.is_better_than(before);
        for (std::size_t i = changed_.size(); !better && i-- > first;)
            travel(changed_[i].first, changed_[i].second);
        if (!better || first == 0)
            changed_.resize(first);
        return better;
    }

    SearchBudget& budget_; // of detours
    GridSteps grid_steps_;
    std::size_t steps_;        // each process has a message for each
    std::vector<int> carried_; // blocks, by message: the sender's rank and the number of the step; then those of pairs
    std::vector<int> own_;     // those of its sender
    std::vector<Load> loads_;
    std::vector<std::size_t> first_pair_;  // by rank, and the end
    std::vector<int> to_;                  // by pair of processes
    std::vector<std::size_t> first_block_; // by pair, and the end
    std::vector<Block> blocks_;
    std::vector<std::size_t> hops_;
    std::vector<std::size_t> first_member_; // in members_, by message
    std::vector<std::size_t> members_;      // blocks that are in each message of the grid at first
    std::vector<Member> changed_;           // with the way before
    ReliefTotals totals_;
};

} // namespace

bool relieve(PartialGrid& grid, const Lists& destinations, SearchBudget& budget)
{
    constexpr std::size_t steps_of_edge = 18;
    if (grid.without_gain == 0 || !budget.take(static_cast<std::size_t>(grid.edges) * steps_of_edge))
        return grid.messages < grid.merged_messages;
    grid.most = {};
    grid.without_gain = 0;
    for (const Blocks kind : {Blocks::common, Blocks::individual}) {
        SearchBudget part = budget.lend(kind == Blocks::common ? 2 : 1);
        Traffic traffic(grid, kind, destinations, part);
        traffic.limit();
        traffic.detour();
        traffic.tell(grid, kind);
        budget.give_back(part);
        grid.messages = traffic.totals().messages; // alltoall comes last
        grid.volume = traffic.totals().volume;
        grid.combined_edges = traffic.totals().combined;
        grid.add_loads(kind, traffic.loads());
    }
    return grid.messages < grid.merged_messages;
}

} // namespace hopscotch::schedules
