// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#pragma once

#include "shim/clock.hpp"
#include "shim/communicator.hpp"
#include "shim/intercept.hpp"

namespace hopscotch::shim
{

/// Buffer arguments of a regular collective.
struct RegularArguments {
    const void* send_buffer;
    MPI_Count send_count;
    MPI_Datatype send_type;
    void* receive_buffer;
    MPI_Count receive_count;
    MPI_Datatype receive_type;
};

/// Arguments the MPI library should see itself, because it rejects them or treats them in its own way.
bool for_the_library(const RegularArguments& arguments) noexcept;

/// Carries a blocking regular collective over the record's way. Throws: MpiError, std::bad_alloc.
int carry_regular(Communicator& known, Way& way, const BlockLayout& send, const BlockLayout& receive);

/// Adds one call to the way's counters. `block_bytes`: of each of the way's blocks.
void count(Way& way, std::uint64_t trivial_messages, std::uint64_t begin, std::size_t block_bytes, int code) noexcept;

/// A call on `comm` that the native function carries for a fixed reason, counted.
template <class Native>
int passed_on(Call call, MPI_Comm comm, const char* reason, Native&& native) noexcept
{
    if (!runtime().active)
        return native();
    const std::uint64_t begin = ticks();
    Communicator* const known = find_communicator(comm);
    const int code = native();
    return guarded(comm, [&] {
        if (known == nullptr)
            count_unknown(call, ticks() - begin, code != MPI_SUCCESS);
        else
            count(known->native_way(call, known->graph().unusable.empty() ? reason : known->graph().unusable),
                  known->trivial_messages(), begin, 0, code);
        return code;
    });
}

/// A blocking alltoall or allgather.
template <class Native>
int regular_call(Call call, Collective collective, MPI_Comm comm, const RegularArguments& arguments,
                 Native&& native) noexcept
{
    if (!runtime().active)
        return native();
    const std::uint64_t begin = ticks();
    Communicator* const known = find_communicator(comm);
    if (known == nullptr || for_the_library(arguments))
        return passed_on(call, comm, "arguments left to the MPI library", native);
    return guarded(comm, [&] {
        const bool gather = collective == Collective::allgather;
        const BlockLayout send =
            gather ? BlockLayout::single(arguments.send_buffer, arguments.send_count, arguments.send_type)
                   : BlockLayout::regular(arguments.send_buffer, arguments.send_count, arguments.send_type);
        const BlockLayout receive =
            BlockLayout::regular(arguments.receive_buffer, arguments.receive_count, arguments.receive_type);
        Way& way = known->way(call, collective, Completion::blocking, send.block_bytes());
        int code = MPI_SUCCESS;
        if (way.regular == nullptr)
            code = native();
        else
            code = carry_regular(*known, way, send, receive);
        count(way, known->trivial_messages(), begin, send.block_bytes(), code);
        if (code != MPI_SUCCESS && way.regular != nullptr)
            throw MpiError{code};
        return code;
    });
}

} // namespace hopscotch::shim
