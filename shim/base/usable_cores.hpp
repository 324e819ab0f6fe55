// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts the cores that processes of one machine may use: by their affinity masks, and by the CPU quotas of their
// control groups (containers, batch systems).
#pragma once

#include <cstdint>
#include <sched.h>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// The CPU time that the processes of a control group may use together.
struct CpuQuota {
    double cores = 0.0;      // seconds of CPU time in a second; 0: no limit
    std::uint64_t group = 0; // equal for processes that share it
};

/// The quota of this process. `root` stands before /proc/self/cgroup and /sys/fs/cgroup (tests). Groups of both
/// versions count (Linux, admin-guide/cgroup-v2 "cpu.max", scheduler/sched-bwc "cpu.cfs_quota_us"); of nested ones the
/// smallest quota. Local; reads some ten small files.
CpuQuota own_cpu_quota(const std::string& root = "");

/// The limits of one process. Processes exchange it as bytes.
struct UsableCores {
    cpu_set_t mask{}; // empty: not known
    CpuQuota quota;
};

/// The cores of this process: its mask as it is now, its quota as it was at the first call. Local.
UsableCores own_usable_cores();

/// Cores for each of so many processes; 1 if there are as many cores as processes, or more, or if that is not known.
/// `limits`: of some or all of them.
double cores_per_process(const std::vector<UsableCores>& limits, int processes);

} // namespace hopscotch::shim
