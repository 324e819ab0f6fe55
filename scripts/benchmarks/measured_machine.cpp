// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The machine as the processes of a job see it: nodes, cores, what else runs, and what one message costs.
#include "measured_machine.hpp"

#include "measured.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>
#include <vector>

namespace
{

constexpr int most_cores = 4096;
constexpr int most_ranks_shown = 1024;
constexpr std::size_t place_bytes = 160; // of the text about one process

std::string first_line(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// The value of that name in /proc/cpuinfo.
std::string of_processor(const std::string& name)
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, name.size(), name) == 0 && line.find(':') != std::string::npos)
            return line.substr(std::min(line.size(), line.find(':') + 2));
    return "";
}

int numa_nodes()
{
    int count = 0;
    while (access(("/sys/devices/system/node/node" + std::to_string(count)).c_str(), F_OK) == 0)
        ++count;
    return count;
}

/// The cores this process may run on.
std::vector<int> own_cores()
{
    cpu_set_t* const set = CPU_ALLOC(most_cores);
    const std::size_t bytes = CPU_ALLOC_SIZE(most_cores);
    std::vector<int> cores;
    if (sched_getaffinity(0, bytes, set) == 0)
        for (int core = 0; core < most_cores; ++core)
            if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set))
                cores.push_back(core);
    CPU_FREE(set);
    return cores;
}

/// As Linux writes them: 0-3,8
std::string ranges(const std::vector<int>& cores)
{
    std::string text;
    for (std::size_t first = 0; first < cores.size();) {
        std::size_t last = first;
        while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(cores[first]);
        if (last > first)
            text += "-" + std::to_string(cores[last]);
        first = last + 1;
    }
    return text;
}

/// Ticks of all cores of the node: busy ones.
double busy_ticks()
{
    std::ifstream file("/proc/stat");
    std::string word;
    double user = 0;
    double nice = 0;
    double system = 0;
    file >> word >> user >> nice >> system;
    return user + nice + system;
}

/// Cores that others use while all our processes sleep; the same on all processes of the node.
double cores_of_others(MPI_Comm node)
{
    meet_quietly(MPI_COMM_WORLD);
    const double before = busy_ticks();
    const double begin = MPI_Wtime();
    usleep(500000);
    const double busy = (busy_ticks() - before) / static_cast<double>(sysconf(_SC_CLK_TCK));
    double cores = busy / (MPI_Wtime() - begin);
    MPI_Bcast(&cores, 1, MPI_DOUBLE, 0, node);
    return cores;
}

/// The share of time in which a process that only reads the clock does not run.
double lost_share()
{
    constexpr double measured_seconds = 0.2;
    constexpr double interruption = 10e-6;
    double lost = 0;
    const double begin = MPI_Wtime();
    double last = begin;
    while (last < begin + measured_seconds) {
        const double now = MPI_Wtime();
        if (now - last > interruption)
            lost += now - last;
        last = now;
    }
    return lost / (last - begin);
}

