// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The family of combining schedules: Table 1 beyond the paper, the bounds, and every member on small and random jobs.
#include "schedules/plan/family.hpp"

#include "schedules/plan/combining.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <array>

using namespace hopscotch::schedules;

namespace
{

using Costs = std::array<int, 3>; // M, D, V

Costs costs(const Member& member)
{
    return {member.rounds(), member.phases(), member.volume()};
}

std::vector<Member> family_of(int d, int n, bool periodic = true, int first = -1)
{
    const auto dimensions = static_cast<std::size_t>(d);
    return family(grid(d, n, first),
                  Topology(std::vector<int>(dimensions, 12), std::vector<bool>(dimensions, periodic)));
}

bool has(const std::vector<Member>& members, const Costs& wanted)
{
    return std::any_of(members.begin(), members.end(),
                       [&wanted](const Member& member) { return costs(member) == wanted; });
}

/// The schedule of every member delivers, in the messages and blocks that the member promises.
void check_members(const Job& job)
{
    const Stencil stencil = job.planned_stencil();
    const std::vector<Member> members = family(stencil, job.topology);
    int t = 0;
    std::vector<int> previous;
    for (int b = 0; b < stencil.size(); ++b) {
        const std::vector<int> offset(stencil.offset(b), stencil.offset(b) + stencil.dimensions());
        t += hops(stencil, b) > 0 && offset != previous ? 1 : 0;
        previous = offset;
    }
    for (const Member& member : members) {
        INFO(to_string(member.groups) << "; " << describe(job));
        const Routing routing = route_of(stencil, job.topology, member.groups);
        REQUIRE(static_cast<int>(routing.size()) == member.phases());
        for (std::size_t p = 0; p < routing.size(); ++p) {
            CHECK(routing[p].load().rounds == member.loads[p].rounds);
            CHECK(routing[p].load().blocks == member.loads[p].blocks);
        }
        const auto plan = [&routing](const Job& one, int rank) {
            return combining_alltoall(one.neighborhood(rank), routing);
        };
        CHECK(fault(job, TestedOperation::alltoall, plan).empty());
        if (t > 0) {
            CHECK(member.rounds() >= fewest_rounds(t + 1, member.phases()));
            CHECK(member.volume() >= least_volume(t, member.rounds(), member.phases()));
        }
        const Costs mine = costs(member);
        CHECK(std::count_if(members.begin(), members.end(), [&mine](const Member& other) {
                  const Costs its = costs(other);
                  return its[0] <= mine[0] && its[1] <= mine[1] && its[2] <= mine[2];
              }) == 1);
        if (job.topology.fully_periodic()) {
            const Schedule schedule = plan(job, 0);
            CHECK(Costs{schedule.messages(), static_cast<int>(schedule.phases.size()), schedule.volume()} == mine);
        }
    }
    const Member paper = paper_member(stencil);
    CHECK(std::any_of(members.begin(), members.end(), [&paper](const Member& member) {
        return member.rounds() <= paper.rounds() && member.phases() <= paper.phases() &&
               member.volume() <= paper.volume();
    }));
}

} // namespace

TEST_CASE("Table 1 beyond the paper", "[family]")
{
    CHECK(has(family_of(2, 5), {8, 2, 40}));
    CHECK(has(family_of(2, 5), {6, 4, 50}));
    CHECK(has(family_of(3, 3), {6, 3, 54}));
    CHECK(has(family_of(3, 3), {10, 2, 42}));
    CHECK(has(family_of(3, 4), {6, 6, 192}));
    CHECK(has(family_of(3, 4), {18, 2, 108}));
    CHECK(has(family_of(3, 5), {12, 3, 300}));
    CHECK(has(family_of(3, 5), {9, 6, 375}));
    CHECK(has(family_of(3, 7, true, -3), {9, 9, 1323}));
    CHECK(has(family_of(4, 3), {16, 2, 144}));
    CHECK(has(family_of(4, 5), {12, 8, 2500}));
    CHECK(has(family_of(4, 5), {48, 2, 1200}));
    CHECK(has(family_of(5, 3), {18, 3, 594}));
    CHECK(has(family_of(5, 3), {34, 2, 450}));
    CHECK(has(family_of(5, 5), {148, 2, 6100}));
    CHECK(has(family_of(5, 5), {15, 10, 15625}));
    CHECK(has(family_of(5, 5, false), {15, 10, 15625}));
    for (int d = 2; d <= 5; ++d)
        for (int n = 3; n <= 5; ++n) {
            const std::vector<Member> members = family_of(d, n);
            CHECK(has(members, costs(paper_member(grid(d, n, -1)))));
            CHECK(members.back().phases() == 1);
            CHECK(members.back().rounds() == direct_volume(grid(d, n, -1)));
        }
}

TEST_CASE("The family counts up to 2^18 steps, and goes by the paper beyond", "[family]")
{
    CHECK(family(moore(7, 1), Topology({3, 3, 3, 3, 3, 3, 3}, std::vector<bool>(7, true))).size() == 1);
    const std::vector<Member> nothing = family(Stencil(2, {0, 0}), Topology({2, 2}, {true, false}));
    REQUIRE(nothing.size() == 1);
    CHECK(costs(nothing.front()) == Costs{0, 0, 0});
}

// Two phases of 5 and 5 messages: 10 ways of one hop, 25 of two.
TEST_CASE("The least volume", "[family]")
{
    CHECK(least_volume(26, 10, 2) == 10 + 16 * 2);
    CHECK(least_volume(26, 26, 1) == 26);
    CHECK(least_volume(124, 12, 3) == 12 + 48 * 2 + 64 * 3);
    CHECK(least_volume(15, 4, 4) == 4 + 6 * 2 + 4 * 3 + 4);
    CHECK(least_volume(4, 3, 1) == 3); // of the three that are within reach
}

TEST_CASE("A member is asked for", "[family]")
{
    const std::vector<Member> members = family_of(3, 5);
    CHECK(to_string(wanted_groups("rounds", members)) == "0:2/1:2/2:2");
    CHECK(to_string(wanted_groups("phases", members)) == "0/1+2");
    const std::vector<Member> larger = family_of(4, 3); // several in two phases: that with the fewest rounds
    const auto fewest = std::find_if(larger.begin(), larger.end(), [](const Member& one) { return one.phases() == 2; });
    REQUIRE(fewest != larger.end());
    CHECK(to_string(wanted_groups("phases", larger)) == to_string(fewest->groups));
    CHECK(to_string(wanted_groups("rounds", family(Stencil(2, {0, 1, 0, -1}), Topology({3, 3}, {true, true})))) == "1");
    CHECK(wanted_groups("rounds", family(Stencil(), Topology())).empty());
}

TEST_CASE("Every member of the family delivers on every small job", "[family]")
{
    for_every_small_job(check_members);
}

TEST_CASE("Every member of the family delivers on random larger jobs", "[family]")
{
    for_random_jobs(60, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        check_members(job);
    });
}

TEST_CASE("Every member of the family delivers on the stencils of Table 1", "[family]")
{
    for (int d = 2; d <= 4; ++d)
        for (int n = 3; n <= 5 && (d < 4 || n < 4); ++n)
            for (const bool periodic : {false, true}) {
                std::mt19937 random(1);
                const auto dimensions = static_cast<std::size_t>(d);
                const int extent = d == 2 ? 7 : d == 3 ? 5 : 3;
                check_members(shuffled_job(
                    Topology(std::vector<int>(dimensions, extent), std::vector<bool>(dimensions, periodic)),
                    grid(d, n, -1), random));
            }
}
