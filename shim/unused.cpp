// Counts communicators that went away without a call, by the place in the program that makes them.
#include "shim/unused.hpp"

#include <map>
#include <mutex>
#include <new>

namespace hopscotch::shim
{

namespace
{

struct Places {
    std::mutex mutex;
    std::map<std::uint64_t, std::int64_t> unused_in_a_row;
};

Places& places()
{
    static auto* all = new Places;
    return *all;
}

} // namespace

void note_end(std::uint64_t place, bool used) noexcept
{
    Places& all = places();
    const std::lock_guard<std::mutex> lock(all.mutex);
    try {
        std::int64_t& unused = all.unused_in_a_row[place];
        unused = used ? 0 : unused + 1;
    } catch (const std::bad_alloc&) {
        // The next one is set up at once.
    }
}

std::int64_t unused_in_a_row(std::uint64_t place)
{
    Places& all = places();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.unused_in_a_row.find(place);
    return found != all.unused_in_a_row.end() ? found->second : 0;
}

} // namespace hopscotch::shim
