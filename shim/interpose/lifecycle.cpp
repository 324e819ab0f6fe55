// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/interpose/lifecycle.hpp"

#include "schedules/selection/agreement.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/destination.hpp"
#include "shim/base/given_settings.hpp"
#include "shim/base/log.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/requests.hpp"
#include "shim/gather/alone.hpp"
#include "shim/gather/gather.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/library_progress.hpp"
#include "shim/group/process_group.hpp"
#include "shim/group/progress.hpp"
#include "shim/group/proof.hpp"
#include "shim/group/roll_call.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/report/report.hpp"
#include "shim/selection/tuning_file.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> begun{false};
std::atomic<bool> ended{false}; // a report has been gathered, or the job is aborted
bool finishes_in_finalize = false;
bool is_kept = false; // the program may start persistent requests in further callbacks
pid_t started_in = 0; // a forked child must not report for its parent
const pid_t loaded_in = getpid();
int world_rank = 0;

/// The first line of the MPI library's description of itself.
std::string library_name()
{
    const std::string text = library_version();
    return text.substr(0, text.find('\n'));
}

/// By Abi.
constexpr const char* family_names[] = {"", "MPICH", "Open MPI", "the standard ABI of MPI 5.0", ""};

/// By Abi: the library of ours for programs of that family.
constexpr const char* library_files[] = {"", "libhopscotch.so", "libhopscotch_openmpi.so", "libhopscotch_abi.so", ""};

/// True if the MPI library is known to have the constants of the compilation. Its handles have been proven.
bool is_of_our_family(const std::string& name)
{
    if (our_abi != Abi::mpich)
        return true;
    // The members of the MPICH ABI initiative.
    const auto members = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation"};
    const auto named = [&name](const char* member) { return name.find(member) != std::string::npos; };
    return std::any_of(members.begin(), members.end(), named);
}

