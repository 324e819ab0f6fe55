// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The groups that a setting asks for, and members by size between nodes.
#include "shim/selection/combining_members.hpp"

#include "shim/mpi/runtime.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <limits>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// A setting for as long as this lives.
struct Combining {
    explicit Combining(const std::string& wanted) { mutable_runtime().settings.combining = wanted; }
    ~Combining() { mutable_runtime().settings.combining = "auto"; }
};

/// A ring of all processes with the shifts -1, 1 and 2.
struct Ring {
    std::mt19937 random{seed()};
    JobCommunicator comm{
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {-1, 1, 2}), random)};
    Detected detected{detect(comm.get())};
};

std::string groups_by(const std::string& wanted, const Graph& graph)
{
    const Combining combining(wanted);
    return to_string(combining_groups(graph));
}

} // namespace

TEST_CASE("A setting asks for groups, the same for every graph alike")
{
    Graph graph;
    graph.topology = schedules::Topology({5}, {true});
    graph.stencil = schedules::Stencil(1, {-1, 1, 2});
    for (const char* const wanted : {"auto", "paper", "0/1"})
        CHECK(groups_by(wanted, graph).empty());
    CHECK(groups_by("0:3", graph) == "0:3");
    for (int extent = 5; extent < 20; ++extent) { // the first ones are forgotten
        graph.topology = schedules::Topology({extent}, {true});
        CHECK(groups_by("rounds", graph) == "0:2");
        CHECK(groups_by("rounds", graph) == "0:2");
    }
    graph.stencil = schedules::Stencil(1, {-1, 1}); // another one on the same grid
    const std::vector<schedules::Member> members = schedules::family(graph.stencil, graph.topology);
    CHECK(groups_by("rounds", graph) == to_string(schedules::wanted_groups("rounds", members)));
}

TEST_CASE("Members are chosen by size between nodes, alike on all processes, unless a setting asks for one")
{
    const auto blocks = GENERATE(schedules::Blocks::individual, schedules::Blocks::common);
    const Ring ring;
    const auto members = combining_members(blocks, *ring.detected.graph, *ring.detected.group);
    CHECK(members.empty() == (ring.detected.group->nodes() == 1));
    std::int64_t sum = static_cast<std::int64_t>(members.size());
    for (const schedules::PreferredMember& member : members)
        sum += static_cast<std::int64_t>(member.most_bytes / 2 + to_string(member.groups).size());
    CHECK(CollectiveConsensus(MPI_COMM_WORLD).all_equal(sum));
    if (!members.empty())
        CHECK(members.back().most_bytes == std::numeric_limits<std::size_t>::max());
    const Combining paper("paper");
    CHECK(combining_members(blocks, *ring.detected.graph, *ring.detected.group).empty());
}
