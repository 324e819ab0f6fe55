// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts communicators that went away without a call, by the site that makes them: the next ones are set up later.
#include "shim/graph/lazy_set_up.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/mpi/threads.hpp"

#include <map>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

struct Site {
    std::int64_t gone = 0;
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

} // namespace

void note_use(std::uint64_t site) noexcept
{
    change(site, [](Site& known) { known.used = true; });
}

void note_end(std::uint64_t site) noexcept
{
    change(site, [](Site& known) { ++known.gone; });
}

std::int64_t unused_so_far(std::uint64_t site)
{
    Sites& all = immortal<Sites>();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_number.find(site);
    return found != all.by_number.end() && !found->second.used ? found->second.gone : 0;
}

} // namespace hopscotch::shim
