// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts communicators that went away without a call, by the place in the program that makes them.
#include "shim/graph/lazy_set_up.hpp"

#include "shim/mpi/threads.hpp"

#include <map>
#include <mutex>
#include <new>

namespace hopscotch::shim
{

namespace
{

struct Place {
    std::int64_t gone = 0;
    bool used = false;
};

struct Places {
    std::mutex mutex;
    std::map<std::uint64_t, Place> by_number;
};

Places& places()
{
    static auto* all = new Places;
    return *all;
}

template <class Change>
void change(std::uint64_t place, Change&& change_one) noexcept
{
    Places& all = places();
    const LockAmongThreads lock(all.mutex);
    try {
        change_one(all.by_number[place]);
    } catch (const std::bad_alloc&) {
        // The next one is set up at once.
    }
}

} // namespace

void note_use(std::uint64_t place) noexcept
{
    change(place, [](Place& known) { known.used = true; });
}

void note_end(std::uint64_t place) noexcept
{
    change(place, [](Place& known) { ++known.gone; });
}

std::int64_t unused_so_far(std::uint64_t place)
{
    Places& all = places();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_number.find(place);
    return found != all.by_number.end() && !found->second.used ? found->second.gone : 0;
}

} // namespace hopscotch::shim
