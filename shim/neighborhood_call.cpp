// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#include "shim/neighborhood_call.hpp"

#include "shim/callsite.hpp"

#include <mutex>

namespace hopscotch::shim
{

void count_site(Way& way, const std::vector<void*>& place, std::uint64_t calls, std::uint64_t elapsed) noexcept
{
    static std::mutex mutex; // several threads may wait for requests of one way
    const std::lock_guard<std::mutex> lock(mutex);
    try {
        SiteTicks& site = way.sites[&place];
        site.calls += calls;
        site.ticks += elapsed;
    } catch (const std::bad_alloc&) {
        // A call less in the list of places.
    }
}

int carry(const Communicator& known, Exchange& exchange, const Layouts& layouts)
{
    exchange.begin(layouts.send, layouts.receive);
    wait(exchange, known.group()->yields());
    return exchange.error();
}

void count_completed(const Communicator& known, Way& way, const Exchange& exchange, std::uint64_t elapsed,
                     int code) noexcept
{
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += exchange.messages_sent();
    counters.bytes += exchange.bytes_sent();
    counters.bytes_saved += exchange.bytes_saved();
    counters.messages_trivial += known.trivial_messages(way.call);
    counters.ticks += elapsed;
}

void count(const Communicator& known, Way& way, std::uint64_t begin, std::size_t block_bytes, int code) noexcept
{
    if (!counting())
        return;
    const std::uint64_t elapsed = ticks() - begin;
    if (runtime().settings.callsites == Callsites::call)
        count_site(way, known_call_site(), 1, elapsed);
    if (way.exchange != nullptr)
        return count_completed(known, way, *way.exchange, elapsed, code);
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    const std::uint64_t messages = known.trivial_messages(way.call);
    counters.messages += messages;
    counters.bytes += messages * block_bytes;
    counters.messages_trivial += messages;
    counters.ticks += elapsed;
}

} // namespace hopscotch::shim
