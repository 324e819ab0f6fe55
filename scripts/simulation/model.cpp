// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the time of one call by the cost model, for the same cases as smpi.cpp and for cases beyond it.
//
//   model "MACHINE MACHINE..." PROCESSES DIMENSIONS SHIFTS alltoall|allgather|nodes|choice|goal|late INTS,... WAY,...
//         consecutive|mapped [PLACEMENT...]
//
// DIMENSIONS may be `ocean`, with 3 shifts: see setting.hpp. With `nodes` as operation: the node of each rank, line by
// line; with `goal`: a GOAL file of the one way; with `late` and, in place of placements, the share of its time that a
// process loses: times with late processes. Else a line of CSV per way: the way, messages of the busiest process to
// other nodes, messages leaving the busiest node, neighboring nodes, edges between nodes and those of the busiest one;
// then per size one with way, size and, for each machine, seconds. A size may be a fraction. All machines have as many
// processes on a node as the first. With the way `family`: per size and machine the groups and the seconds of the
// member of the family that is fastest, and the seconds of the one that the library prefers. With placements,
// "NETWORK/ALLOCATION": the times of an alltoall on the first machine with the shared links of each network, where
// `family` and `auto` are ways, too.
#include "schedules/network/goal_file.hpp"
#include "scripts/simulation/automatic.hpp"
#include "scripts/simulation/late.hpp"
#include "scripts/simulation/loaded_times.hpp"
#include "scripts/simulation/setting.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>

using namespace hopscotch::schedules;
using namespace simulation;

