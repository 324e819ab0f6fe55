// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Times neighborhood exchanges carried in different ways, alternating in one run; `hopscotch measure` starts it.
//
//   mpiexec -n P measure [key=value ...]
//     part=cases|machine|create|start
//     cases=3x3:alltoall:100:together,...   dimensions x values of the stencil, function, ints (exchanges.hpp), mode:
//                                 together: back to back; apart: one by one, each after a barrier
//     ways=native,plain,trivial,merged,combining,auto       (native, plain and plain_init need no preload)
//     seconds=0.1                 time spent per case and way
//     budget=1e9                  no case starts after so many seconds
//     samples=9                   of each way
//     on=all                      the processes: all; half, of every node; one, of every node; nodes:N, the first N
//     most=64                     MiB of one buffer; larger cases are left out
//
// Prints records (measured.hpp): of a case the samples of each way, in seconds, each of the slowest process.
#include "exchanges.hpp"
#include "measured.hpp"
#include "measured_machine.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace
{

struct Case {
    int dimensions = 3;
    int values = 3;
    std::string function;
    int ints = 1;
    bool apart = false; // one by one, each after a barrier
};

struct Options {
    std::string part = "cases";
    std::vector<Case> cases;
    std::vector<std::string> ways{"native", "plain", "trivial", "merged", "combining", "auto"};
    double seconds = 0.1;
    double budget = 1e9;
    int samples = 9;
    std::string on = "all";
    std::size_t most_bytes = std::size_t{64} << 20; // of one buffer; larger cases are left out
};

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

[[noreturn]] void wrong(const std::string& argument)
{
    std::fprintf(stderr, "measure: wrong argument '%s'\n", argument.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
    std::exit(2);
}

Case case_of(const std::string& text)
{
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 4 || parts[0].find('x') == std::string::npos)
        wrong(text);
    return {std::atoi(parts[0].c_str()), std::atoi(parts[0].c_str() + parts[0].find('x') + 1), parts[1],
            std::atoi(parts[2].c_str()), parts[3] == "apart"};
}

Options parse(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto equal = argument.find('=');
        const std::string key = argument.substr(0, equal);
        const std::string value = equal == std::string::npos ? "" : argument.substr(equal + 1);
        if (key == "part")
            options.part = value;
        else if (key == "cases")
            for (const std::string& text : split(value, ','))
                options.cases.push_back(case_of(text));
        else if (key == "ways")
            options.ways = split(value, ',');
        else if (key == "seconds")
            options.seconds = std::atof(value.c_str());
        else if (key == "budget")
            options.budget = std::atof(value.c_str());
        else if (key == "samples")
            options.samples = std::max(1, std::atoi(value.c_str()));
        else if (key == "on")
            options.on = value;
        else if (key == "most")
            options.most_bytes = static_cast<std::size_t>(std::atoi(value.c_str())) << 20;
        else
            wrong(argument);
    }
    return options;
}

/// The processes that take part; MPI_COMM_NULL on the others. Collective: over MPI_COMM_WORLD.
MPI_Comm chosen_processes(const std::string& on)
{
    MPI_Comm node = node_communicator();
    int number = rank_in(node) == 0 ? 1 : 0; // of the node, counted from 1
    MPI_Scan(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&number, 1, MPI_INT, 0, node);
    bool chosen = on == "all";
    if (on == "half")
        chosen = rank_in(node) < (size_of(node) + 1) / 2;
    else if (on == "one")
        chosen = rank_in(node) == 0;
    else if (on.rfind("nodes:", 0) == 0)
        chosen = number <= std::atoi(on.c_str() + 6);
    else if (on != "all")
        wrong(on);
    MPI_Comm_free(&node);
    MPI_Comm processes;
    MPI_Comm_split(MPI_COMM_WORLD, chosen ? 0 : MPI_UNDEFINED, rank_in(MPI_COMM_WORLD), &processes);
    return processes;
}

