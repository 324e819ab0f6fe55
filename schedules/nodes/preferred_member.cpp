// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/preferred_member.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/nodes/effort.hpp"
#include "schedules/plan/collective_schedule.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/round_summary.hpp"

#include <algorithm>
#include <limits>

namespace hopscotch::schedules
{

namespace
{

constexpr std::size_t most_priced = std::size_t{1} << 24; // bytes
constexpr std::size_t most_leaves = std::size_t{1} << 14; // of the trees of a family

/// The share of the steps along some dimensions that stays on the node: for all its processes, and for the process with
/// the fewest. Without dimensions it is 1.
struct Remaining {
    double mean = 1;
    double least = 1;
};

Remaining remaining_along(int k, const Stencil& stencil, const Topology& topology, const Nodes& nodes)
{
    const std::vector<int> shifts = distinct_shifts(stencil, k);
    const int node = nodes.of_rank[middle(topology)];
    const std::vector<int>& ranks = nodes.ranks[node];
    const auto steps = static_cast<double>(shifts.size() + 1);
    Remaining result{0, 1};
    for (const int rank : ranks) {
        const auto stay = std::count_if(shifts.begin(), shifts.end(), [&](int shift) {
            const int other = topology.shifted(rank, k, shift);
            return other != no_rank && nodes.of_rank[other] == node;
        });
        const double share = static_cast<double>(stay + 1) / steps;
        result.mean += share / static_cast<double>(ranks.size());
        result.least = std::min(result.least, share);
    }
    return result;
}

/// The members of a family with their efforts on one node.
class Prices
{
  public:
    Prices(Blocks blocks, const Topology& topology, const Stencil& stencil, const Nodes& nodes, const Network& network)
        : blocks_(blocks), topology_(topology), stencil_(stencil), network_(network),
          processes_(static_cast<double>(nodes.ranks[nodes.of_rank[middle(topology)]].size()))
    {
        for (int k = 0; k < stencil.dimensions(); ++k)
            along_.push_back(remaining_along(k, stencil, topology, nodes));
    }

    /// By these groups; none: the paper's.
    Routing routing_by(const std::vector<Group>& groups) const
    {
        return combining_routing(blocks_, topology_, stencil_, groups);
    }

    std::vector<Effort> efforts_of(const Routing& routing) const
    {
        std::vector<Load> loads;
        if (blocks_ == Blocks::common)
            loads = tree_loads(routing, stencil_.size());
        else
            for (const Steps& phase : routing)
                loads.push_back(phase.load());
        std::vector<Effort> result;
        for (std::size_t phase = 0; phase < routing.size(); ++phase)
            result.push_back(effort(loads[phase], routing[phase].dimensions));
        return result;
    }

    /// The efforts of a member by its loads, without a look at the blocks, of which none is common.
    std::vector<Effort> efforts_of(const Member& member) const
    {
        if (blocks_ == Blocks::common)
            return efforts_of(routing_by(member.groups));
        std::vector<Effort> result;
        auto load = member.loads.begin();
        for (const Group& group : member.groups)
            for (int phase = 0; phase < group.phases && load != member.loads.end(); ++phase)
                result.push_back(effort(*load++, group.dimensions));
        return result;
    }

    double seconds(const std::vector<Effort>& efforts, std::size_t bytes) const
    {
        return predicted_seconds(efforts, static_cast<double>(bytes), network_);
    }

  private:
    Effort effort(const Load& load, const std::vector<int>& dimensions) const
    {
        Remaining remaining;
        for (const int k : dimensions)
            remaining = {remaining.mean * along_[k].mean, remaining.least * along_[k].least};
        const double leaving = std::min((load.rounds + 1) * (1 - remaining.mean), load.rounds * 1.0);
        const double most = std::min((load.rounds + 1) * (1 - remaining.least), load.rounds * 1.0);
        const double copies = load.blocks > load.rounds ? 1 : 1 - leaving / load.rounds;
        return {most, most, 2 * (load.rounds - leaving), 2 * load.blocks * copies,
                load.blocks * leaving / load.rounds * processes_};
    }

