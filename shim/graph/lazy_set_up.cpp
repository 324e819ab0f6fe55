// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/lazy_set_up.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

namespace hopscotch::shim
{

namespace
{

struct Site {
    std::int64_t gone = 0;
    std::int64_t brief = 0;
    bool used = false;
};

struct Sites {
    std::mutex mutex;
    std::map<std::uint64_t, Site> by_number;
};

template <class Change>
void change(std::uint64_t site, Change&& change_one) noexcept
{
    Sites& all = immortal<Sites>();
    const LockAmongThreads lock(all.mutex);
    try {
        change_one(all.by_number[site]);
    } catch (const NoMemory&) {
        // The next one is set up at once.
    }
}

Site known_of(std::uint64_t site)
{
    Sites& all = immortal<Sites>();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_number.find(site);
    return found != all.by_number.end() ? found->second : Site();
}

/// "11th".
std::string ordinal(std::size_t number)
{
    const std::size_t last = number % 10;
    const bool teen = number / 10 % 10 == 1;
    const char* const ending = teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd";
    return std::to_string(number) + ending;
}

} // namespace

void note_use(std::uint64_t site) noexcept
{
    change(site, [](Site& state) { state.used = true; });
}

void note_lasting_use(std::uint64_t site) noexcept
{
    change(site, [](Site& state) { state.brief = 0; });
}

void note_end(std::uint64_t site, Use use) noexcept
{
    change(site, [use](Site& state) {
        ++state.gone;
        if (use == Use::brief)
            ++state.brief;
        else if (use == Use::lasting)
            state.brief = 0;
    });
}

std::int64_t unused_so_far(std::uint64_t site)
{
    const Site state = known_of(site);
    return state.used ? 0 : state.gone;
}

std::int64_t brief_so_far(std::uint64_t site)
{
    return known_of(site).brief;
}

std::optional<std::size_t> calls_before_set_up(const schedules::Agreement& agreed, const Algorithms& algorithms,
                                               const Settings& settings, bool sends_no_message)
{
    const bool all_choose = std::all_of(algorithms.begin(), algorithms.end(),
                                        [](Algorithm algorithm) { return algorithm == Algorithm::automatic; });
    const bool may_rent = all_choose && !settings.verify && settings.semantics == Semantics::mpi;
    if (settings.set_up_after == std::optional<std::size_t>(0))
        return std::nullopt;
    if (may_rent && settings.set_up_after.has_value())
        return settings.set_up_after;
    if (may_rent && !sends_no_message && -agreed[schedules::Field::brief_before] >= brief_before_lazy)
        return few_calls;
    if (-agreed[schedules::Field::unused_before] >= unused_before_lazy)
        return 0;
    return std::nullopt;
}

schedules::Reason reason_of_rented(std::size_t calls)
{
    if (calls == 0)
        return schedules::reason::waiting;
    return {schedules::reason::rented, "; from the " + ordinal(calls + 1) + " call on Hopscotch carries them"};
}

} // namespace hopscotch::shim
