// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The members that are preferred by size: splits for small blocks, groups for large ones, never slower than the paper's
// by the work of all processes of a job.
#include "schedules/nodes/preferred_member.hpp"

#include "schedules/nodes/effort.hpp"
#include "schedules/plan/collective_schedule.hpp"
#include "schedules/plan/combining.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <limits>

using namespace hopscotch::schedules;

namespace
{

/// Platforms of scripts/simulation, and one whose latency exceeds its overhead.
constexpr Network omnipath{0.2e-6, 0.73e-6, 1.44e-6, 8.1e-11, 0.15e-6, 0.03e-6, 1.25e-10};
constexpr Network gemini{0.7e-6, 0.35e-6, 0.35e-6, 1.7e-10, 0.2e-6, 0.06e-6, 2.5e-10};
constexpr Network far{5e-6, 0.1e-6, 0.1e-6, 8.1e-11, 0.15e-6, 0.03e-6, 1.25e-10};
constexpr Network wide{0.2e-6, 0.73e-6, 1.44e-6, 8.1e-11 / 45000, 0.15e-6, 0.03e-6, 1.25e-10 / 45000}; // for megabytes

Nodes consecutive(int processes, int per_node)
{
    std::vector<int> labels;
    for (int rank = 0; rank < processes; ++rank)
        labels.push_back(rank / per_node);
    return nodes_of(labels);
}

std::string in_words(const std::vector<PreferredMember>& members)
{
    std::string text;
    for (const PreferredMember& member : members)
        text += (text.empty() ? "" : " ") + (member.groups.empty() ? "paper" : to_string(member.groups)) +
                (member.most_bytes == std::numeric_limits<std::size_t>::max() ? "" : " |");
    return text;
}

/// A torus of equal extents with the benchmark's stencil.
struct Torus {
    Blocks blocks;
    Topology topology;
    Stencil stencil;

    Torus(int d, int n, int extent, Blocks individual_or_common = Blocks::individual)
        : blocks(individual_or_common), topology(std::vector<int>(static_cast<std::size_t>(d), extent),
                                                 std::vector<bool>(static_cast<std::size_t>(d), true)),
          stencil(sorted(canonical(grid(d, n, -1), topology)))
    {
    }

    std::vector<PreferredMember> preferred(int per_node, const Network& network) const
    {
        return preferred_members(blocks, family(stencil, topology), topology, stencil,
                                 consecutive(topology.size(), per_node), network);
    }

    /// Of the busiest process and node by the groups.
    std::vector<Effort> efforts_by(const std::vector<Group>& groups, const Nodes& nodes) const
    {
        std::vector<std::vector<Effort>> all;
        const Routing routing = combining_routing(blocks, topology, stencil, groups);
        for (int rank = 0; rank < topology.size(); ++rank) {
            const Neighborhood placed = place(topology, stencil, edges_of(topology, stencil, rank));
            all.push_back(efforts(blocks == Blocks::common ? combining_allgather(placed, routing)
                                                           : combining_alltoall(placed, routing),
                                  rank, nodes));
        }
        return busiest(all, nodes);
    }
};

} // namespace

TEST_CASE("Splits are preferred for small blocks, groups for large ones")
{
    CHECK(in_words(Torus(3, 5, 12).preferred(1, omnipath)) == "0:2/1:2/2:2 | paper");
    CHECK(in_words(Torus(3, 5, 12).preferred(1, wide)) == "0:2/1:2/2:2 | paper"); // above 13.5 MiB
    CHECK(in_words(Torus(5, 5, 6).preferred(1, omnipath)) == "0:2/1:2/2:2/3:2/4:2 | paper | 0+1/2+3+4");
    CHECK(in_words(Torus(3, 3, 12).preferred(1, omnipath)) == "paper");
    CHECK(in_words(Torus(5, 3, 6).preferred(1, far)) == "0+1/2+3+4");
    CHECK(in_words(Torus(2, 3, 4).preferred(16, omnipath)) == "paper");
}

TEST_CASE("Splits of an allgather pay for larger blocks, too, since they send no more of them")
{
    const auto preferred = [](int d, int n, int extent, const Network& network) {
        return in_words(Torus(d, n, extent, Blocks::common).preferred(1, network));
    };
    CHECK(preferred(3, 5, 12, omnipath) == "0:2/1:2/2:2 | paper");
    CHECK(preferred(3, 7, 12, omnipath) == "0:3/1:3/2:3 | paper");
    CHECK(preferred(3, 3, 12, omnipath) == "paper");
    CHECK(preferred(5, 3, 6, far) == "0+1/2+3+4");
    CHECK(preferred(3, 5, 12, far) == "0/1+2");
    CHECK(preferred(5, 5, 6, omnipath) == "paper"); // so many trees would take too long
}

