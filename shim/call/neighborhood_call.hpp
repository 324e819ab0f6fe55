// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a neighborhood collective through its life: finds the record, chooses, carries or passes on, counts.
#pragma once

#include "shim/base/clock.hpp"
#include "shim/call/carry.hpp"
#include "shim/call/counting.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/verification.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

/// The arguments of a call: its blocks, of which only the graph says how many there are.
template <class Sent, class Make>
struct CallLayouts {
    Sent sent; // bytes to other processes, of a const Graph& and the number of edges to them. Requires: the MPI library
               // took the arguments. Throws: MpiError, std::bad_alloc
    Make make; // Layouts of a const Graph&

    Layouts operator()(const Graph& graph) const { return make(graph); }
};

template <class Sent, class Make>
CallLayouts(Sent, Make) -> CallLayouts<Sent, Make>;

inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type)
{
    return count == 0 ? 0 : static_cast<std::uint64_t>(count) * type_map(type)->size;
}

/// What is sent where all blocks are alike.
inline auto alike(MPI_Count count, MPI_Datatype type)
{
    return [=](const Graph&, std::uint64_t edges) { return edges == 0 ? 0 : edges * bytes_of(count, type); };
}

/// What is sent where the blocks have counts of their own, by position: `type_of` gives the type of one.
template <class Count, class TypeOf>
auto of_counts(const Count* counts, TypeOf type_of)
{
    return [=](const Graph& graph, std::uint64_t) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < graph.edges.destinations.size(); ++i)
            if (const int to = graph.edges.destinations[i]; to != schedules::no_rank && to != graph.edges.rank)
                sum += bytes_of(counts[i], type_of(i));
        return sum;
    };
}

/// Why calls pass whose arguments the MPI library should see itself.
constexpr const char left_to_the_library[] = "arguments left to the MPI library";

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
            count(known->selection().passed_entry(call, reason), begin, 0, code);
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

/// Bytes to other processes that a call under an entry that passes has sent. Throws: MpiError, std::bad_alloc.
template <class MakeLayouts>
std::uint64_t passed_bytes(const Communicator& known, const SelectionEntry& entry, MakeLayouts&& layouts, int code)
{
    const bool sends = entry.trivial_messages != 0 && code == MPI_SUCCESS;
    return sends ? layouts.sent(known.graph(), entry.trivial_messages) : 0;
}

/// A call under an entry that passes, counted. Parameters as those of carried_call, as well as what it throws.
template <class MakeLayouts, class Native>
int passing_call(const Communicator& known, SelectionEntry& entry, MakeLayouts&& layouts, Native&& native)
{
    const std::uint64_t begin = ticks();
    const int code = native();
    const std::uint64_t elapsed = ticks() - begin;
    count_native(entry, elapsed, passed_bytes(known, entry, layouts, code), code);
    return code;
}

/// A blocking neighborhood collective on a communicator with a record. `layouts`: a CallLayouts. Throws: WrongArgument
/// before anything is done, MpiError, std::bad_alloc.
template <class MakeLayouts, class Native>
int carried_call(Communicator& known, Call call, Collective collective, MakeLayouts&& layouts, Native&& native)
{
    if (SelectionEntry* const passing = known.selection().passing_entry(call))
        return passing_call(known, *passing, layouts, native);
    const std::uint64_t begin = ticks();
    const Layouts blocks = layouts(known.graph());
    const std::size_t block_bytes = known.block_bytes(blocks.send, blocks.receive);
    known.set_up();
    SelectionEntry& entry =
        known.selection().entry(call, collective, Completion::blocking, is_regular(collective) ? block_bytes : 0);
    Trial* const trial = known.selection().take_trial();
    const std::uint64_t carried_from = trial != nullptr ? ticks() : 0;
    const bool ours = entry.exchange != nullptr;
    if (ours && runtime().settings.verify)
        return verified_call(known, entry, collective, begin, block_bytes, blocks, native);
    const int code = ours ? carry(known, entry, collective, block_bytes, blocks) : native();
    count(entry, begin, ours ? 0 : passed_bytes(known, entry, layouts, code), code);
    if (trial != nullptr)
        trial->note(seconds(ticks() - carried_from));
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
