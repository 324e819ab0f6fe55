// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#include "shim/neighborhood_call.hpp"

namespace hopscotch::shim
{

bool for_the_library(const RegularArguments& arguments) noexcept
{
    return arguments.send_buffer == MPI_IN_PLACE || arguments.receive_buffer == MPI_IN_PLACE ||
           arguments.send_count < 0 || arguments.receive_count < 0 || arguments.send_type == MPI_DATATYPE_NULL ||
           arguments.receive_type == MPI_DATATYPE_NULL;
}

int carry_regular(Communicator& known, Way& way, const BlockLayout& send, const BlockLayout& receive)
{
    way.regular->begin(send, receive);
    wait(*way.regular, known.group()->yields());
    return way.regular->error();
}

void count(Way& way, std::uint64_t trivial_messages, std::uint64_t begin, std::size_t block_bytes, int code) noexcept
{
    if (!counting())
        return;
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.bytes += way.volume * block_bytes;
    counters.messages += way.messages;
    counters.messages_trivial += trivial_messages;
    counters.ticks += ticks() - begin;
}

} // namespace hopscotch::shim