/// The rank in MPI_COMM_WORLD as the launcher gives it, without MPI; 0 if it does not.
int launched_rank()
{
    for (const char* variable : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"})
        if (const char* rank = std::getenv(variable))
            return std::atoi(rank);
    return 0;
}

/// Says, once per job, that the MPI library is of another family than this library was built for. Calls no MPI function
/// that takes a handle.
void stand_aside() noexcept
{
    if (launched_rank() != 0)
        return;
    try {
        if (abi_behind == Abi::other) { // its text may be that of a library behind it
            log(LogLevel::warn, std::string("built for ") + family_names[static_cast<int>(our_abi)] +
                                    ", but the program uses a library with handles of another kind, " + library_path() +
                                    "; all calls pass straight through");
            return;
        }
        const std::string name = library_name();
        const bool standard = abi_behind == Abi::standard;
        const std::string remedy = std::string("; preload ") + library_files[static_cast<int>(abi_behind.load())] +
                                   " instead (hopscotch run: HOPSCOTCH_LIBRARY=FILE)";
        log(LogLevel::warn, std::string("built for ") + family_names[static_cast<int>(our_abi)] +
                                ", but the program uses " + (name.empty() ? "another MPI library" : name) +
                                (standard ? " through the standard ABI of MPI 5.0" : "") +
                                "; all calls pass straight through" + (is_foreign() ? remedy : ""));
    } catch (...) {
        log(LogLevel::warn, "the program uses another MPI library; all calls pass straight through");
    }
}

/// The values that processes learn of each other at the start.
struct RollCallResult {
    int first_error;   // the lowest rank with errors in its settings; INT_MAX if there is none
    int first_warning; // the same for warnings
    bool same_settings;
    bool driven; // every process is called by its MPI library while that makes progress, and by one thread at a time
};

int thread_level()
{
    int level = MPI_THREAD_MULTIPLE;
    check(next.MPI_Query_thread(&level));
    return level;
}

/// True if the MPI library drives this process. Registers for it, if this library is switched on.
bool is_driven(bool enabled)
{
    return enabled && thread_level() != MPI_THREAD_MULTIPLE && join_library_progress();
}

/// The largest of each value of all processes, if all must come for it: no earlier check was possible. Ends the job if
/// one does not come: without this library on a process, the program's own collectives would match those of the others.
/// Collective: over MPI_COMM_WORLD.
void require_company(RollCallValues& values)
{
    constexpr double busy_seconds = 0.02;
    constexpr double hint_seconds = 10.0;
    constexpr double most_seconds = 300.0; // processes may start minutes apart on a busy machine
    Patience patience;
    bool told = false;
    CollectiveConsensus consensus(MPI_COMM_WORLD, [&] {
        const double spent = patience.spent();
        if (spent < busy_seconds)
            sched_yield();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // others may need this core to start
        if (spent > hint_seconds && !told) {
            log(LogLevel::warn, "still waiting for other processes; Hopscotch must be preloaded on all of them");
            told = true;
        }
        if (spent > most_seconds) {
            log(LogLevel::error, "Hopscotch is not preloaded on all processes");
            abort_job(2);
        }
    });
    consensus.maxima(values.data(), values.size());
}

/// Agrees on the values with all processes of the job. False if some process does not have this library: then all that
/// have it stand aside.
bool find_company(const Settings& settings, double init_seconds, RollCallValues& values)
{
    constexpr double least_seconds = 5.0;
    constexpr double times_init = 5.0; // many processes on few cores start as far apart as MPI_Init takes there
    const std::optional<RollCall> roll = call_the_roll(std::max(least_seconds, times_init * init_seconds), values);
    if (!roll)
        require_company(values);
    else
        values = roll->maxima;
    if (!roll || roll->complete)
        return true;
    if (!roll->predecessor_came && settings.enabled) {
        set_log_level(settings.log_level);
        const std::string missing = world_rank == 0 ? "the last rank" : "rank " + std::to_string(world_rank - 1);
        log(LogLevel::warn, "Hopscotch is not preloaded on all processes, for instance not on " + missing +
                                "; all calls of this job pass straight through");
    }
    return false;
}

/// The values of all processes at the start; nothing if this process stands aside. Collective: over MPI_COMM_WORLD.
std::optional<RollCallResult> meet(const ParsedSettings& parsed, std::uint64_t settings_hash, double init_seconds)
{
    // Negated, the largest is the first, or the smallest.
    const std::int64_t settings = schedules::comparable(settings_hash);
    RollCallValues values = {parsed.errors.empty() ? -INT_MAX : -world_rank,
                             parsed.warnings.empty() ? -INT_MAX : -world_rank, settings, -settings,
                             is_driven(parsed.settings.enabled) ? 0 : 1};
    if (!find_company(parsed.settings, init_seconds, values))
        return std::nullopt;
    return RollCallResult{static_cast<int>(-values[0]), static_cast<int>(-values[1]), values[2] == -values[3],
                          values[4] == 0};
}

/// Ends the job if a process has been given a value that is not allowed. Collective: over MPI_COMM_WORLD.
void reject_errors(const ParsedSettings& parsed, int first)
{
    if (first == INT_MAX)
        return;
    if (first == world_rank) {
        for (const std::string& error : parsed.errors)
            log(LogLevel::error, error);
        abort_job(2);
    }
    // Launchers that see one process end with a status end the others, and may then take theirs for that of the job.
    std::this_thread::sleep_for(std::chrono::minutes(1));
    std::_Exit(2);
}

/// Takes rank 0's settings if processes differ; the first process with other settings prints the difference.
/// Collective: over MPI_COMM_WORLD.
void take_from_first(Settings& settings, std::string& text)
{
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    text.resize(static_cast<std::size_t>(consensus.maximum(world_rank == 0 ? static_cast<int>(text.size()) : 0)));
    consensus.broadcast(text.data(), text.size(), 0);
    const Settings agreed = from_canonical(text);
    const std::string different = difference(settings, agreed);
    const std::int64_t first = consensus.minimum(different.empty() ? INT_MAX : world_rank);
    settings = agreed;
    set_log_level(settings.log_level);
    if (first == world_rank)
        log(LogLevel::warn, different + " as on rank 0, whose settings hold for all processes");
}

/// Objects of the MPI library that are made without a communicator of the program.
void release_own() noexcept
{
    release_tokens();
    end_proofs();
}

void release_all() noexcept
{
    release_own();
    release_communicators();
    release_groups();
}

/// True if some process holds persistent requests of ours. Collective: over MPI_COMM_WORLD.
bool is_held_anywhere() noexcept
{
    int held = program_holds_persistent_requests() ? 1 : 0;
    int most = 1; // stays after an error
    if (own_world() != MPI_COMM_NULL)
        next.MPI_Allreduce(&held, &most, 1, MPI_INT, MPI_MAX, own_world());
    return most != 0;
}

/// Gathers the counters, writes the report, gives everything back. The second call does nothing. Collective: over
/// MPI_COMM_WORLD, while MPI works.
void finish()
{
    if (!mutable_runtime().active) { // functions by name may have worked
        is_kept = program_holds_persistent_requests();
        if (!is_kept)
            release_own();
        return;
    }
    if (ended.exchange(true))
        return;
    try {
        drain();
    } catch (const NoMemory&) { // no other exception: those of the program's operators pass through
        end_without_memory("complete operations in flight");
    }
    try {
        if (const std::string& wanted = mutable_runtime().settings.report; !report_destinations(wanted).empty()) {
            measure_alone(std::min(elapsed_seconds() / 100, 0.2));
            const Report report = gather_report();
            if (world_rank == 0)
                write_report(wanted, report);
        }
        if (world_rank == 0 && !mutable_runtime().settings.tuning.empty())
            write_tuning_file(from_start(mutable_runtime().settings.tuning));
    } catch (const NoMemory&) {
        end_without_memory("gather the report");
    } catch (...) {
        log(LogLevel::warn, "the report could not be gathered");
    }
    mutable_runtime().active = false;
    is_kept = is_held_anywhere(); // all announcements of long waits have arrived
    receive_leftovers();
    if (!is_kept)
        release_all();
}

int finish_with(MPI_Comm comm, int, void*, void*)
{
    if (comm == MPI_COMM_SELF)
        finish();
    else if (is_kept && mpi_goes_on())
        release_all();
    return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the last one set first (MPI 4.0, 11.2.4). Callbacks of
/// the program may use MPI and all that is ours; this one comes after them, since its attribute is set right after
/// MPI_Init. MPICH and Open MPI then do the same with MPI_COMM_WORLD, where MPI still works.
void finish_in_finalize()
{
    int keyval = MPI_KEYVAL_INVALID;
    check(next.MPI_Comm_create_keyval(copy_nothing, finish_with, &keyval, nullptr));
    check(next.MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, nullptr));
    check(next.MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr));
    finishes_in_finalize = true;
}

