// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Attaches a record to a communicator with a topology that the program has made, or to a duplicate of one.
#include "shim/call/attachment.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/reordering.hpp"
#include "shim/graph/creation_board.hpp"
#include "shim/mpi/info_value.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <atomic>

namespace hopscotch::shim
{

namespace
{

std::atomic<void (*)(MPI_Comm)> preparation{nullptr};

std::vector<Candidate> hints_for(MPI_Comm comm, MPI_Info info)
{
    const int size = size_of(comm);
    std::vector<Candidate> hints;
    const std::optional<ProcessGrid> grid =
        parsed_info(info, info_key::dims, parse_grid, "which is no process grid like 4x4x2");
    if (grid.has_value()) {
        const schedules::Topology topology(grid->dims, grid->periodic);
        if (topology.size() >= size)
            hints = schedules::in_all_patterns(topology, schedules::GridOrigin::hint);
    }
    const std::vector<Candidate> recorded = recorded_grids(size);
    hints.insert(hints.end(), recorded.begin(), recorded.end());
    return hints;
}

/// A communicator that replaces one with other ranks, and the text about it for its graph.
struct Replacement {
    MPI_Comm comm = MPI_COMM_NULL;
    std::string reorder;
};

/// Attaches a record. If all processes want other ranks, returns the communicator that replaces this one. `begin`: of
/// making it from `parent`; `make_origin()` gives the Origin; `info`: for a replacement.
template <class MakeOrigin>
Replacement attach(MPI_Comm comm, MPI_Comm parent, std::uint64_t begin, MPI_Info info, MakeOrigin&& make_origin)
{
    if (parent != MPI_COMM_WORLD && !is_within_world(comm)) {
        mark_as_native(comm, schedules::reason::not_within_world);
        return {};
    }
    CollectiveConsensus consensus(comm);
    if (CreationBoard* const board = creation_board(parent, comm))
        consensus.use(*board, CreationBoard::most_values);
    std::unique_ptr<Proposal> proposal;
    try {
        proposal = propose(consensus, make_origin(), runtime().settings_hash);
    } catch (...) {
        give_up(consensus); // the others wait for it
        mark_as_native(comm, schedules::reason::not_looked_at);
        throw;
    }
    try {
        std::optional<Detected> detected = conclude(std::move(proposal), consensus, runtime().settings);
        if (!detected) {
            mark_as_native(comm, schedules::reason::not_looked_at);
            return {};
        }
        if (detected->group != nullptr)
            note_creation(parent, {*detected->group, comm, detected->tags.set_up()});
        if (detected->may_reorder)
            if (const MPI_Comm made = reordered(consensus, *detected, info); made != MPI_COMM_NULL)
                return {made, detected->graph->reorder};
        auto record = std::make_unique<Communicator>(comm, std::move(*detected), runtime().settings, ticks() - begin);
        attach_communicator(comm, std::move(record));
        return {};
    } catch (const NoMemory&) {
        end_without_memory("prepare a communicator");
    } catch (const MpiError&) {
        consensus.all_have_done(false);
        mark_as_native(comm, schedules::reason::not_looked_at);
        throw;
    }
}

const std::vector<void*>* caller()
{
    return runtime().settings.callsites == Callsites::off ? nullptr : &capture_call_site();
}

/// Acts on a new communicator of the program, if there is one. A failure is said, and nothing more.
template <class Body>
void quietly(MPI_Comm comm, Body&& body)
{
    if (!runtime().active || comm == MPI_COMM_NULL)
        return;
    try {
        body();
    } catch (const MpiError& error) {
        log(LogLevel::warn, "a communicator could not be looked at (MPI error " + std::to_string(error.code) + ")");
    } catch (const NoMemory&) {
        log(LogLevel::warn, "a communicator could not be looked at: no memory");
    }
}

/// Like asked_algorithms, for a communicator with a known neighborhood: other keys have no effect. Local.
std::optional<Algorithms> asked_of_known(MPI_Info info, Call call)
{
    for (const InfoKey key : {info_key::dims, info_key::reorder})
        warn_if_given(info, key, name(call));
    return asked_algorithms(info);
}

/// True if the info object requests algorithms, the same on all processes, that the communicator does not have.
/// Collective: over comm. Throws: MpiError.
bool asks_for_others(MPI_Comm comm, const Communicator& record, MPI_Info info)
{
    std::optional<Algorithms> asked;
    try {
        asked = asked_of_known(info, Call::MPI_Comm_set_info);
    } catch (const MpiError&) {
        // The others wait for this process.
    } catch (const NoMemory&) {
    }
    if (CollectiveConsensus(comm).all_equal(asked.has_value() ? schedules::number_of(*asked) : 0))
        return asked.has_value() && *asked != record.selection().settings().algorithms;
    if (record.graph().edges.rank == 0)
        warn_of_different_keys();
    return false;
}

/// Attaches a record for the neighborhood that `known` has: to a duplicate, or to the same communicator in its place. A
/// communicator for which native calls are requested has not been looked at; one that waits for its set-up goes on to
/// wait. `ask`: the request of an info key now, if there is one. Collective: over comm.
template <class Ask>
void attach_again(Call call, MPI_Comm comm, const Communicator& record, MPI_Comm parent, Ask&& ask)
{
    const schedules::reason::Row why = record.graph().native_reason.row;
    const Proposal* const waiting = record.waiting();
    const bool is_new =
        waiting != nullptr || why == schedules::reason::native_asked_for || why == schedules::reason::native_by_key;
    attach(comm, parent, ticks(), MPI_INFO_NULL, [&] {
        const std::optional<Algorithms> asked = ask();
        Origin origin{call,
                      parent,
                      {},
                      caller(),
                      asked.has_value() ? asked : record.graph().algorithms,
                      is_new ? nullptr : &record.graph()};
        if (waiting != nullptr) {
            origin.hints = waiting->origin.hints;
            origin.grid = waiting->grid;
        }
        return origin;
    });
}

} // namespace

std::optional<Algorithms> asked_algorithms(MPI_Info info)
{
    return parsed_info(info, info_key::algorithm, parse_algorithms, "which is no algorithm");
}

void attach_record(Call created_by, MPI_Comm* comm, MPI_Comm parent, MPI_Info info, Reordering reordering)
{
    quietly(*comm, [&] {
        const std::uint64_t begin = ticks();
        std::string reorder;
        const auto make_origin = [&] {
            const std::optional<Algorithms> asked = asked_algorithms(info);
            Origin origin{created_by, parent, hints_for(*comm, info), caller(),
                          asked.has_value() ? asked : algorithms_asked_on(parent)};
            origin.reordering = reordering;
            origin.reorder = reorder;
            return origin;
        };
        const Replacement replacement = attach(*comm, parent, begin, info, make_origin);
        if (replacement.comm == MPI_COMM_NULL)
            return;
        replace(*comm, replacement.comm);
        reordering = Reordering::not_allowed; // it has been done
        reorder = replacement.reorder;
        attach(*comm, parent, begin, info, make_origin);
    });
}

void attach_to_duplicate(Call created_by, MPI_Comm comm, MPI_Comm original, MPI_Info info)
{
    quietly(comm, [&] {
        if (Communicator* const record = find_communicator(original)) {
            record->note_use();
            attach_again(created_by, comm, *record, original, [&] { return asked_of_known(info, created_by); });
        } else if (const std::optional<Algorithms> asked = asked_of_known(info, created_by)) {
            keep_algorithms(comm, *asked);
        }
    });
}

void take_info(MPI_Comm comm, MPI_Info info)
{
    quietly(comm, [&] {
        Communicator* const record = find_communicator(comm);
        if (record == nullptr) {
            if (const std::optional<Algorithms> asked = asked_of_known(info, Call::MPI_Comm_set_info))
                keep_algorithms(comm, *asked);
            return;
        }
        if (asks_for_others(comm, *record, info))
            attach_again(Call::MPI_Comm_set_info, comm, *record, MPI_COMM_NULL, [&] { return asked_algorithms(info); });
    });
}

void prepare_attached(MPI_Comm comm)
{
    if (const auto prepare = preparation.load())
        prepare(comm);
}

void set_preparation(void (*prepare)(MPI_Comm comm))
{
    preparation.store(prepare);
}

void attach_to_neighborhood(Call created_by, MPI_Comm comm, const Graph& graph)
{
    quietly(comm, [&] {
        attach(comm, MPI_COMM_NULL, ticks(), MPI_INFO_NULL,
               [&] { return Origin{created_by, MPI_COMM_NULL, {}, caller(), graph.algorithms, &graph, true}; });
    });
}

} // namespace hopscotch::shim