namespace
{

/// "loaded,PLACEMENT,WAY,INTS,SECONDS,CHOSEN" for each of them.
void print_loaded(Setting& setting, const Machine& machine, const std::vector<std::string>& sizes,
                  const std::vector<std::string>& ways, const std::vector<std::string>& placements)
{
    LoadedTimes times(setting, machine);
    for (const std::string& text : placements) {
        const Placement placement(text, setting);
        for (const std::string& way : ways)
            for (const std::string& ints : sizes) {
                const LoadedTime found = times.time(way, placement, sizeof(int) * std::atof(ints.c_str()));
                std::printf("loaded,%s,%s,%s,%.9f,%s\n", text.c_str(), way.c_str(), ints.c_str(), found.seconds,
                            found.chosen.c_str());
            }
    }
}

void print_family(Setting& setting, const std::vector<Machine>& machines, const std::vector<std::string>& sizes)
{
    const std::vector<Member> family = setting.family();
    std::vector<std::pair<std::string, std::vector<Effort>>> members;
    const auto efforts_by = [&setting](const std::vector<Group>& groups) {
        setting.combine_by(groups);
        return setting.efforts(Way::combining);
    };
    for (const Member& member : family)
        members.emplace_back(to_string(member.groups), efforts_by(member.groups));
    for (std::size_t i = 0; i < machines.size(); ++i) {
        std::vector<std::pair<std::size_t, std::vector<Effort>>> preferred;
        for (const PreferredMember& member : setting.preferred(family, machines[i].network))
            preferred.emplace_back(member.most_bytes, efforts_by(member.groups));
        for (const std::string& ints : sizes) {
            const double bytes = sizeof(int) * std::atof(ints.c_str());
            const auto seconds = [&](const auto& member) {
                return predicted_seconds(member.second, bytes, machines[i].network);
            };
            const auto best = std::min_element(members.begin(), members.end(),
                                               [&](const auto& a, const auto& b) { return seconds(a) < seconds(b); });
            const auto chosen = std::find_if(preferred.begin(), preferred.end(), [&](const auto& member) {
                return bytes <= static_cast<double>(member.first);
            });
            std::printf("member,%s,%zu,%s,%.9f,%.9f\n", ints.c_str(), i, best->first.c_str(), seconds(*best),
                        seconds(*chosen));
        }
    }
}

/// "choice,LAST,ALGORITHM" for blocks of up to so many bytes: of `auto` before it has measured calls.
void print_choices(const Setting& setting, const Machine& machine)
{
    for (const Choice& choice : automatic_choices(setting, machine.network))
        std::printf("choice,%zu,%s\n", choice.sizes.high, name(choice.algorithm));
}

/// "late,WAY,INTS,COMPUTE,PROBABILITY,SECONDS": for programs that compute so many seconds between calls. A process
/// loses the share of them and of a call in time, all at once or in rare delays.
void print_late(const Setting& setting, const Machine& machine, const std::vector<std::string>& sizes,
                const std::vector<std::string>& ways, double share)
{
    for (const std::string& word : ways)
        for (const std::string& ints : sizes) {
            const LateCalls calls(setting, machine, way_of(word), sizeof(int) * std::stod(ints));
            const double alone = calls.seconds(0, {});
            for (const double compute : {0.0, 1e-4, 1e-3, 1e-2})
                for (const double probability : {1.0, 0.01}) {
                    const Delay delay{share * (compute + alone), probability};
                    std::printf("late,%s,%s,%g,%g,%.9f\n", word.c_str(), ints.c_str(), compute, probability,
                                calls.seconds(compute, delay));
                }
            std::printf("late,%s,%s,%g,%g,%.9f\n", word.c_str(), ints.c_str(), 0.0, 0.0, alone);
        }
}

void print_times(const Setting& setting, const std::vector<Machine>& machines, const std::vector<std::string>& sizes,
                 const std::vector<std::string>& ways)
{
    for (const std::string& word : ways) {
        const Way way = way_of(word);
        if (!setting.possible(way))
            continue;
        const std::vector<Effort> phases = setting.efforts(way);
        double sent = 0;
        for (const Effort& effort : phases)
            sent += effort.sent;
        const EdgesBetweenNodes edges = setting.edges_between_nodes();
        std::printf("messages,%s,%g,%d,%d,%lld,%lld\n", word.c_str(), sent, setting.messages_leaving(way),
                    setting.neighbor_nodes(), static_cast<long long>(edges.sum), static_cast<long long>(edges.most));
        for (const std::string& ints : sizes) {
            std::printf("seconds,%s,%s", word.c_str(), ints.c_str());
            for (const Machine& modelled : machines)
                std::printf(",%.9f", predicted_seconds(phases, sizeof(int) * std::atof(ints.c_str()),
                                                       network_of(modelled, way)));
            std::printf("\n");
        }
    }
}

/// The arguments as above, at least eight. Throws: std::invalid_argument.
void print(const std::vector<std::string>& arguments)
{
    std::vector<Machine> machines;
    std::stringstream texts(arguments[0]);
    for (std::string text; texts >> text;)
        machines.push_back(machine(text));
    const std::string& operation = arguments[4];
    Setting setting(std::stoi(arguments[1]), machines.at(0).processes_per_node,
                    arguments[2] == "ocean" ? ocean : std::stoi(arguments[2]), std::stoi(arguments[3]),
                    operation == "allgather" ? Blocks::common : Blocks::individual, ranks_of(arguments[7]));
    const std::vector<std::string> sizes = words(arguments[5]);
    const std::vector<std::string> ways = words(arguments[6]);
    if (operation == "nodes") {
        for (const int node : setting.nodes().of_rank)
            std::printf("%d\n", node);
    } else if (operation == "goal") {
        const Way way = way_of(ways.at(0));
        const auto bytes = static_cast<std::size_t>(sizeof(int) * std::stod(sizes.at(0)) + 0.5);
        write_goal(std::cout, setting.grid().size(), bytes, [&](int rank) { return setting.schedule(way, rank); });
    } else if (operation == "choice") {
        print_choices(setting, machines.front());
    } else if (operation == "late") {
        print_late(setting, machines.front(), sizes, ways, std::stod(arguments.at(8)));
    } else if (arguments.size() > 8) {
        print_loaded(setting, machines.front(), sizes, ways, {arguments.begin() + 8, arguments.end()});
    } else if (ways.at(0) == "family") {
        print_family(setting, machines, sizes);
    } else {
        print_times(setting, machines, sizes, ways);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 9) {
        std::fputs("usage: model MACHINES PROCESSES DIMENSIONS SHIFTS alltoall|allgather|nodes|choice|goal|late "
                   "INTS,... WAY,... "
                   "consecutive|mapped [PLACEMENT...]\n",
                   stderr);
        return 2;
    }
    try {
        print({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return std::cout.flush() && std::fflush(stdout) == 0 ? 0 : 1;
}
