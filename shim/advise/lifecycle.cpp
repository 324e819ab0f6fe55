// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Starts to look after MPI_Init if all processes of the job do, and writes the advice at MPI_Finalize. A job that ends
// otherwise ends as it would without: nothing is gathered then.
#include "shim/advise/advice.hpp"
#include "shim/advise/callers.hpp"
#include "shim/advise/record.hpp"
#include "shim/advise/seen.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/destination.hpp"
#include "shim/base/log.hpp"
#include "shim/group/roll_call.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/report/report_file.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> looking{false};
std::atomic<bool> begun{false};
MPI_Comm own_comm{}; // MPI_COMM_NULL is not known before the MPI library is
int world_rank = 0;
pid_t started_in = 0;

std::string file_name()
{
    const char* const told = std::getenv("HOPSCOTCH_ADVICE");
    return from_start(told != nullptr && *told != '\0' ? told : "advice.json");
}

/// Rank 0's own stacks show who called the callers.
void name_sites(std::vector<JobSite>& sites)
{
    using Key = std::array<std::int64_t, 4>; // a place and a caller; no caller: any
    const auto key = [](const SitePlace& place, const SitePlace& caller) {
        return Key{place.object, place.offset, caller.object, caller.offset};
    };
    std::map<Key, const std::vector<void*>*> stacks;
    for (const CallSite* site : call_sites()) {
        const SitePlace place = place_of(site->address);
        stacks.emplace(key(place, {}), site->stack);
        if (site->caller != nullptr)
            stacks.emplace(key(place, place_of(site->caller)), site->stack);
    }
    for (JobSite& site : sites) {
        const auto own = stacks.find(key(site.place, site.caller));
        site.lines = lines_of(site.place, own != stacks.end() ? own->second : nullptr);
        if (own == stacks.end() && site.caller.offset != 0)
            site.lines.push_back(lines_of(site.caller, nullptr).front());
    }
}

void write_advice()
{
    std::vector<SeenProcess> processes = gathered(seen_here(world_rank, elapsed_seconds()), own_comm);
    if (world_rank != 0)
        return;
    join_callers(processes);
    std::vector<JobSite> sites = job_sites(processes);
    name_sites(sites);
    const std::string problem = write_report_file(file_name(), advice_as_json(processes, sites));
    if (!problem.empty())
        log(LogLevel::warn, "the advice could not be written: " + file_name() + ": " + problem);
}

[[gnu::destructor]] void end_of_process()
{
    if (looking && started_in == getpid())
        give_up("the program ended without MPI_Finalize");
}

} // namespace

void begin_advice() noexcept
{
    if (begun.exchange(true) || !watch_functions())
        return;
    try {
        constexpr double patience = 30; // seconds
        start_clock();
        keep_directory();
        check(next.MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
        set_log_rank(world_rank);
        // Libraries that offer no way to ask: all have been started alike.
        const std::optional<RollCall> roll = call_the_roll(patience, RollCallValues{});
        if (roll && !roll->complete) {
            if (!roll->predecessor_came)
                log(LogLevel::warn, "the advice is not preloaded on all processes, and says nothing");
            return;
        }
        check(next.MPI_Comm_split(MPI_COMM_WORLD, 0, world_rank, &own_comm));
        started_in = getpid();
        looking = true;
        set_watching(true);
    } catch (...) {
        log(LogLevel::warn, "the advice could not begin");
    }
}

void end_advice() noexcept
{
    set_watching(false);
    if (!looking.exchange(false))
        return;
    try {
        write_advice();
    } catch (...) {
        log(LogLevel::warn, "the advice could not be gathered");
    }
    next.MPI_Comm_free(&own_comm);
}

void give_up(const char* why) noexcept
{
    set_watching(false);
    if (looking.exchange(false) && world_rank == 0)
        log(LogLevel::warn, std::string("no advice: ") + why);
}

} // namespace hopscotch::shim
