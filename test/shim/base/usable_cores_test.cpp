// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes that share cores or a CPU quota have fewer cores than processes.
#include "test/catch.hpp"

#include "shim/base/usable_cores.hpp"
#include "test/shim/report/files.hpp"

#include <filesystem>
#include <fstream>

using namespace hopscotch::shim;

namespace
{

/// Files of control groups, below a directory that stands for "/".
class ControlGroups
{
  public:
    explicit ControlGroups(const std::string& own) { write("/proc/self/cgroup", own); }
    ControlGroups(const ControlGroups&) = delete;
    ControlGroups& operator=(const ControlGroups&) = delete;
    ~ControlGroups()
    {
        for (const char* const name : {"/proc", "/sys"})
            std::filesystem::remove_all(root() + name);
    }

    void write(const std::string& file, const std::string& text)
    {
        const std::filesystem::path path = root() + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }

    CpuQuota quota() const { return own_cpu_quota(root()); }
    std::string root() const { return directory_.path(); }

  private:
    Directory directory_;
};

UsableCores on_cores(int first, int count, double quota = 0.0, std::uint64_t group = 0)
{
    UsableCores limits{{}, {quota, group}};
    for (int core = first; core < first + count; ++core)
        CPU_SET(core, &limits.mask);
    return limits;
}

} // namespace

TEST_CASE("A process without control groups has no quota")
{
    CHECK(ControlGroups("").quota().cores == 0.0);
    const UsableCores limits = own_usable_cores();
    CHECK(CPU_COUNT(&limits.mask) > 0);
}

TEST_CASE("The smallest quota of nested groups counts, of version 2")
{
    ControlGroups groups("0::/job/step");
    groups.write("/sys/fs/cgroup/job/step/cpu.max", "max 100000");
    CHECK(groups.quota().cores == 0.0);
    groups.write("/sys/fs/cgroup/job/cpu.max", "150000 100000");
    CHECK(groups.quota().cores == about(1.5));
    const std::uint64_t job = groups.quota().group;
    groups.write("/sys/fs/cgroup/cpu.max", "400000 100000");
    CHECK(groups.quota().cores == about(1.5));
    CHECK(groups.quota().group == job);
    groups.write("/sys/fs/cgroup/job/step/cpu.max", "50000 100000");
    CHECK(groups.quota().cores == about(0.5));
    CHECK(groups.quota().group != job);
}

TEST_CASE("Quotas of version 1 count, also where a container shows its own group only")
{
    ControlGroups groups("5:memory:/job\n4:cpu,cpuacct:/docker/12ab\n3:cpuset:/job\n0::/");
    groups.write("/sys/fs/cgroup/memory/job/cpu.cfs_quota_us", "1"); // no controller of CPU time
    groups.write("/sys/fs/cgroup/cpuset/job/cpu.cfs_quota_us", "1");
    CHECK(groups.quota().cores == 0.0);
    groups.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "50000");
    groups.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
    CHECK(groups.quota().cores == 0.0);
    groups.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "100000");
    CHECK(groups.quota().cores == about(2.0));
}

TEST_CASE("Lines of control groups that nobody understands are no quota")
{
    for (const char* const line : {"cpu", "1:cpu", "1:cpu:relative", ":", "::", "\n\n"})
        CHECK(ControlGroups(line).quota().cores == 0.0);
}

TEST_CASE("Cores of all masks count once")
{
    CHECK(cores_per_process({on_cores(0, 2), on_cores(0, 2)}, 2) == about(1.0));
    CHECK(cores_per_process({on_cores(0, 2), on_cores(1, 2)}, 4) == about(0.75));
    CHECK(cores_per_process({on_cores(0, 8)}, 2) == about(1.0)); // never more than one
    CHECK(cores_per_process({UsableCores{}}, 64) == about(1.0)); // not known
}

TEST_CASE("A quota counts as cores if every process has one")
{
    CHECK(cores_per_process({on_cores(0, 8, 1.5, 1), on_cores(0, 8, 1.5, 1)}, 2) == about(0.75));
    CHECK(cores_per_process({on_cores(0, 8, 1.0, 1), on_cores(0, 8, 0.5, 2)}, 2) == about(0.75));
    CHECK(cores_per_process({on_cores(0, 1, 4.0, 1), on_cores(0, 1, 4.0, 1)}, 2) == about(0.5)); // one core
    CHECK(cores_per_process({on_cores(0, 8, 0.5, 1), on_cores(0, 8)}, 2) == about(1.0));
    CHECK(cores_per_process({UsableCores{{}, {1.0, 1}}, UsableCores{{}, {1.0, 1}}}, 4) == about(0.25));
}
