// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares calls under HOPSCOTCH_VERIFY: ours receives into memory of ours, the MPI library's into the user's buffer.
#include "shim/call/verification.hpp"

#include "shim/base/log.hpp"
#include "shim/blocks/shadow.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <atomic>
#include <cstdio>
#include <string>

namespace hopscotch::shim
{

namespace
{

int class_of(int code)
{
    int error_class = MPI_SUCCESS;
    check(next.MPI_Error_class(code, &error_class));
    return error_class;
}

/// True if an error of the MPI library says that the call failed, but not why. MPICH 4.2 returns MPI_ERR_IN_STATUS from
/// MPI_Alltoallv if a message is too long; libraries return the other classes if a part of a collective call failed.
bool names_no_cause(int error_class)
{
    return error_class == MPI_ERR_IN_STATUS || error_class == MPI_ERR_OTHER || error_class == MPI_ERR_UNKNOWN ||
           error_class == MPI_ERR_INTERN;
}

/// True if both calls failed, as far as the MPI library says why.
bool fail_alike(int ours, int theirs)
{
    if (ours == MPI_SUCCESS || theirs == MPI_SUCCESS)
        return false;
    const int cause = class_of(theirs);
    return class_of(ours) == cause || names_no_cause(cause);
}

std::string in_hexadecimal(unsigned char byte)
{
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", byte);
    return text;
}

std::string message_of(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    next.MPI_Error_string(class_of(code), text, &length);
    return std::string(text, static_cast<std::size_t>(length));
}

/// The call: the `number`th of its kind, on this process.
std::string place(const Communicator& record, const SelectionEntry& entry, std::uint64_t number)
{
    const Graph& graph = record.graph();
    return std::string(name(entry.call)) + " by " + name(entry.choice) + ", call " + std::to_string(number) +
           ", rank " + std::to_string(graph.edges.rank) + " of " + std::to_string(graph.ranks) +
           " on a communicator of " + name(graph.created_by);
}

void count_difference(SelectionEntry& entry) noexcept
{
    entry.counters.differences += counting() ? 1 : 0;
}

/// Later output could only hide the first difference.
void end_at_difference(const std::string& where, const std::string& what)
{
    end_job("HOPSCOTCH_VERIFY found a difference in " + where + ": " + what, "HOPSCOTCH_VERIFY found a difference");
}

std::string sentence(const Difference& difference, const std::vector<int>& sources)
{
    return "block " + std::to_string(difference.block) + " (from rank " +
           std::to_string(sources[static_cast<std::size_t>(difference.block)]) + "), byte " +
           std::to_string(difference.offset) +
           (difference.outside ? " from its beginning, which belongs to no block" : "") + ": expected " +
           in_hexadecimal(difference.expected) + ", got " + in_hexadecimal(difference.got) +
           "; bytes that differ: " + std::to_string(difference.bytes);
}

/// If a call receives into its send buffer, neither of its two results is right, nor are those of the neighbors: the
/// job ends before anything is sent.
void demand_apart(Communicator& record, const SelectionEntry& entry, Collective collective, const Layouts& blocks)
{
    std::vector<int> sources = record.sources(collective);
    const bool among_all = collective == Collective::global_allgather;
    const std::vector<int> destinations = among_all ? sources : record.graph().edges.destinations;
    const int rank = record.graph().edges.rank;
    if (among_all && blocks.send[rank].address == blocks.receive[rank].address)
        sources[static_cast<std::size_t>(rank)] = schedules::no_rank; // MPI_IN_PLACE
    const std::optional<schedules::Clash> found = find_overlap(blocks.send, destinations, blocks.receive, sources);
    if (!found)
        return;
    end_job("HOPSCOTCH_VERIFY cannot compare " + place(record, entry, entry.counters.calls + 1) +
                ": memory that it sends and memory that it receives into overlap: send block " +
                std::to_string(found->send) + " (to rank " +
                std::to_string(destinations[static_cast<std::size_t>(found->send)]) + ") and receive block " +
                std::to_string(found->receive) + " (from rank " +
                std::to_string(sources[static_cast<std::size_t>(found->receive)]) +
                "). MPI forbids that (MPI 4.0, section 2.3)",
            "a call received into memory that it sent");
}

} // namespace

Verification::Verification(const std::vector<int>& sources, Layouts user, std::shared_ptr<Exchange> reference)
    : sources_(sources), user_(std::move(user)), shadow_(user_.receive, sources), reference_(std::move(reference))
{
}

void Verification::start()
{
    shadow_.reset();
    error_ = MPI_SUCCESS;
    if (reference_ != nullptr)
        reference_->begin(user_.send, user_.receive);
}

bool Verification::complete()
try {
    const bool complete = reference_->advance();
    error_ = reference_->error();
    return complete;
} catch (const MpiError& error) {
    error_ = error.code;
    return true;
}

void Verification::compare(const Communicator& record, SelectionEntry& entry, int ours, int theirs) const
{
    if (counting())
        ++entry.counters.compared;
    if (ours == MPI_SUCCESS && theirs == MPI_SUCCESS) {
        if (const std::optional<Difference> difference = shadow_.difference()) {
            count_difference(entry);
            end_at_difference(place(record, entry, entry.counters.calls), sentence(*difference, sources_));
        }
        return;
    }
    if (fail_alike(ours, theirs))
        return;
    count_difference(entry);
    const bool too_short = class_of(ours) == MPI_ERR_TRUNCATE && theirs == MPI_SUCCESS;
    static std::atomic<bool> told{false};
    if (too_short && told.exchange(true))
        return;
    const std::string where = place(record, entry, entry.counters.calls);
    if (too_short) // the program hears of it, and it may be the program's fault
        log(LogLevel::warn, "HOPSCOTCH_VERIFY: " + where +
                                " fails with MPI_ERR_TRUNCATE, not so the MPI library's function, which takes a block "
                                "that is too short for none");
    else
        end_at_difference(where, "expected '" + message_of(theirs) + "', got '" + message_of(ours) + "'");
}

std::unique_ptr<Verification> verify_call(Communicator& record, const SelectionEntry& entry, Collective collective,
                                          Completion completion, const Layouts& blocks, const ByLibrary& by_library)
{
    demand_apart(record, entry, collective, blocks);
    const bool by_messages = by_library == nullptr || library_differs(record.graph(), runtime().settings, collective);
    return std::make_unique<Verification>(record.sources(collective), blocks,
                                          by_messages ? record.exchanges().reference(collective, completion)
                                                      : by_library());
}

} // namespace hopscotch::shim