/// Seconds of one of `repeats` exchanges, on the slowest process.
double together(MPI_Comm processes, const Exchange& exchange, int repeats)
{
    MPI_Barrier(processes);
    const double begin = MPI_Wtime();
    for (int i = 0; i < repeats; ++i)
        exchange();
    double elapsed = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, processes);
    return elapsed / repeats;
}

/// The same of exchanges that each begin after a barrier: the mean of what each takes on its slowest process.
double apart(MPI_Comm processes, const Exchange& exchange, int repeats)
{
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        MPI_Barrier(processes);
        const double begin = MPI_Wtime();
        exchange();
        times.push_back(MPI_Wtime() - begin);
    }
    MPI_Allreduce(MPI_IN_PLACE, times.data(), repeats, MPI_DOUBLE, MPI_MAX, processes);
    double sum = 0;
    for (const double time : times)
        sum += time;
    return sum / repeats;
}

/// Calls before anything is measured, for caches and connections; under Hopscotch also for the calls that try how often
/// a block is copied, and of `auto` for its trials, which nonblocking calls on several nodes make longer.
int calls_before(const std::string& way, const std::string& function)
{
    if (way == "native" || way == "copy" || way.rfind("plain", 0) == 0)
        return 4;
    if (way != "auto" && way != "mapped")
        return 12;
    return function[0] == 'i' ? 150 : 40;
}

/// Of those asked for; a global collective has no messages of neighbors that a program could send itself.
std::vector<std::string> ways_of(const Options& options, const Case& one)
{
    std::vector<std::string> ways;
    for (const std::string& way : options.ways)
        if (one.function != "global_allgather" || (way.rfind("plain", 0) != 0 && way != "mapped" && way != "copy"))
            ways.push_back(way);
    return ways;
}

using Sample = double (*)(MPI_Comm, const Exchange&, int);

/// One way of a case. All processes know the times of the slowest one, and so decide alike.
struct Contender {
    std::string way;
    Exchange exchange;
    int repeats = 1; // in a sample
    double calls = 0;
    std::vector<double> times;

    /// As many as fill a sample. In small steps: where processes wait for cores, a few quick calls say little.
    void find_repeats(Sample sample, MPI_Comm processes, double sample_seconds)
    {
        constexpr int most = 20000;
        while (repeats < most && sample(processes, exchange, repeats) * repeats < sample_seconds / 2)
            repeats = std::min(2 * repeats, most);
    }

    /// One sample, and fewer repeats in the next one if this took far longer than it should.
    void measure(Sample sample, MPI_Comm processes, double sample_seconds)
    {
        times.push_back(sample(processes, exchange, repeats));
        calls += repeats;
        if (times.back() * repeats > 4 * sample_seconds)
            repeats = std::max(1, repeats / 4);
    }
};

/// A record of a case.
Record named(const char* kind, const Case& one)
{
    return Record(kind)
        .add("dimensions", one.dimensions)
        .add("values", one.values)
        .add("function", one.function)
        .add("ints", one.ints)
        .add("mode", one.apart ? "apart" : "together");
}

