// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Attaches a record to a communicator with a topology that the program has made, or to a duplicate of one.
#include "shim/call/attachment.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <atomic>

namespace hopscotch::shim
{

namespace
{

std::atomic<void (*)(MPI_Comm) noexcept> preparation{nullptr};

/// The value of an info key; none when it is not set.
std::optional<std::string> info_value(MPI_Info info, const char* key)
{
    if (info == MPI_INFO_NULL)
        return std::nullopt;
    char value[256] = {};
    int found = 0;
    check(next.Info_get(info, key, static_cast<int>(sizeof value) - 1, value, &found));
    return found != 0 ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<Algorithms> algorithms_for(MPI_Info info)
{
    const std::optional<std::string> text = info_value(info, "hopscotch_algorithm");
    if (!text.has_value())
        return std::nullopt;
    const std::optional<Algorithms> algorithms = parse_algorithms(*text);
    if (!algorithms.has_value())
        log(LogLevel::warn, "info key hopscotch_algorithm has the value '" + *text + "', which is no algorithm");
    return algorithms;
}

std::vector<Candidate> hints_for(MPI_Comm comm, MPI_Info info)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    std::vector<Candidate> hints;
    const std::optional<std::string> text = info_value(info, "hopscotch_dims");
    const std::optional<ProcessGrid> grid = text.has_value() ? parse_grid(*text) : std::nullopt;
    if (grid.has_value())
        hints.push_back({schedules::Topology(grid->dims, grid->periodic), "hint"});
    const std::vector<Candidate> recorded = recorded_grids(size);
    hints.insert(hints.end(), recorded.begin(), recorded.end());
    return hints;
}

constexpr const char not_looked_at[] = "a process could not look at the communicator, perhaps for lack of memory";

/// What the others wait for, where this process has failed alone.
void leave(CollectiveConsensus& consensus, Stage stage)
{
    if (stage != Stage::alone)
        return;
    give_up(consensus);
    mark_as_native(consensus.communicator(), not_looked_at);
}

constexpr const char not_within_world[] =
    "some of its processes are not in the same MPI_COMM_WORLD and may be without Hopscotch";

/// `make_origin()` gives the Origin.
template <class MakeOrigin>
void attach(MPI_Comm comm, MakeOrigin&& make_origin)
{
    const std::uint64_t begin = ticks();
    const ReturningErrors quiet(comm);
    if (!is_within_world(comm))
        return mark_as_native(comm, not_within_world);
    CollectiveConsensus consensus(comm);
    Stage stage = Stage::alone;
    try {
        std::unique_ptr<Proposal> proposal = propose(consensus, make_origin(), runtime().settings_hash);
        Detected detected = conclude(std::move(proposal), consensus, runtime().settings, stage);
        if (detected.given_up)
            return mark_as_native(comm, not_looked_at);
        auto record = std::make_unique<Communicator>(comm, std::move(detected), runtime().settings, ticks() - begin);
        attach_communicator(comm, std::move(record));
    } catch (const std::bad_alloc&) {
        if (stage == Stage::agreed)
            end_without_memory("prepare a communicator");
        leave(consensus, stage);
        throw;
    } catch (...) {
        leave(consensus, stage);
        throw;
    }
}

const std::vector<void*>* caller()
{
    return runtime().settings.callsites == Callsites::off ? nullptr : &capture_call_site();
}

/// What is done with a communicator that the program has just got, if any. A failure is said, and nothing more.
template <class Body>
void quietly(MPI_Comm comm, Body&& body) noexcept
{
    if (!runtime().active || comm == MPI_COMM_NULL)
        return;
    try {
        body();
    } catch (const MpiError& error) {
        log(LogLevel::warn, "a communicator could not be looked at (MPI error " + std::to_string(error.code) + ")");
    } catch (const std::exception& error) {
        log(LogLevel::warn, std::string("a communicator could not be looked at: ") + error.what());
    }
}

} // namespace

void attach_record(Call created_by, MPI_Comm comm, MPI_Comm parent, MPI_Info info) noexcept
{
    quietly(comm, [&] {
        attach(comm, [&] { return Origin{created_by, parent, hints_for(comm, info), caller(), algorithms_for(info)}; });
    });
}

void attach_to_duplicate(Call created_by, MPI_Comm comm, MPI_Comm original) noexcept
{
    quietly(comm, [&] {
        Communicator* const known = find_communicator(original);
        if (known == nullptr)
            return;
        known->note_use();
        known->set_up();
        attach(comm,
               [&] { return Origin{created_by, original, {}, caller(), known->graph().algorithms, &known->graph()}; });
    });
}

void prepare_attached(MPI_Comm comm) noexcept
{
    if (const auto prepare = preparation.load())
        prepare(comm);
}

void set_preparation(void (*prepare)(MPI_Comm comm) noexcept) noexcept
{
    preparation.store(prepare);
}

void attach_to_neighborhood(Call created_by, MPI_Comm comm, const Graph& graph) noexcept
{
    quietly(comm, [&] {
        attach(comm, [&] { return Origin{created_by, MPI_COMM_NULL, {}, caller(), graph.algorithms, &graph, true}; });
    });
}

} // namespace hopscotch::shim
