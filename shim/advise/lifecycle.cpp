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
int world_size = 1;
pid_t started_in = 0;

std::string file_name()
{
    const char* const told = std::getenv("HOPSCOTCH_ADVICE");
    return from_start(told != nullptr && *told != '\0' ? told : "advice.json");
}

/// Rank 0's own stacks show who called the callers.
void name_sites(std::vector<JobSite>& sites)
{
    using Place = std::pair<std::int64_t, std::int64_t>;
    std::map<Place, const std::vector<void*>*> stacks;
    std::map<std::pair<Place, Place>, const std::vector<void*>*> stacks_by_caller;
    for (const CallSite* site : call_sites()) {
        const SitePlace place = place_of(site->address);
        const SitePlace caller = place_of(site->caller);
        stacks.emplace(Place(place.object, place.offset), site->stack);
        stacks_by_caller.emplace(std::pair(Place(place.object, place.offset), Place(caller.object, caller.offset)),
                                 site->stack);
    }
    for (JobSite& site : sites) {
        const Place place(site.place.object, site.place.offset);
        const auto by_caller = stacks_by_caller.find({place, Place(site.caller.object, site.caller.offset)});
        const auto any = stacks.find(place);
        if (by_caller != stacks_by_caller.end()) {
            site.lines = lines_of(site.place, by_caller->second);
        } else if (site.caller.offset != 0) {
            site.lines = {lines_of(site.place, nullptr).front(), lines_of(site.caller, nullptr).front()};
        } else {
            site.lines = lines_of(site.place, any != stacks.end() ? any->second : nullptr);
        }
    }
}

void write_advice()
{
    const SeenProcess own = seen_here(world_rank, elapsed_seconds());
    std::vector<SeenProcess> processes = gathered(own, own_comm, world_rank, world_size);
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
        check(next.Comm_rank(MPI_COMM_WORLD, &world_rank));
        check(next.Comm_size(MPI_COMM_WORLD, &world_size));
        set_log_rank(world_rank);
        // Libraries that offer no way to ask: all have been started alike.
        const std::optional<RollCall> roll = call_the_roll(patience, RollCallValues{});
        if (roll && !roll->complete) {
            if (!roll->predecessor_came)
                log(LogLevel::warn, "the advice is not preloaded on all processes, and says nothing");
            return;
        }
        check(next.Comm_split(MPI_COMM_WORLD, 0, world_rank, &own_comm));
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
    next.Comm_free(&own_comm);
}

void give_up(const char* why) noexcept
{
    set_watching(false);
    if (looking.exchange(false) && world_rank == 0)
        log(LogLevel::warn, std::string("no advice: ") + why);
}

} // namespace hopscotch::shim