    Blocks blocks_;
    const Topology& topology_;
    const Stencil& stencil_;
    std::vector<Remaining> along_; // by dimension
    Network network_;
    double processes_; // of the node
};

struct Priced {
    std::vector<Group> groups; // none: the paper's
    std::vector<Effort> efforts;
};

/// The fastest of some for blocks of so many bytes; of several the first.
const Priced& fastest(const std::vector<Priced>& some, std::size_t bytes, const Prices& prices)
{
    return *std::min_element(some.begin(), some.end(), [&](const Priced& a, const Priced& b) {
        return prices.seconds(a.efforts, bytes) < prices.seconds(b.efforts, bytes);
    });
}

/// The sum over sizes of the time saved, relative to its own; 0 if it is a twentieth of it nowhere.
double gain(const Priced& member, const std::vector<Priced>& others, const Prices& prices)
{
    double sum = 0;
    double most = 0;
    for (std::size_t bytes = 1; bytes <= most_priced; bytes *= 2) {
        const double before = prices.seconds(fastest(others, bytes, prices).efforts, bytes);
        const double saved = before / prices.seconds(member.efforts, bytes) - 1;
        sum += std::max(saved, 0.0);
        most = std::max(most, saved);
    }
    return most < 0.05 ? 0 : sum;
}

/// Adds the member that gains most over the others, of those with or without splits; none, if none gains.
void add_best(std::vector<Priced>& others, const std::vector<Member>& family, bool with_splits, const Prices& prices)
{
    Priced best;
    double most = 0;
    for (const Member& member : family) {
        if (member.phases() < 2 || splits(member.groups) != with_splits)
            continue;
        Priced priced{member.groups, prices.efforts_of(member)};
        const double gained = gain(priced, others, prices);
        if (gained > most)
            best = std::move(priced);
        most = std::max(most, gained);
    }
    if (most > 0)
        others.push_back(std::move(best));
}

/// The last size between two up to which `one` is as fast as `other`. Requires: it is at `low`.
std::size_t as_fast_up_to(std::size_t low, std::size_t high, const Priced& one, const Priced& other,
                          const Prices& prices)
{
    while (high - low > 1) {
        const std::size_t bytes = low + (high - low) / 2;
        (prices.seconds(one.efforts, bytes) <= prices.seconds(other.efforts, bytes) ? low : high) = bytes;
    }
    return low;
}

} // namespace

std::vector<PreferredMember> preferred_members(Blocks blocks, const std::vector<Member>& family,
                                               const Topology& topology, const Stencil& stencil, const Nodes& nodes,
                                               const Network& network)
{
    if (blocks == Blocks::common && family.size() * static_cast<std::size_t>(stencil.size()) > most_leaves)
        return {{std::numeric_limits<std::size_t>::max(), {}}};
    const Prices prices(blocks, topology, stencil, nodes, network);
    std::vector<Priced> kept = {{{}, prices.efforts_of(prices.routing_by({}))}};
    for (const Member& member : family)
        if (member.phases() == 1)
            kept.push_back({member.groups, prices.efforts_of(member)});
    // For a tree the node from which most blocks leave differs much from the middle one.
    if (blocks == Blocks::individual || nodes.count() == topology.size())
        add_best(kept, family, false, prices);
    add_best(kept, family, true, prices);
    kept.erase(std::remove_if(kept.begin() + 1, kept.end(), [](const Priced& one) { return one.efforts.size() == 1; }),
               kept.end());
    std::vector<PreferredMember> result;
    const Priced* now = &fastest(kept, 1, prices);
    for (std::size_t bytes = 2; bytes <= most_priced; bytes *= 2) {
        const Priced* const next = &fastest(kept, bytes, prices);
        if (next != now)
            result.push_back({as_fast_up_to(bytes / 2, bytes, *now, *next, prices), now->groups});
        now = next;
    }
    result.push_back({std::numeric_limits<std::size_t>::max(), now->groups});
    return result;
}

std::size_t members_pay_up_to(Blocks blocks, const std::vector<PreferredMember>& preferred, const Topology& topology,
                              const Stencil& stencil, const Nodes& nodes, const Network& network)
{
    const Prices prices(blocks, topology, stencil, nodes, network);
    const Priced direct{{}, prices.efforts_of(prices.routing_by({{identity(stencil.dimensions())}}))};
    std::size_t result = 0;
    std::size_t low = 1;
    for (const PreferredMember& one : preferred) {
        const Priced member{one.groups, prices.efforts_of(prices.routing_by(one.groups))};
        for (; low <= std::min(one.most_bytes, most_priced); low *= 2)
            if (prices.seconds(member.efforts, low) <= prices.seconds(direct.efforts, low))
                result = as_fast_up_to(low, 2 * low, member, direct, prices);
    }
    return result;
}

std::size_t splits_pay_up_to(Blocks blocks, const std::vector<PreferredMember>& preferred, int most_neighbors,
                             const Topology& topology, const Stencil& stencil, const Nodes& nodes,
                             const Network& network)
{
    if (std::none_of(preferred.begin(), preferred.end(), [](const auto& one) { return splits(one.groups); }))
        return 0;
    const auto saves = [most_neighbors](const Routing& routing) {
        int rounds = 0;
        for (const Steps& phase : routing)
            rounds += phase.load().rounds;
        return rounds < most_neighbors;
    };
    const Prices prices(blocks, topology, stencil, nodes, network);
    const std::vector<Effort> direct = prices.efforts_of(prices.routing_by({{identity(stencil.dimensions())}}));
    std::size_t result = 0;
    std::size_t low = 1;
    for (const PreferredMember& one : preferred) {
        const Routing routing = splits(one.groups) ? prices.routing_by(one.groups) : Routing();
        const std::vector<Effort> efforts = splits(one.groups) && saves(routing) ? prices.efforts_of(routing) : direct;
        for (; low <= std::min(one.most_bytes, most_priced); low *= 2)
            if (prices.seconds(efforts, low) < prices.seconds(direct, low))
                result = low;
    }
    return result;
}

} // namespace hopscotch::schedules