void write_own(const char* why) noexcept
{
    try {
        Report report = own_report();
        report.job.partial = std::string(why) + "; only rank " + std::to_string(world_rank) + " is counted";
        write_report(mutable_runtime().settings.report, report);
    } catch (...) {
        log(LogLevel::warn, "the report could not be written");
    }
}

/// Exit handlers and destructors of the program run before and may call MPI_Finalize. If a library calls it later, the
/// report of all processes comes too.
[[gnu::destructor]] void report_at_exit()
{
    if (mutable_runtime().active && !ended && started_in == getpid() && world_rank == 0)
        write_own("the program ended without MPI_Finalize");
}

void start_checked(double init_seconds)
{
    if (!prove_family() || !is_of_our_family(library_name()))
        return stand_aside();
    finish_in_finalize();
    check(next.MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    set_log_rank(world_rank);
    ParsedSettings parsed = given_settings();
    std::string text = canonical(parsed.settings);
    const std::optional<RollCallResult> met = meet(parsed, std::hash<std::string>{}(text), init_seconds);
    if (!met)
        return;
    reject_errors(parsed, met->first_error);
    if (!met->same_settings)
        take_from_first(parsed.settings, text);
    mutable_runtime().settings = parsed.settings;
    mutable_runtime().settings_hash = std::hash<std::string>{}(text);
    set_log_level(mutable_runtime().settings.log_level);
    if (world_rank == met->first_warning)
        for (const std::string& warning : parsed.warnings)
            log(LogLevel::warn, warning);
    if (!mutable_runtime().settings.enabled) {
        if (mutable_runtime().settings.semantics == Semantics::orthogonal && world_rank == 0)
            log(LogLevel::warn, "HOPSCOTCH=off: HOPSCOTCH_SEMANTICS=orthogonal is without effect, collectives keep the "
                                "meaning MPI gives them");
        return;
    }
    mutable_runtime().library_drives = met->driven;
    if (met->driven)
        allow_driving(thread_level() == MPI_THREAD_SERIALIZED ? Drivers::any : Drivers::callers);
    started_in = getpid();
    make_own_world();
    if (mutable_runtime().settings.reorder != Reorder::off)
        learn_nodes_of_world(); // for MPI_Cart_map and MPI_Graph_map, which must not communicate
    if (!mutable_runtime().settings.tuning.empty())
        read_tuning_file(from_start(mutable_runtime().settings.tuning));
    set_early_report(report_alone);
    if (world_rank == 0)
        check_destinations(mutable_runtime().settings.report);
    mutable_runtime().looks_at_alltoallv =
        mutable_runtime().settings.alltoallv || mutable_runtime().settings.semantics == Semantics::orthogonal;
    mutable_runtime().active = true;
}

} // namespace

void start(double init_seconds) noexcept
{
    if (begun.exchange(true))
        return;
    try {
        start_clock();
        keep_directory();
        start_checked(init_seconds);
    } catch (const NoMemory&) {
        end_without_memory("start");
    } catch (...) {
        log(LogLevel::error, "could not start; all calls pass straight through");
    }
}

void tell_what_went_by() noexcept
{
    if (begun || is_foreign() || loaded_in != getpid() || !mpi_has_started() || launched_rank() != 0)
        return;
    try {
        const Settings settings = given_settings().settings;
        set_log_level(settings.log_level);
        if (settings.enabled)
            log(LogLevel::warn,
                "MPI was used, but not through Hopscotch: the program looks its functions up in the MPI "
                "library itself (dlopen, ctypes, ccall); let it open the front library of Hopscotch instead");
    } catch (...) {
        return; // no memory
    }
}

int finalize()
{
    if (!finishes_in_finalize)
        finish(); // functions by name have worked, without a start
    const int code = next.MPI_Finalize();
    if (world_rank == 0)
        report_alone("a delete callback of MPI_COMM_SELF has failed"); // Open MPI then calls no other
    return code;
}

void report_alone(const char* why) noexcept
{
    if (mutable_runtime().active && !ended.exchange(true))
        write_own(why);
}

void report_now() noexcept
{
    if (mutable_runtime().active && world_rank == 0)
        write_own("MPI_Pcontrol(2) was called");
}

} // namespace hopscotch::shim
