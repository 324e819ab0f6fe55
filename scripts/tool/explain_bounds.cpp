// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the fewest rounds and blocks of a stencil for each number of phases, and those that are reached.
#include "scripts/tool/explain_bounds.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/plan/family.hpp"

#include <algorithm>
#include <cstddef>

namespace hopscotch::tool
{

using namespace schedules;

namespace
{

/// Numbers to the right, the last cell to the left.
std::string row(const std::vector<std::string>& cells)
{
    constexpr std::size_t width = 11;
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool last = i + 1 == cells.size();
        text += last ? "  " : std::string(width - std::min(width, cells[i].size()), ' ');
        text += cells[i];
    }
    return text + "\n";
}

std::string row_of(const Member& member, int t)
{
    const int phases = member.phases();
    return row({std::to_string(phases), std::to_string(fewest_rounds(t + 1LL, phases)), std::to_string(member.rounds()),
                std::to_string(least_volume(t, member.rounds(), phases)), std::to_string(member.volume()),
                to_string(member.groups)});
}

} // namespace

std::string bounds_text(const Topology& topology, const Stencil& given)
{
    const Stencil stencil = sorted(canonical(given, topology));
    const int t = distinct_peers(stencil);
    std::string text = "process grid  " + to_string(topology) + ", " + std::to_string(topology.size()) +
                       " processes\nstencil       " + name(stencil, topology) + ": " + std::to_string(t) +
                       " neighbors\n\nalltoall, schedules by their number of phases\n" +
                       row({"phases", "rounds >=", "rounds", "blocks >=", "blocks", "groups"});
    std::vector<Member> members = family(stencil, topology);
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.phases() < b.phases(); });
    for (const Member& member : members)
        text += member.phases() > 0 ? row_of(member, t) : "";
    const int logarithm = fewest_rounds(t + 1LL, 31);
    text +=
        "\nOf one process: rounds, each a message out and one in; blocks that it sends. The columns with >= are\n"
        "proven, on a torus or where a process has all neighbors: no schedule with so many phases has fewer rounds,\n"
        "and none with so many phases and rounds sends fewer blocks. With any number of phases a schedule has at\n"
        "least " +
        std::to_string(logarithm) + " rounds (the logarithm of neighbors + 1 to base 2) and " + std::to_string(t) +
        " blocks.\n";
    return text;
}

} // namespace hopscotch::tool
