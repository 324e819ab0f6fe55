// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/split.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace hopscotch::schedules
{

namespace
{

using Words = std::vector<std::vector<int>>; // by shift and phase

/// The rounds of each phase, distributed as evenly as possible: then the phases have the most words.
std::vector<int> dealt_out(int rounds, int phases)
{
    std::vector<int> result(static_cast<std::size_t>(phases), rounds / phases);
    std::fill_n(result.rbegin(), rounds % phases, rounds / phases + 1);
    return result;
}

/// Looks for steps of which the words are all numbers from low <= 0 to high >= 0, and for the shortest word of each
/// shift.
class SplitSearch
{
  public:
    SplitSearch(const std::map<int, int>& blocks_of_shift, int phases)
        : blocks_(blocks_of_shift), steps_(static_cast<std::size_t>(phases))
    {
        const int low = std::min(blocks_.begin()->first, 0);
        const int high = std::max(blocks_.rbegin()->first, 0);
        const int rounds = fewest_rounds(static_cast<long long>(high) - low + 1, phases);
        if (rounds >= static_cast<int>(blocks_.size()) && phases > 1)
            return;
        sizes_ = dealt_out(rounds, phases);
        cover(low, high, steps_.size());
        std::reverse(sizes_.begin(), sizes_.end());
        cover(low, high, steps_.size());
    }

    /// The words of the best split; empty if no split needs fewer rounds than there are shifts.
    Words best;

  private:
    /// The steps of phase `phase` - 1 translate an interval around 0, which the earlier phases cover: as far as that is
    /// wide, or the last one as far as it takes to end at the bound.
    void cover(int low, int high, std::size_t phase)
    {
        if (phase == 0)
            return weigh();
        long long width = 1;
        for (std::size_t p = 0; p + 1 < phase; ++p)
            width = std::min<long long>(width * (sizes_[p] + 1), high - low + 1LL);
        for (int below = 0; below < width && below <= -low && (budget_ > 0 || best.empty()); ++below) {
            const int top = static_cast<int>(std::min<long long>(high, width - 1 - below));
            const int inner = top + below + 1;
            const int left = (-below - low + inner - 1) / inner;
            const int right = (high - top + inner - 1) / inner;
            if (left + right > sizes_[phase - 1])
                continue;
            for (const bool to_the_bound : {false, true}) {
                std::vector<int>& steps = steps_[phase - 1];
                steps.clear();
                for (int i = 1; i <= left; ++i)
                    steps.push_back(to_the_bound && i == left ? low + below : -i * inner);
                for (int i = 1; i <= right; ++i)
                    steps.push_back(to_the_bound && i == right ? high - top : i * inner);
                cover(-below, top, phase - 1);
            }
        }
    }

    /// Keeps the words if they are shorter than the best ones so far.
    void weigh()
    {
        int least = 0;
        int most = 0;
        for (const std::vector<int>& steps : steps_) {
            least += steps.empty() ? 0 : std::min(*std::min_element(steps.begin(), steps.end()), 0);
            most += steps.empty() ? 0 : std::max(*std::max_element(steps.begin(), steps.end()), 0);
        }
        // fewest[p][x]: steps of the first p phases that lead to x + least.
        std::vector<std::vector<int>> fewest(1, std::vector<int>(static_cast<std::size_t>(most - least) + 1, never));
        fewest[0][-least] = 0;
        for (const std::vector<int>& steps : steps_) {
            const std::vector<int> before = fewest.back();
            std::vector<int>& now = fewest.emplace_back(before);
            for (const int step : steps)
                for (int x = std::max(-step, 0); x + std::max(step, 0) <= most - least; ++x)
                    now[x + step] = std::min(now[x + step], before[x] + 1);
            budget_ -= static_cast<int>(steps.size() + 1) * (most - least + 1);
        }
        long long volume = 0;
        for (const auto& [shift, blocks] : blocks_)
            volume += static_cast<long long>(blocks) * fewest.back()[shift - least];
        if (!best.empty() && volume >= volume_)
            return;
        volume_ = volume;
        best.clear();
        for (const auto& [shift, blocks] : blocks_) {
            std::vector<int>& word = best.emplace_back(steps_.size(), 0);
            for (std::size_t p = steps_.size(), x = static_cast<std::size_t>(shift - least); p-- > 0;) {
                if (fewest[p + 1][x] == fewest[p][x])
                    continue;
                word[p] = *std::find_if(steps_[p].begin(), steps_[p].end(), [&](int step) {
                    const int from = static_cast<int>(x) - step;
                    return from >= 0 && from <= most - least && fewest[p][from] + 1 == fewest[p + 1][x];
                });
                x -= static_cast<std::size_t>(word[p]);
            }
        }
    }

    static constexpr int never = std::numeric_limits<int>::max() / 2;

    const std::map<int, int>& blocks_;
    std::vector<int> sizes_; // steps of each phase, at most
    Words steps_;            // those tried now
    long long volume_ = 0;   // of the best
    int budget_ = 1 << 15;   // steps of the search that are left
};

/// The rounds of a process in the phases with steps, for so many blocks of each shift.
std::vector<Load> loads_of(const Words& words, const std::map<int, int>& blocks)
{
    std::vector<Load> loads;
    for (std::size_t p = 0; p < words.front().size(); ++p) {
        std::set<int> steps;
        Load load;
        auto word = words.begin();
        for (const auto& [shift, count] : blocks) {
            const int step = (*word++)[p];
            load.blocks += step != 0 ? count : 0;
            if (step != 0)
                steps.insert(step);
        }
        load.rounds = static_cast<int>(steps.size());
        if (load.rounds > 0)
            loads.push_back(load);
    }
    return loads;
}

/// Words whose steps go in the direction of their shifts.
Words straight(const std::map<int, int>& blocks, int phases)
{
    Words words;
    for (const int sign : {-1, 1}) {
        std::map<int, int> ahead;
        for (const auto& [shift, count] : blocks)
            if (shift * sign > 0)
                ahead[shift * sign] = count;
        if (ahead.empty())
            continue;
        Words found = SplitSearch(ahead, phases).best;
        if (found.empty())
            for (const auto& [shift, count] : ahead) {
                found.emplace_back(static_cast<std::size_t>(phases), 0);
                found.back().front() = shift;
            }
        if (sign < 0)
            std::reverse(found.begin(), found.end());
        for (std::vector<int>& word : found)
            std::transform(word.begin(), word.end(), word.begin(), [sign](int step) { return sign * step; });
        words.insert(words.end(), found.begin(), found.end());
    }
    return words;
}

} // namespace

Load total(const std::vector<Load>& loads) noexcept
{
    Load sum;
    for (const Load& load : loads)
        sum = {sum.rounds + load.rounds, sum.blocks + load.blocks};
    return sum;
}

int fewest_rounds(long long processes, int phases)
{
    if (phases == 1)
        return static_cast<int>(processes - 1);
    for (int rounds = 0;; ++rounds) {
        long long words = 1;
        for (const int steps : dealt_out(rounds, phases))
            words = std::min(words * (steps + 1), processes);
        if (words >= processes)
            return rounds;
    }
}

Split split(const Stencil& stencil, const Topology& topology, int k, int phases)
{
    std::map<int, int> blocks;
    int unit = 0;
    for (const int shift : shifts_along(stencil, k))
        unit = std::gcd(unit, shift);
    for (const int shift : shifts_along(stencil, k))
        if (shift != 0)
            ++blocks[shift / unit];
    Split result;
    if (blocks.empty())
        return result;
    result.words = straight(blocks, phases);
    if (const Words mixed = topology.periodic(k) ? SplitSearch(blocks, phases).best : Words(); !mixed.empty())
        if (total(loads_of(mixed, blocks)) < total(loads_of(result.words, blocks)))
            result.words = mixed;
    for (std::vector<int>& word : result.words)
        for (int& step : word)
            step = topology.canonical_shift(k, step * unit);
    result.loads = loads_of(result.words, blocks);
    for (const auto& [shift, count] : blocks)
        result.shifts.push_back(shift * unit);
    return result;
}

} // namespace hopscotch::schedules
