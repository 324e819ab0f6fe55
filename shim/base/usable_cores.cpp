// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/base/usable_cores.hpp"

#include "shim/base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sys/stat.h>

namespace hopscotch::shim
{

namespace
{

/// Cores of a quota and its period in us; 0: no quota.
double cores_of(long long quota, long long period)
{
    return quota > 0 && period > 0 ? static_cast<double>(quota) / static_cast<double>(period) : 0.0;
}

/// A group's own quota in cores; 0: it has none, or there is no such group. `directory`: of the group.
using QuotaReader = double (*)(const std::string& directory);

double quota_of_version_1(const std::string& directory)
{
    const long long quota = std::atoll(text_of_file(directory + "/cpu.cfs_quota_us").c_str()); // -1: none
    return quota > 0 ? cores_of(quota, std::atoll(text_of_file(directory + "/cpu.cfs_period_us").c_str())) : 0.0;
}

double quota_of_version_2(const std::string& directory)
{
    const std::string text = text_of_file(directory + "/cpu.max"); // "50000 100000"; "max 100000": none
    char* rest = nullptr;
    const long long quota = std::strtoll(text.c_str(), &rest, 10);
    return cores_of(quota, std::atoll(rest));
}

/// Takes over the smallest quota of a group and those around it. `hierarchy`: its mount point. In a container the path
/// may be the host's, and only the mount point itself exists.
void limit_by(QuotaReader quota_of, const std::string& hierarchy, std::string path, CpuQuota& smallest)
{
    for (;;) {
        const std::string directory = hierarchy + path;
        const double cores = quota_of(directory);
        struct stat status;
        if (cores > 0.0 && (smallest.cores == 0.0 || cores < smallest.cores) && stat(directory.c_str(), &status) == 0)
            smallest = {cores, status.st_ino};
        if (path.empty())
            return;
        path.resize(path.rfind('/'));
    }
}

bool is_cpu_controller(const std::string& controllers)
{
    return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

} // namespace

CpuQuota own_cpu_quota(const std::string& root)
{
    CpuQuota smallest;
    const std::string mounted = root + "/sys/fs/cgroup";
    // Lines "4:cpu,cpuacct:/path"; "0::/path" is version 2.
    for (const std::string& line : split(text_of_file(root + "/proc/self/cgroup"), '\n')) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(":/", first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1) == "/" ? "" : line.substr(second + 1);
        if (controllers.empty())
            limit_by(quota_of_version_2, mounted, path, smallest);
        else if (is_cpu_controller(controllers))
            limit_by(quota_of_version_1, mounted + "/" + controllers, path, smallest);
    }
    return smallest;
}

UsableCores own_usable_cores()
{
    static const CpuQuota quota = own_cpu_quota();
    UsableCores limits{{}, quota};
    if (sched_getaffinity(0, sizeof limits.mask, &limits.mask) != 0)
        CPU_ZERO(&limits.mask);
    return limits;
}

double cores_per_process(const std::vector<UsableCores>& limits, int processes)
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    std::map<std::uint64_t, double> quotas;
    bool all_have_one = true;
    for (const UsableCores& limit : limits) {
        CPU_OR(&mask, &mask, &limit.mask);
        all_have_one = all_have_one && limit.quota.cores > 0.0;
        quotas[limit.quota.group] = limit.quota.cores;
    }
    double cores = CPU_COUNT(&mask) > 0 ? CPU_COUNT(&mask) : processes;
    double together = 0.0;
    for (const auto& [group, quota] : quotas)
        together += quota;
    if (all_have_one)
        cores = std::min(cores, together);
    return processes > cores ? cores / processes : 1.0;
}

} // namespace hopscotch::shim
