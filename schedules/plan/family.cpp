// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/family.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The options of one set of dimensions: a single phase, or splits. Sets are bit masks.
class Parts
{
  public:
    Parts(const Stencil& stencil, const Topology& topology)
        : along_(route_along(stencil, identity(stencil.dimensions())))
    {
        if (along_.size() > most_dimensions)
            return;
        parts_.resize(std::size_t{1} << along_.size());
        blocks_.resize(parts_.size());
        for (int b = 0; b < stencil.size(); ++b) {
            std::size_t moves = 0;
            for (std::size_t k = 0; k < along_.size(); ++k)
                moves |= along_[k].of_block[b] != along_[k].none ? std::size_t{1} << k : 0;
            ++blocks_[moves];
        }
        group(0, std::vector<int>(static_cast<std::size_t>(stencil.size()), 0), 1, 0);
        for (std::size_t k = 0; k < along_.size() && budget_ >= 0; ++k)
            split_along(stencil, topology, k);
    }

    bool complete() const noexcept { return !parts_.empty() && budget_ >= 0; }
    std::size_t sets() const noexcept { return parts_.size(); }
    const std::vector<Member>& of(std::size_t set) const { return parts_[set]; }

  private:
    static constexpr std::size_t most_dimensions = 6;

    /// Counts the steps of each set made of `set` and dimensions from the k-th on. `number`: of the projection of each
    /// block on the set, one of `numbers`.
    void group(std::size_t set, const std::vector<int>& number, int numbers, std::size_t k)
    {
        for (; k < along_.size(); ++k) {
            const int width = along_[k].distinct.size();
            budget_ -= static_cast<long long>(numbers) * width + static_cast<long long>(number.size());
            if (budget_ < 0)
                return;
            std::vector<int> known(static_cast<std::size_t>(numbers) * static_cast<std::size_t>(width), -1);
            std::vector<int> projection(number.size());
            int count = 0;
            for (std::size_t b = 0; b < number.size(); ++b) {
                int& found = known[number[b] * width + along_[k].of_block[b]];
                found = found < 0 ? count++ : found;
                projection[b] = found;
            }
            const std::size_t both = set | std::size_t{1} << k;
            const int moving = moving_in(both);
            const int unmoved = moving < static_cast<int>(number.size()) ? 1 : 0;
            parts_[both].push_back({{{dimensions_of(both), 1}}, {{count - unmoved, moving}}});
            group(both, projection, count, k + 1);
        }
    }

    std::vector<int> dimensions_of(std::size_t set) const
    {
        std::vector<int> result;
        for (std::size_t k = 0; k < along_.size(); ++k)
            if ((set >> k & 1) != 0)
                result.push_back(along_[k].dimensions.front());
        return result;
    }

    int moving_in(std::size_t set) const
    {
        int count = 0;
        for (std::size_t moves = 0; moves < blocks_.size(); ++moves)
            count += (moves & set) != 0 ? blocks_[moves] : 0;
        return count;
    }

    /// More phases, as long as these make fewer rounds.
    void split_along(const Stencil& stencil, const Topology& topology, std::size_t k)
    {
        const int dimension = along_[k].dimensions.front();
        std::vector<Member>& members = parts_[std::size_t{1} << k];
        std::vector<int> blocks(static_cast<std::size_t>(along_[k].distinct.size()));
        for (const int step : along_[k].of_block)
            ++blocks[step];
        const int extent = topology.periodic(dimension) ? topology.extent(dimension) : 0;
        const auto [known, first] = splits_found_.try_emplace({along_[k].distinct.shifts(), blocks, extent});
        for (int phases = 2; first && phases <= 1 << 5; ++phases) {
            std::vector<Load> loads = split(stencil, topology, dimension, phases).loads;
            if (total(loads).rounds >= (known->second.empty() ? members.front() : known->second.back()).rounds())
                break;
            known->second.push_back({{{{}, phases}}, std::move(loads)});
        }
        for (const Member& found : known->second)
            members.push_back({{{{dimension}, found.groups.front().phases}}, found.loads});
    }

    Routing along_;
    std::vector<int> blocks_; // by the set of dimensions in which they move
    std::vector<std::vector<Member>> parts_;
    std::map<std::tuple<std::vector<int>, std::vector<int>, int>, std::vector<Member>> splits_found_; // splits
    long long budget_ = 1 << 18;
};

/// Adds what a part and a member of the other dimensions are together, unless another member is as good.
void add(std::vector<Member>& members, const Member& part, const Member& rest)
{
    const Load both = total({total(part.loads), total(rest.loads)});
    const int phases = part.phases() + rest.phases();
    if (std::any_of(members.begin(), members.end(), [&](const Member& other) {
            return other.rounds() <= both.rounds && other.phases() <= phases && other.volume() <= both.blocks;
        }))
        return;
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const Member& other) {
                                     return other.rounds() >= both.rounds && other.phases() >= phases &&
                                            other.volume() >= both.blocks;
                                 }),
                  members.end());
    Member& member = members.emplace_back(part);
    member.groups.insert(member.groups.end(), rest.groups.begin(), rest.groups.end());
    member.loads.insert(member.loads.end(), rest.loads.begin(), rest.loads.end());
}

} // namespace

Member paper_member(const Stencil& stencil)
{
    Member member;
    for (const Steps& phase : route_along(stencil, identity(stencil.dimensions()))) {
        member.groups.push_back({phase.dimensions, 1});
        member.loads.push_back(phase.load());
    }
    return member;
}

std::vector<Member> family(const Stencil& stencil, const Topology& topology)
{
    const Parts parts(stencil, topology);
    if (!parts.complete())
        return {paper_member(stencil)};
    std::vector<std::vector<Member>> best(parts.sets()); // of each set of dimensions
    best.front().emplace_back();
    for (std::size_t set = 1; set < best.size(); ++set)
        for (std::size_t first = 1; first <= set; ++first)
            if ((first & ~set) == 0 && (first & set & (~set + 1)) != 0) // the part with the lowest dimension
                for (const Member& part : parts.of(first))
                    for (const Member& rest : best[set ^ first])
                        add(best[set], part, rest);
    std::vector<Member>& result = best.back();
    std::sort(result.begin(), result.end(), [](const Member& a, const Member& b) {
        return std::pair(a.rounds(), a.phases()) < std::pair(b.rounds(), b.phases());
    });
    return result;
}

const std::vector<Group>& wanted_groups(const std::string& wanted, const std::vector<Member>& family)
{
    const Member* best = &family.front();
    for (const Member& member : family)
        if (wanted == "phases" && member.phases() > 1 && member.phases() < best->phases())
            best = &member;
    return best->groups;
}

long long least_volume(int t, int rounds, int phases)
{
    std::vector<long long> ways(1, 1); // by their number of hops
    for (int p = 0; p < phases; ++p) {
        const int steps = rounds / phases + (p < rounds % phases ? 1 : 0);
        ways.push_back(0);
        for (std::size_t h = ways.size(); --h > 0;)
            ways[h] = std::min<long long>(ways[h] + ways[h - 1] * steps, t);
    }
    long long volume = 0;
    for (std::size_t h = 1; h < ways.size() && t > 0; ++h) {
        const int reached = static_cast<int>(std::min<long long>(ways[h], t));
        volume += static_cast<long long>(h) * reached;
        t -= reached;
    }
    return volume;
}

} // namespace hopscotch::schedules
