// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#pragma once

#include "shim/base/clock.hpp"
#include "shim/call/communicator.hpp"
#include "shim/mpi/guarded.hpp"
#include "shim/mpi/runtime.hpp"

#include <functional>

namespace hopscotch::shim
{

/// The two buffers of a call as blocks.
struct Layouts {
    BlockLayout send;
    BlockLayout receive;

    /// As BlockLayout::keep.
    void keep()
    {
        send.keep();
        receive.keep();
    }
};

/// The arguments of a call: its blocks, of which only the graph says how many there are.
template <class Make>
struct CallLayouts {
    MPI_Count send_count; // of every block; 0 where they are not all alike
    MPI_Datatype send_type;
    Make make; // Layouts of a const Graph&

    Layouts operator()(const Graph& graph) const { return make(graph); }

    /// Of every block, as far as that can be said without looking at them. Requires: the MPI library took them. Throws:
    /// MpiError, std::bad_alloc.
    std::size_t sent_block_bytes() const
    {
        return send_count == 0 ? 0 : static_cast<std::size_t>(send_count) * type_map(send_type)->size;
    }
};

template <class Make>
CallLayouts(MPI_Count, MPI_Datatype, Make) -> CallLayouts<Make>;

/// Why calls pass whose arguments the MPI library should see itself.
constexpr const char left_to_the_library[] = "arguments left to the MPI library";

/// Fruitless looks at a call between two questions whether it can end at all.
constexpr unsigned looks_per_question = 64;

/// Carries a blocking call over the way's exchange and waits for it. The job ends where a neighbor turns out to carry
/// it in another way. `block_bytes`: of a regular call. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] int carry(Communicator& known, Way& way, Collective collective, std::size_t block_bytes,
                       const Layouts& layouts);

/// To be asked now and then while a call has not ended: the job ends where a neighbor turns out to carry it in another
/// way. Throws: MpiError.
[[gnu::cold]] void look_for_deviation(Communicator& known, Call function, WaitingCall& call);

/// Adds one call, begun at time stamp `begin`, to the way's counters. `block_bytes`: of each block of a call that the
/// native function carried, as far as it is known.
[[gnu::hot]] void count(Way& way, std::uint64_t begin, std::size_t block_bytes, int code) noexcept;

/// The same for a call that the native function carried, and how long it took.
[[gnu::hot]] void count_native(Way& way, std::uint64_t elapsed, std::size_t block_bytes, int code) noexcept;

/// The call itself, as count_native counts it, without its time and place.
void add_native_call(Way& way, std::size_t block_bytes, int code) noexcept;

/// The same for an operation that completed later, `elapsed` ticks of which the program spent in MPI.
[[gnu::hot]] void count_completed(Way& way, const Exchange& exchange, std::uint64_t elapsed, int code) noexcept;

/// Adds to the calls from one place of the program, and to the time they took.
void count_site(Way& way, const std::vector<void*>& place, std::uint64_t calls, std::uint64_t elapsed) noexcept;

/// A blocking call of ours under HOPSCOTCH_VERIFY: carried a second time by the library's function, or by messages
/// where that is known to be wrong, and compared. Throws: MpiError where ours fails, std::bad_alloc.
int verified_call(Communicator& known, Way& way, Collective collective, std::uint64_t begin, std::size_t block_bytes,
                  const Layouts& blocks, const std::function<int()>& native);

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
            count_unknown(call, comm, ticks() - begin, code != MPI_SUCCESS);
        else
            count(known->passed_way(call, reason), begin, 0, code);
        return code;
    });
}

/// Runs body, which carries a call. One with wrong arguments goes on to the library by `pass`, which says what is
/// wrong.
template <class Pass, class Body>
int guarded_or(MPI_Comm comm, Pass&& pass, Body&& body) noexcept
{
    return guarded(comm, [&] {
        try {
            return static_cast<int>(body());
        } catch (const WrongArgument&) {
            return static_cast<int>(pass());
        }
    });
}

/// Bytes of each block that a call on a way that passes has sent. Throws: MpiError, std::bad_alloc.
template <class MakeLayouts>
std::size_t passed_block_bytes(const Way& way, MakeLayouts&& layouts, int code)
{
    const bool sends = way.trivial_messages != 0 && code == MPI_SUCCESS;
    return sends ? layouts.sent_block_bytes() : 0;
}

/// A call on a way that passes, counted. Parameters as those of carried_call, as well as what it throws.
template <class MakeLayouts, class Native>
int passing_call(Way& way, MakeLayouts&& layouts, Native&& native)
{
    const std::uint64_t begin = ticks();
    const int code = native();
    const std::uint64_t elapsed = ticks() - begin;
    count_native(way, elapsed, passed_block_bytes(way, layouts, code), code);
    return code;
}

/// A blocking neighborhood collective on a communicator with a record. `layouts`: a CallLayouts. Throws: WrongArgument
/// before anything is done, MpiError, std::bad_alloc.
template <class MakeLayouts, class Native>
int carried_call(Communicator& known, Call call, Collective collective, MakeLayouts&& layouts, Native&& native)
{
    if (Way* const passing = known.passing_way(call))
        return passing_call(*passing, layouts, native);
    const std::uint64_t begin = ticks();
    const Layouts blocks = layouts(known.graph());
    const std::size_t block_bytes = known.block_bytes(blocks.send, blocks.receive);
    Way& way = known.way(call, collective, Completion::blocking, is_regular(collective) ? block_bytes : 0);
    Trial* const trial = known.take_trial();
    const bool ours = way.exchange != nullptr;
    if (ours && runtime().settings.verify)
        return verified_call(known, way, collective, begin, block_bytes, blocks, native);
    const int code = ours ? carry(known, way, collective, block_bytes, blocks) : native();
    count(way, begin, block_bytes, code);
    if (trial != nullptr)
        trial->note_end();
    if (code != MPI_SUCCESS && ours)
        throw MpiError{code};
    return code;
}

/// A blocking neighborhood collective of the program. `for_the_library`: its arguments are such that the MPI library
/// should see them itself, because it treats them in its own way. `native` had better hold the arguments by value:
/// those it refers to go through memory in every call.
template <class MakeLayouts, class Native>
int neighborhood_call(Call call, Collective collective, MPI_Comm comm, bool for_the_library, MakeLayouts&& layouts,
                      Native&& native) noexcept
{
    if (!runtime().active)
        return native();
    Communicator* const known = find_communicator(comm);
    const auto pass = [&] { return passed_on(call, comm, left_to_the_library, native); };
    if (known == nullptr || for_the_library)
        return pass();
    return guarded_or(comm, pass, [&] { return carried_call(*known, call, collective, layouts, native); });
}

} // namespace hopscotch::shim