TEST_CASE("A stencil without steps, and one of a single dimension, go by the paper")
{
    const Topology one({4}, {true});
    const auto preferred = [&one](const Stencil& stencil) {
        return in_words(
            preferred_members(Blocks::individual, family(stencil, one), one, stencil, consecutive(4, 1), omnipath));
    };
    CHECK(preferred(Stencil(1, {0})) == "paper");
    CHECK(preferred(Stencil(1, {-1, 1})) == "paper");
}

TEST_CASE("Splits pay where the paper's schedule saves no message")
{
    const Blocks blocks = GENERATE(Blocks::individual, Blocks::common);
    const Topology torus({12, 12, 12}, {true, true, true});
    const auto star_pays_up_to = [&torus, blocks](int radius, int most_neighbors) {
        Stencil star(3, {});
        for (int k = 0; k < 3; ++k)
            for (int shift = -radius; shift <= radius; ++shift) {
                std::vector<int> offset(3, 0);
                offset[static_cast<std::size_t>(k)] = shift;
                if (shift != 0)
                    star.append(offset.data());
            }
        const Stencil stencil = sorted(canonical(star, torus));
        const Nodes nodes = consecutive(torus.size(), 1);
        const auto members = preferred_members(blocks, family(stencil, torus), torus, stencil, nodes, omnipath);
        return splits_pay_up_to(blocks, members, most_neighbors, torus, stencil, nodes, omnipath);
    };
    CHECK(star_pays_up_to(1, 6) == 0); // no split has fewer messages
    CHECK(star_pays_up_to(4, 24) > 0);
    CHECK(star_pays_up_to(4, 12) == 0); // on a mesh without a process that has more
}

TEST_CASE("Combining pays while it is as fast as direct messages, copies included")
{
    // One process on each of 64 nodes: direct, 26 messages of 2.17 us and one block each, which nobody copies;
    // combining sends 6 messages with 54 blocks, copied at both ends.
    const Torus torus(3, 3, 4);
    const Nodes nodes = consecutive(64, 1);
    const auto pays_up_to = [&](const std::vector<PreferredMember>& members, const Network& network) {
        return members_pay_up_to(Blocks::individual, members, torus.topology, torus.stencil, nodes, network);
    };
    const std::size_t most = pays_up_to(torus.preferred(1, omnipath), omnipath);
    const std::vector<Effort> combining = torus.efforts_by({}, nodes);
    const std::vector<Effort> direct = torus.efforts_by({{{0, 1, 2}}}, nodes);
    const auto seconds = [](const std::vector<Effort>& efforts, std::size_t bytes) {
        return predicted_seconds(efforts, static_cast<double>(bytes), omnipath);
    };
    // 26 * 2.17 + 0.2 us = 6 * 2.17 + 3 * 0.2 us + 108 copies of 0.125 ns a byte: 3185 bytes.
    CHECK(most == 3185);
    CHECK(seconds(combining, most) <= seconds(direct, most));
    CHECK(seconds(combining, most + 1) > seconds(direct, most + 1));
    CHECK(most < combining_cutoff_bytes(torus.stencil, Blocks::individual, cost_of_message(omnipath)));
    CHECK(pays_up_to({}, omnipath) == 0);
    CHECK(pays_up_to(torus.preferred(1, wide), wide) == (1 << 25) - 1); // for all blocks that are looked at
}

TEST_CASE("The preferred member is never slower than the paper's by the work of all processes")
{
    const Blocks blocks = GENERATE(Blocks::individual, Blocks::common);
    for (const auto& [d, n, extent] : {std::array{3, 3, 6}, std::array{3, 5, 6}, std::array{4, 3, 4}})
        for (const int per_node : {1, 2, 6, 16}) {
            const Torus torus(d, n, extent, blocks);
            const Nodes nodes = consecutive(torus.topology.size(), per_node);
            const std::vector<Effort> paper = torus.efforts_by({}, nodes);
            for (const Network& network : {omnipath, gemini, far}) {
                std::size_t low = 1;
                for (const PreferredMember& member : torus.preferred(per_node, network)) {
                    const std::vector<Effort> efforts = torus.efforts_by(member.groups, nodes);
                    const std::size_t high = std::min(member.most_bytes, std::size_t{1} << 16);
                    for (const std::size_t bytes : {low, low + (high - low) / 2, high}) {
                        INFO(d << " " << n << " " << per_node << " " << bytes << " " << to_string(member.groups));
                        const auto size = static_cast<double>(bytes);
                        CHECK(predicted_seconds(efforts, size, network) * 0.99 <=
                              predicted_seconds(paper, size, network));
                    }
                    low = high + 1;
                }
            }
        }
}
