// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes blocks of others off the processes that would send more messages with a partial grid than without.
#include "schedules/irregular/relief.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Lists = std::vector<std::vector<int>>;

constexpr int directly = -1; // no way of the grid
constexpr int most_ways = 2;

/// The steps of a stencil's blocks: in order, or along the first dimension last. A step is a shift along one dimension.
struct Ways {
    struct Step {
        int k;
        int shift;
        std::size_t number; // of this shift in this phase
    };
    std::array<std::vector<std::vector<Step>>, most_ways> of_offset;
    std::vector<std::size_t> later; // by number: how much greater that of the same step in the last phase is; 0: none
    std::vector<int> repeats;       // earlier offsets alike
    std::size_t numbers = 0;

    /// Earlier offsets like this one; -1 after the last offset.
    int repeats_of(int b) const
    {
        return static_cast<std::size_t>(b) < repeats.size() ? repeats[static_cast<std::size_t>(b)] : -1;
    }

    /// True if the first step may be the last instead.
    bool differ(std::size_t b) const
    {
        return !of_offset[1].empty() && of_offset[0][b].front().number != of_offset[1][b].front().number;
    }

    Ways(const Stencil& stencil, const std::vector<int>& dimension_order)
    {
        const int d = stencil.dimensions();
        std::map<std::pair<int, int>, std::size_t> seen; // by phase and shift
        constexpr int most_dimensions = 4;               // real ones; a search for others is too long
        for (int way = 0; way < (d > 1 && d <= most_dimensions ? most_ways : 1); ++way)
            for (int b = 0; b < stencil.size(); ++b) {
                std::vector<Step>& steps = of_offset[static_cast<std::size_t>(way)].emplace_back();
                for (int phase = way; phase < way + d; ++phase) {
                    const int k = dimension_order[static_cast<std::size_t>(phase % d)];
                    if (const int shift = stencil.shift(b, k); shift != 0)
                        steps.push_back({k, shift, seen.try_emplace({phase, shift}, seen.size()).first->second});
                }
            }
        numbers = seen.size();
        later.assign(numbers, 0);
        for (const auto& [step, number] : seen)
            if (const auto found = seen.find({step.first + d, step.second}); found != seen.end())
                later[number] = found->second - number;
        for (int b = 0; b < stencil.size(); ++b)
            repeats.push_back(b > 0 && std::equal(stencil.offset(b), stencil.offset(b) + d, stencil.offset(b - 1))
                                  ? repeats.back() + 1
                                  : 0);
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
    Traffic(const PartialGrid& grid, Blocks kind, const Lists& destinations, SearchBudget& budget)
        : grid_(grid), budget_(budget), ways_(grid.stencil, order_of(grid, kind)), first_offset_(first_offsets(grid)),
          steps_(ways_.numbers), carried_(destinations.size() * steps_), own_(carried_.size()),
          loads_(destinations.size())
    {
        for (std::size_t rank = 0; rank < destinations.size(); ++rank)
            add_process(rank, destinations[rank]);
        sort_by_message();
        for (std::size_t block = 0; block < blocks_.size(); ++block)
            if (grid.combines(kind, static_cast<int>(blocks_[block].from), blocks_[block].offset))
                travel(block, 0);
    }

    /// Lets blocks travel directly, or another way, if that is better for all together.
    void improve()
    {
        bool any = true;
        for (int round = 0; any && round < most_rounds; ++round) {
            any = false;
            for (std::size_t message = 0; message < carried_.size(); ++message)
                if (only_forwards(message))
                    any = is_better_after([&] { dissolve(message); }) || any;
                else if (is_missed(message))
                    any = is_better_after([&] { delay_from(message); }) || any;
            for (std::size_t block = 0; block < blocks_.size(); ++block)
                for (int way = 0; way < most_ways && blocks_[block].way == directly; ++way)
                    if (is_free(blocks_[block], way))
                        any = is_better_after([&] { travel(block, way); }) || any;
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

    /// The number of ways in use.
    int ways() const
    {
        const auto is_later = [](const Block& block) { return block.way == 1; };
        return std::any_of(blocks_.begin(), blocks_.end(), is_later) ? 2 : 1;
    }

    /// As in PartialGrid.
    std::vector<bool> combined(int ways) const
    {
        const int offsets = grid_.stencil.size();
        std::vector<bool> result(loads_.size() * static_cast<std::size_t>(ways * offsets));
        for (const Block& block : blocks_)
            if (block.way != directly)
                result[block.from * static_cast<std::size_t>(ways * offsets) +
                       static_cast<std::size_t>(block.way * offsets + block.offset)] = true;
        return result;
    }

  private:
    static constexpr int no_offset = -1;
    static constexpr int most_rounds = 4; // few blocks change after the second

    struct Block {
        std::size_t from;
        std::size_t pair;
        int offset;
        std::array<std::size_t, most_ways + 1> hops; // of way w: from hops[w] up to hops[w + 1]; each names the message
        int way = directly;
    };

    using Load = PartialGrid::Load;
    using Member = std::pair<std::size_t, int>; // a block and a way

    static std::vector<int> order_of(const PartialGrid& grid, Blocks kind)
    {
        return kind == Blocks::common ? grid.gather_order : identity(grid.stencil.dimensions());
    }

    /// Messages of a process beyond those without the grid.
    static int beyond(const Load& load) noexcept
    {
        return load.has_many_neighbors() ? std::max(load.messages - load.merged_messages, 0) : 0;
    }

    void add_process(std::size_t rank, const std::vector<int>& list)
    {
        const std::vector<int> others = distinct_others(list, static_cast<int>(rank));
        const std::size_t first_pair = direct_.size();
        const auto pair_with = [&](int to) {
            return first_pair +
                   static_cast<std::size_t>(std::lower_bound(others.begin(), others.end(), to) - others.begin());
        };
        direct_.resize(first_pair + others.size());
        loads_[rank].merged_messages = static_cast<int>(others.size());
        for (const int to : list)
            if (to != no_rank && to != static_cast<int>(rank))
                change(rank, direct_[pair_with(to)], 1);
        loads_[rank].edges = loads_[rank].volume;
        for (const int to : others) {
            const std::size_t pair = pair_with(to);
            const int first = first_offset_[static_cast<std::size_t>(cell_between(rank, static_cast<std::size_t>(to)))];
            for (int i = 0; first != no_offset && i < direct_[pair] && ways_.repeats_of(first + i) == i; ++i) {
                const auto offset = static_cast<std::size_t>(first + i);
                Block block{rank, pair, first + i, {hops_.size()}};
                add_hops(rank, ways_.of_offset[0][offset]);
                block.hops[1] = hops_.size();
                if (ways_.differ(offset))
                    add_hops(rank, ways_.of_offset[1][offset]);
                block.hops[2] = hops_.size();
                blocks_.push_back(block);
            }
        }
    }

    /// The cell that lies from cell 0 as one process from another.
    int cell_between(std::size_t from, std::size_t to) const
    {
        std::vector<int> here(static_cast<std::size_t>(grid_.cells.dimensions()));
        std::vector<int> there(here.size());
        grid_.cells.coordinates(grid_.cell_of_rank[from], here.data());
        grid_.cells.coordinates(grid_.cell_of_rank[to], there.data());
        std::transform(there.begin(), there.end(), here.begin(), there.begin(), std::minus<>());
        return grid_.cells.reduce(there.data());
    }

    /// The first offset to each cell from cell 0.
    static std::vector<int> first_offsets(const PartialGrid& grid)
    {
        std::vector<int> result(static_cast<std::size_t>(grid.cells.size()), no_offset);
        const int d = grid.stencil.dimensions();
        for (int b = grid.stencil.size(); b-- > 0;) {
            std::vector<int> offset(grid.stencil.offset(b), grid.stencil.offset(b) + d);
            result[static_cast<std::size_t>(grid.cells.reduce(offset.data()))] = b;
        }
        return result;
    }

    /// Adds the messages on a way unless a cell on it is empty.
    void add_hops(std::size_t from, const std::vector<Ways::Step>& steps)
    {
        const std::size_t first = hops_.size();
        int cell = grid_.cell_of_rank[from];
        for (const Ways::Step& step : steps) {
            const int at = grid_.rank_of_cell[static_cast<std::size_t>(cell)];
            if (at == no_rank) {
                hops_.resize(first);
                return;
            }
            hops_.push_back(static_cast<std::size_t>(at) * steps_ + step.number);
            cell = grid_.cells.moved(cell, step.k, step.shift);
        }
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
            for (int way = 0; way < most_ways; ++way)
                for (std::size_t hop = blocks_[block].hops[way]; hop < blocks_[block].hops[way + 1]; ++hop)
                    members_[next[hops_[hop]]++] = {block, way};
    }

    bool only_forwards(std::size_t message) const noexcept { return carried_[message] > 0 && own_[message] == 0; }

    /// True if each process on this way sends the message in any case.
    bool is_free(const Block& block, int way) const
    {
        const auto hop = hops_.begin();
        const auto first = hop + static_cast<std::ptrdiff_t>(block.hops[way]);
        const auto last = hop + static_cast<std::ptrdiff_t>(block.hops[way + 1]);
        return first != last && std::all_of(first, last, [this](std::size_t message) { return carried_[message] > 0; });
    }

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

    void count(const Block& block, int blocks)
    {
        if (block.way == directly) {
            change(block.from, direct_[block.pair], blocks);
            return;
        }
        const std::size_t first = block.hops[block.way];
        for (std::size_t hop = first; hop < block.hops[block.way + 1]; ++hop) {
            const std::size_t message = hops_[hop];
            own_[message] += hop == first ? blocks : 0;
            change(message / steps_, carried_[message], blocks);
        }
        totals_.combined += blocks;
    }

    void travel(std::size_t block, int way)
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
            if (const auto [block, way] = members_[i]; blocks_[block].way == way)
                travel(block, directly);
    }

    /// True if the same step in the last phase would serve others, and steps are left to try that.
    bool is_missed(std::size_t message)
    {
        const std::size_t later = message + ways_.later[message % steps_];
        if (later == message || own_[message] == 0 || budget_.left() == 0)
            return false;
        const auto first = members_.begin() + static_cast<std::ptrdiff_t>(first_member_[later]);
        const auto last = members_.begin() + static_cast<std::ptrdiff_t>(first_member_[later + 1]);
        return carried_[later] > 0 ||
               std::any_of(first, last, [this](const Member& member) { return blocks_[member.first].way == directly; });
    }

    std::size_t members_of(std::size_t message) const noexcept
    {
        return first_member_[message + 1] - first_member_[message];
    }

    /// The sender's blocks in a message of the first dimension make this step last, or travel directly. Blocks of
    /// others that travel directly may then come with them. Returns the messages that would take others of them along
    /// if they were delayed, too.
    std::vector<std::size_t> delay(std::size_t message)
    {
        const std::size_t later = message + ways_.later[message % steps_];
        std::vector<std::size_t> next;
        for (std::size_t i = first_member_[message]; i < first_member_[message + 1]; ++i) {
            const auto [block, way] = members_[i];
            if (blocks_[block].way != way)
                continue;
            const auto& hops = blocks_[block].hops;
            travel(block, hops[1] + 1 == hops[2] || is_free(blocks_[block], 1) ? 1 : directly);
            if (blocks_[block].way == directly && hops[1] < hops[2])
                next.push_back(hops_[hops[2] - 1] - ways_.later[message % steps_]);
        }
        for (std::size_t i = first_member_[later]; i < first_member_[later + 1]; ++i)
            if (const auto [block, way] = members_[i]; blocks_[block].way == directly && is_free(blocks_[block], way))
                travel(block, way);
        return next;
    }

    /// Delays a message, and those that follow from it, until that is better.
    void delay_from(std::size_t message)
    {
        const Totals before = totals_;
        std::vector<std::size_t> next{message};
        const auto effort = [this](std::size_t one) {
            const auto steps_of_block = 2 * static_cast<std::size_t>(grid_.cells.dimensions()) + 2;
            return steps_of_block * (members_of(one) + members_of(one + ways_.later[one % steps_]));
        };
        for (std::size_t i = 0; i < next.size() && !totals_.is_better_than(before) && budget_.take(effort(next[i]));
             ++i)
            for (const std::size_t another : delay(next[i]))
                next.push_back(another);
    }

    /// Undoes a change unless it is better.
    template <typename Change>
    bool is_better_after(const Change& change)
    {
        const Totals before = totals_;
        changed_.clear();
        change();
        if (totals_.is_better_than(before))
            return true;
        const std::vector<Member> changed = std::move(changed_);
        std::for_each(changed.rbegin(), changed.rend(),
                      [this](const Member& member) { travel(member.first, member.second); });
        return false;
    }

    const PartialGrid& grid_;
    SearchBudget& budget_; // of delays
    Ways ways_;
    std::vector<int> first_offset_; // by cell
    std::size_t steps_;
    std::vector<int> carried_; // blocks, by message: the sender's rank and the number of the step
    std::vector<int> own_;     // those of its sender
    std::vector<Load> loads_;
    std::vector<int> direct_; // blocks that travel directly, by pair of processes
    std::vector<Block> blocks_;
    std::vector<std::size_t> hops_;
    std::vector<std::size_t> first_member_; // in members_, by message
    std::vector<Member> members_;           // of each message, if they travel so
    std::vector<Member> changed_;           // with the way before
    Totals totals_;
};

} // namespace

bool relieve(PartialGrid& grid, const Lists& destinations, SearchBudget& budget)
{
    constexpr std::size_t steps_of_edge = 18;
    if (grid.without_gain == 0 || !budget.take(static_cast<std::size_t>(grid.edges) * steps_of_edge))
        return grid.messages < grid.merged_messages;
    grid.most = {};
    grid.without_gain = 0;
    std::vector<Traffic> traffic;
    for (const Blocks kind : {Blocks::individual, Blocks::common}) {
        traffic.emplace_back(grid, kind, destinations, budget);
        traffic.back().improve();
        traffic.back().limit();
    }
    grid.ways = std::max(traffic[0].ways(), traffic[1].ways());
    for (const Blocks kind : {Blocks::individual, Blocks::common}) {
        const Traffic& found = traffic[static_cast<std::size_t>(kind)];
        grid.combined[static_cast<std::size_t>(kind)] = found.combined(grid.ways);
        grid.add_loads(kind, found.loads());
    }
    grid.messages = traffic[0].totals().messages;
    grid.volume = traffic[0].totals().volume;
    grid.combined_edges = traffic[0].totals().combined;
    return grid.messages < grid.merged_messages;
}

} // namespace hopscotch::schedules
