// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/gather/gather.hpp"

#include "shim/base/clock.hpp"
#include "shim/base/destination.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process_memory.hpp"
#include "shim/base/text.hpp"
#include "shim/gather/graph_records.hpp"
#include "shim/group/network.hpp"
#include "shim/group/node.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/report.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace hopscotch::shim
{

namespace
{

std::string command_line()
{
    std::string text = text_of_file("/proc/self/cmdline");
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text;
}

/// In ISO 8601: 2026-01-31T23:59:59Z.
std::string date_now()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    char text[sizeof "2026-01-31T23:59:59Z"] = "";
    ::gmtime_r(&now, &parts);
    std::strftime(text, sizeof text, "%FT%TZ", &parts);
    return text;
}

/// The report as bytes; empty if there is no memory for them.
std::string serialized(const Report& report)
{
    try {
        return serialize(report);
    } catch (const NoMemory&) {
        log(LogLevel::warn, "no memory to send the counters of some processes");
        return {};
    }
}

JobRecord local_job()
{
    JobRecord job;
    job.version = HOPSCOTCH_VERSION;
    job.mpi_library = library_version();
    job.ranks = launched_processes();
    if (mpi_goes_on())
        next.MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    job.elapsed_seconds = elapsed_seconds();
    job.date = date_now();
    if (const std::string id = job_id(); id != no_job)
        job.id = id;
    job.step = step_id();
    job.array_task = array_task();
    job.launcher = launcher();
    job.launched = launched_processes();
    job.command = command_line();
    job.settings = non_default(runtime().settings);
    job.enabled = runtime().settings.enabled;
    job.network = measured_network();
    job.one_copy = last_one_copy();
    job.shares_cores = cores_are_shared();
    job.devices = devices_in_words();
    const RefusedReads refused = refused_reads();
    if (some_memory_is_unread())
        job.copied_twice = "some process does not read the memory of others on its node (process_vm_readv: Yama, "
                           "seccomp or a container)";
    else if (refused.count != 0)
        job.copied_twice = "the system refused a process " + std::to_string(refused.count) +
                           " reads of what others lent (" + std::strerror(refused.error) + "): messages brought that";
    return job;
}

} // namespace

Report own_report()
{
    Report report;
    report.job = local_job();
    report.hosts = {host_name()};
    int rank = 0;
    if (mpi_goes_on())
        next.MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        add(report, all_records());
        report.earliest = report.slowest = {rank, host_name(), report.seconds.max};
    } catch (const NoMemory&) {
        log(LogLevel::warn, "no memory for this process's part of the report");
    }
    return report;
}

Report gather_report()
{
    Report report = own_report();
    report.job.nodes = count_nodes(own_world());
    gather_up(
        own_world(), [&report] { return serialized(report); },
        [&report](const std::string& bytes) {
            if (!bytes.empty())
                add(report, parse_report(bytes));
        });
    return report;
}

} // namespace hopscotch::shim
