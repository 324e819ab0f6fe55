// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the exchanges that repeat among the messages of a job. Knows no MPI.
#pragma once

#include "shim/advise/exchange_kind.hpp"
#include "shim/advise/seen.hpp"
#include "shim/advise/site_place.hpp"

#include <set>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// A call site, of all processes together. Times are sums. Units: seconds.
struct JobSite {
    int function = 0;
    SitePlace place{};
    SitePlace caller{};             // of the function around it, where callers are told apart
    std::vector<std::string> lines; // the innermost first
    std::int64_t calls = 0;
    double seconds = 0;
    double wait_seconds = 0;
    double start_seconds = 0;
    std::set<int> finished_at; // other sites, that started or completed what was made here
    std::set<int> other_way;   // other sites, with messages in the other direction, of the same exchanges
    bool sends = false;
    bool receives = false;
    std::int64_t times = 0; // the most exchanges that one process had with one peer
    bool wildcards = false;
    std::set<int> overlaps; // other sites
};

/// The call sites of all processes.
std::vector<JobSite> job_sites(const std::vector<SeenProcess>& processes);

/// The index among them of each site of each process.
std::vector<std::vector<int>> numbers_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites);

/// Exchanges that repeat, those that took most time first.
std::vector<RepeatedExchange> exchanges_of(const std::vector<SeenProcess>& processes,
                                           const std::vector<JobSite>& sites);

} // namespace hopscotch::shim
