// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the time of one call by the cost model, for the same cases as smpi.cpp and for cases beyond it.
//
//   model "MACHINE MACHINE..." PROCESSES DIMENSIONS SHIFTS alltoall|allgather|nodes INTS,... WAY,...
//         consecutive|mapped
//
// With `nodes` as operation: the node of each rank, line by line. Else a line of CSV per way: the way, messages of the
// busiest process to other nodes, messages leaving the busiest node, neighboring nodes, edges between nodes and those
// of the busiest one; then per size one with way, size and, for each machine, seconds. A size may be a fraction. All
// machines have as many processes on a node as the first. With the way `family`: per size and machine the groups and
// the seconds of the member of the family that is fastest, and the seconds of the one that the library prefers.
#include "scripts/simulation/setting.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace hopscotch::schedules;
using namespace simulation;

namespace
{

Network network_of(const Machine& machine, Way way)
{
    Network network = machine.network;
    if (is_of_the_library(way)) {
        network.node_overhead = machine.library_overhead;
        network.node_latency = machine.library_latency;
    }
    return network;
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

} // namespace

int main(int argc, char** argv)
{
    if (argc < 9) {
        std::fputs("usage: model MACHINES PROCESSES DIMENSIONS SHIFTS alltoall|allgather|nodes INTS,... WAY,... "
                   "consecutive|mapped\n",
                   stderr);
        return 2;
    }
    std::vector<Machine> machines;
    std::stringstream texts(argv[1]);
    for (std::string text; texts >> text;)
        machines.push_back(machine(text));
    const std::string operation = argv[5];
    Setting setting(std::atoi(argv[2]), machines.at(0).processes_per_node, std::atoi(argv[3]), std::atoi(argv[4]),
                    operation == "allgather" ? Blocks::common : Blocks::individual, ranks_of(argv[8]));
    if (operation == "nodes") {
        for (const int node : setting.nodes().of_rank)
            std::printf("%d\n", node);
        return 0;
    }
    if (std::string(argv[7]) == "family") {
        print_family(setting, machines, words(argv[6]));
        return 0;
    }
    for (const std::string& word : words(argv[7])) {
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
        for (const std::string& ints : words(argv[6])) {
            std::printf("seconds,%s,%s", word.c_str(), ints.c_str());
            for (const Machine& modelled : machines)
                std::printf(",%.9f", predicted_seconds(phases, sizeof(int) * std::atof(ints.c_str()),
                                                       network_of(modelled, way)));
            std::printf("\n");
        }
    }
    return 0;
}
