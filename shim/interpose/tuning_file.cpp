// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps what trials of auto learn from run to run (HOPSCOTCH_TUNING).
#include "shim/interpose/tuning_file.hpp"

#include "shim/base/log.hpp"
#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/report_file.hpp"
#include "shim/report/summary.hpp"
#include "shim/selection/learned.hpp"
#include "shim/selection/tuning.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/utsname.h>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

/// Empty where there is none.
std::string contents(const std::string& name)
{
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// As Linux calls it; "" on machines where it does not.
std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 1);
    return "";
}

TuningGround ground()
{
    utsname system{};
    ::uname(&system);
    return {HOPSCOTCH_VERSION ", " + short_library(library_version()),
            std::string(system.machine) + processor() + ", " + std::to_string(::sysconf(_SC_NPROCESSORS_CONF)) +
                " cores"};
}

void warn(const std::string& name, const std::string& what)
{
    log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " is of no use: " + what);
}

std::string fitting(const std::string& name)
try {
    const std::string file = contents(name);
    std::string list = fitting_trials(file, ground());
    if (!file.empty() && list.empty())
        log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " has nothing for this MPI library and machine");
    return list;
} catch (const std::invalid_argument& wrong) {
    warn(name, wrong.what());
    return "";
}

} // namespace

void read_tuning_file(const std::string& name)
{
    int rank = 0;
    check(next.Comm_rank(MPI_COMM_WORLD, &rank));
    std::string list = rank == 0 ? fitting(name) : "";
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    list.resize(static_cast<std::size_t>(consensus.maximum(static_cast<std::int64_t>(list.size()))));
    if (list.empty())
        return;
    consensus.broadcast(list.data(), list.size(), 0);
    try {
        with_learned_trials([&](schedules::LearnedTrials& all) { recall_trials(list, all); });
    } catch (const std::invalid_argument& wrong) {
        if (rank == 0)
            warn(name, wrong.what());
    }
}

void write_tuning_file(const std::string& name)
{
    try {
        const std::string text = with_learned_trials(
            [&](const schedules::LearnedTrials& all) { return with_trials(contents(name), all, ground()); });
        const std::string problem = write_report_file(name, text);
        if (!problem.empty())
            log(LogLevel::warn, "HOPSCOTCH_TUNING: " + name + " cannot be written: " + problem);
    } catch (const std::invalid_argument& wrong) {
        warn(name, wrong.what());
    }
}

} // namespace hopscotch::shim
