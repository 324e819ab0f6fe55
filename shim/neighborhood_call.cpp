// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#include "shim/neighborhood_call.hpp"

namespace hopscotch::shim
{

int carry(const Communicator& known, Exchange& exchange, const Layouts& layouts)
{
    exchange.begin(layouts.send, layouts.receive);
    wait(exchange, known.group()->yields());
    return exchange.error();
}

void count(const Communicator& known, Way& way, std::uint64_t begin, std::size_t block_bytes, int code) noexcept
{
    if (!counting())
        return;
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    const bool ours = way.exchange != nullptr;
    counters.messages += ours ? way.exchange->messages_sent() : known.trivial_messages();
    counters.bytes += ours ? way.exchange->bytes_sent() : known.trivial_messages() * block_bytes;
    counters.messages_trivial += known.trivial_messages();
    counters.ticks += ticks() - begin;
}

} // namespace hopscotch::shim