void measure(const Options& options, const Neighborhood& neighborhood, const Case& one)
{
    Buffers buffers = make_buffers(neighborhood, one.function, one.ints, options.most_bytes);
    if (buffers.total > options.most_bytes)
        return free_buffers(buffers);
    if (!sizes_match(neighborhood, buffers)) {
        named("left_out", one)
            .add("why", "the MPI library exchanges blocks of one process that differ in size")
            .print();
        return free_buffers(buffers);
    }
    const MPI_Comm processes = neighborhood.processes;
    const Sample sample = one.apart ? &apart : &together;
    const std::vector<std::string> ways = ways_of(options, one);
    std::vector<Requests> requests(ways.size());
    std::vector<Contender> contenders(ways.size());
    for (std::size_t w = 0; w < ways.size(); ++w) {
        Contender& contender = contenders[w];
        contender.way = ways[w];
        contender.exchange = make_exchange(one.function, neighborhood, buffers, ways[w], requests[w]);
        together(processes, contender.exchange, calls_before(ways[w], one.function));
        contender.find_repeats(sample, processes, options.seconds / options.samples);
    }
    for (int s = 0; s < options.samples; ++s)
        for (Contender& contender : contenders)
            contender.measure(sample, processes, options.seconds / options.samples);
    std::vector<Record> measured;
    for (const Contender& contender : contenders)
        measured.push_back(
            Record("").add("way", contender.way).add("calls", contender.calls).add("times_s", contender.times));
    named("case", one)
        .add("neighbors", neighborhood.neighbors())
        .add("on", options.on)
        .add("processes", size_of(processes))
        .add("payload_bytes", static_cast<double>(buffers.total))
        .add("ways", measured)
        .print();
    for (Requests& kept : requests)
        free_requests(kept);
    free_buffers(buffers);
}

void measure_cases(const Options& options)
{
    const Budget budget(options.budget);
    MPI_Comm processes = chosen_processes(options.on);
    if (processes != MPI_COMM_NULL) {
        for (const Case& one : options.cases) { // each with communicators of its own, as in a program of one size
            if (budget.is_over(processes))
                break;
            if (!has_function(one.function))
                continue;
            Neighborhood neighborhood = make_neighborhood(processes, one.dimensions, one.values, options.ways);
            measure(options, neighborhood, one);
            free_neighborhood(neighborhood);
        }
        MPI_Comm_free(&processes);
    }
    meet_quietly(MPI_COMM_WORLD);
}

/// The time to make a graph, without and with its first call; natively, and under Hopscotch.
void measure_creation(const Options& options)
{
    const std::vector<std::string> none;
    Neighborhood neighborhood = make_neighborhood(MPI_COMM_WORLD, 3, 3, none);
    MPI_Comm grid = periodic_grid(MPI_COMM_WORLD, 3);
    const std::vector<std::string> names{"native", "auto"};
    std::vector<std::vector<double>> making(2);
    std::vector<std::vector<double>> calling(2);
    for (int s = 0; s <= options.samples; ++s)
        for (std::size_t w = 0; w < names.size(); ++w) {
            MPI_Comm graph;
            const auto make = [&] { graph = make_graph(grid, neighborhood, names[w], w == 0); };
            const double made = together(MPI_COMM_WORLD, make, 1);
            neighborhood.communicators[names[w]] = graph;
            Buffers buffers = make_buffers(neighborhood, "alltoall", 1, options.most_bytes);
            Requests requests;
            const Exchange exchange = make_exchange("alltoall", neighborhood, buffers, names[w], requests);
            const double called = together(MPI_COMM_WORLD, exchange, 1);
            MPI_Comm_free(&neighborhood.communicators[names[w]]);
            if (s > 0) { // the first graph of a job sets up more than its own
                making[w].push_back(made);
                calling[w].push_back(called);
            }
        }
    for (std::size_t w = 0; w < names.size(); ++w)
        Record("creation")
            .add("way", names[w])
            .add("neighbors", neighborhood.neighbors())
            .add("graph_s", making[w])
            .add("first_call_s", calling[w])
            .print();
    MPI_Comm_free(&grid);
}

} // namespace

int main(int argc, char** argv)
{
    const auto begin = std::chrono::steady_clock::now();
    MPI_Init(&argc, &argv);
    const std::chrono::duration<double> started = std::chrono::steady_clock::now() - begin;
    const Options options = parse(argc, argv);
    if (options.part == "machine") {
        print_machine();
        print_networks(options.samples);
    } else if (options.part == "create") {
        measure_creation(options);
    } else if (options.part == "start") {
        MPI_Barrier(MPI_COMM_WORLD);
        Record("start").add("init_s", started.count()).print();
    } else {
        measure_cases(options);
    }
    MPI_Finalize();
    return 0;
}