double largest(double value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

double smallest(double value)
{
    return -largest(-value);
}

double sum(double value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

/// On every process the text of every process.
std::vector<std::string> gathered(const std::string& text)
{
    char own[place_bytes] = {};
    std::snprintf(own, sizeof own, "%s", text.c_str());
    std::vector<char> all(place_bytes * static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
    MPI_Gather(own, place_bytes, MPI_CHAR, all.data(), place_bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t at = 0; rank_in(MPI_COMM_WORLD) == 0 && at < all.size(); at += place_bytes)
        texts.emplace_back(all.data() + at);
    texts.resize(std::min<std::size_t>(texts.size(), most_ranks_shown));
    return texts;
}

/// Seconds per repetition of what two processes do together, samples of each of them. If one takes long there are
/// fewer than `most` repetitions in a sample.
template <class Function>
std::vector<double> timed(MPI_Comm pair, int samples, int most, Function function)
{
    constexpr double sample_seconds = 0.05;
    MPI_Barrier(pair);
    const double first = MPI_Wtime();
    function();
    function();
    int repeats = std::clamp(static_cast<int>(2 * sample_seconds / (MPI_Wtime() - first)), 1, most);
    MPI_Bcast(&repeats, 1, MPI_INT, 0, pair);
    std::vector<double> times;
    for (int s = 0; s <= samples; ++s) {
        MPI_Barrier(pair);
        const double begin = MPI_Wtime();
        for (int i = 0; i < repeats; ++i)
            function();
        if (s > 0)
            times.push_back((MPI_Wtime() - begin) / repeats);
    }
    return times;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::vector<double> half_round_trips(MPI_Comm pair, int bytes, int samples, int repeats)
{
    std::vector<char> buffer(static_cast<std::size_t>(bytes), 1);
    const int other = 1 - rank_in(pair);
    std::vector<double> times = timed(pair, samples, repeats, [&] {
        if (other == 1)
            MPI_Send(buffer.data(), bytes, MPI_CHAR, other, 0, pair);
        MPI_Recv(buffer.data(), bytes, MPI_CHAR, other, 0, pair, MPI_STATUS_IGNORE);
        if (other == 0)
            MPI_Send(buffer.data(), bytes, MPI_CHAR, other, 0, pair);
    });
    for (double& time : times)
        time /= 2;
    return times;
}

/// The sender's time to start a small message, and the receiver's time for one that has arrived.
struct Overheads {
    double send;
    double receive;
};

Overheads overheads(MPI_Comm pair, int samples)
{
    constexpr int window = 32;
    constexpr int bytes = 8;
    char buffers[window][bytes] = {};
    std::vector<double> sending;
    std::vector<double> receiving;
    for (int s = 0; s <= samples; ++s) {
        MPI_Request requests[window];
        MPI_Barrier(pair);
        if (rank_in(pair) == 0) {
            const double begin = MPI_Wtime();
            for (int i = 0; i < window; ++i)
                MPI_Isend(buffers[i], bytes, MPI_CHAR, 1, 0, pair, &requests[i]);
            sending.push_back((MPI_Wtime() - begin) / window);
            MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
            MPI_Barrier(pair);
        } else {
            MPI_Barrier(pair); // the messages have arrived, or nearly
            const double begin = MPI_Wtime();
            for (int i = 0; i < window; ++i)
                MPI_Recv(buffers[i], bytes, MPI_CHAR, 0, 0, pair, MPI_STATUS_IGNORE);
            receiving.push_back((MPI_Wtime() - begin) / window);
        }
    }
    Overheads found{sending.empty() ? 0 : median(sending), receiving.empty() ? 0 : median(receiving)};
    MPI_Bcast(&found.send, 1, MPI_DOUBLE, 0, pair);
    MPI_Bcast(&found.receive, 1, MPI_DOUBLE, 1, pair);
    return found;
}

/// Seconds for one byte of a copy in a core's caches.
double copy_per_byte(int samples)
{
    constexpr std::size_t bytes = 65536;
    std::vector<char> from(bytes, 1);
    std::vector<char> to(bytes);
    return median(timed(MPI_COMM_SELF, samples, 50, [&] { std::memcpy(to.data(), from.data(), bytes); })) / bytes;
}

/// By rank 0 of the world and one other process; `other` is -1 where there is none.
void print_network(const char* where, int other, int samples)
{
    const int rank = rank_in(MPI_COMM_WORLD);
    const bool takes_part = other >= 0 && (rank == 0 || rank == other);
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, rank, &pair);
    if (takes_part) {
        constexpr int large = 1 << 20;
        const std::vector<double> small_times = half_round_trips(pair, 8, samples, 100);
        const std::vector<double> large_times = half_round_trips(pair, large, samples, 5);
        const Overheads cost = overheads(pair, samples);
        const double copying = copy_per_byte(samples);
        Record("network")
            .add("where", where)
            .add("half_round_trip_s", small_times)
            .add("half_round_trip_of_1_mib_s", large_times)
            .add("send_overhead_s", cost.send)
            .add("receive_overhead_s", cost.receive)
            .add("copy_s_per_byte", copying)
            .print();
        MPI_Comm_free(&pair);
    }
    meet_quietly(MPI_COMM_WORLD);
}

} // namespace

void print_machine()
{
    MPI_Comm node = node_communicator();
    const bool first_of_node = rank_in(node) == 0;
    const std::vector<int> cores = own_cores();
    std::vector<char> of_node(most_cores, 0);
    for (const int core : cores)
        of_node[static_cast<std::size_t>(core)] = 1;
    MPI_Allreduce(MPI_IN_PLACE, of_node.data(), most_cores, MPI_CHAR, MPI_MAX, node);
    const auto cores_of_node = static_cast<double>(std::count(of_node.begin(), of_node.end(), 1));
    const bool unpinned = size_of(node) > 1 && static_cast<double>(cores.size()) >= cores_of_node && cores_of_node > 1;
    const double others = cores_of_others(node);
    const double lost = lost_share();
    utsname system = {};
    uname(&system);
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(library, &length);
    int version = 0;
    int subversion = 0;
    MPI_Get_version(&version, &subversion);
    const std::vector<std::string> places = gathered(std::string(system.nodename) + " " + ranges(cores));
    const auto environment = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    Record("machine")
        .add("mpi_library", library)
        .add("mpi_standard", std::to_string(version) + "." + std::to_string(subversion))
        .add("ucx_tls", environment("UCX_TLS"))
        .add("fi_provider", environment("FI_PROVIDER"))
        .add("kernel", std::string(system.sysname) + " " + system.release + " " + system.machine)
        .add("yama_ptrace_scope", first_line("/proc/sys/kernel/yama/ptrace_scope"))
        .add("processor", of_processor("model name"))
        .add("virtual", (" " + of_processor("flags") + " ").find(" hypervisor ") == std::string::npos ? 0 : 1)
        .add("clock_source", first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
        .add("clock_tick_s", MPI_Wtick())
        .add("numa_nodes", numa_nodes())
        .add("cores_online", static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)))
        .add("ranks", size_of(MPI_COMM_WORLD))
        .add("nodes", sum(first_of_node ? 1 : 0))
        .add("ranks_per_node_least", smallest(size_of(node)))
        .add("ranks_per_node_most", largest(size_of(node)))
        .add("cores_of_node_least", smallest(cores_of_node))
        .add("ranks_per_core_most", largest(size_of(node) / std::max(cores_of_node, 1.0)))
        .add("unpinned_ranks", sum(unpinned ? 1 : 0))
        .add("cores_of_others_most", largest(others))
        .add("lost_share_most", largest(lost))
        .add("lost_share_mean", sum(lost) / size_of(MPI_COMM_WORLD))
        .add("places", places)
        .print();
    MPI_Comm_free(&node);
}

void print_networks(int samples)
{
    MPI_Comm node = node_communicator();
    int leader = rank_in(MPI_COMM_WORLD); // of the node
    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    const auto first_rank = [](bool here) {
        const int none = size_of(MPI_COMM_WORLD);
        int rank = here ? rank_in(MPI_COMM_WORLD) : none;
        MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        return rank == none ? -1 : rank;
    };
    const int beside = first_rank(leader == 0 && rank_in(node) > 0);
    const int away = first_rank(leader != 0);
    print_network("within a node", beside, samples);
    print_network("between nodes", away, samples);
    MPI_Comm_free(&node);
}
