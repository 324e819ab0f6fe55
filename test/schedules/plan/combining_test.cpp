// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The combining alltoall: a 3x3 example by hand, the paper's counts, and every small job.
#include "schedules/plan/combining.hpp"

#include "schedules/plan/cost.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"
#include "test/schedules/plan/rules.hpp"

using namespace hopscotch::schedules;

namespace
{

Schedule plan(const Job& job, int rank)
{
    return combining_alltoall(job.neighborhood(rank));
}

/// The schedule of a process whose program lists the eight neighbors in lexicographic order on a 3x3 grid.
std::string nine_point(bool periodic, int rank)
{
    const Topology topology({3, 3}, {periodic, periodic});
    const Stencil stencil = moore(2, 1);
    std::ostringstream text;
    text << combining_alltoall(place(topology, stencil, edges_of(topology, stencil, rank)));
    return text.str();
}

void check(const Job& job)
{
    const std::string found = fault(job, TestedOperation::alltoall, plan);
    if (!found.empty())
        FAIL_CHECK(found);
    const Stencil stencil = job.planned_stencil();
    int volume = 0;
    for (const Edges& edges : job.edges) {
        const Schedule schedule = plan(job, edges.rank);
        volume += schedule.volume();
        if (schedule.messages() > rounds(stencil))
            FAIL_CHECK("more messages than rounds; " + describe(job));
        if (!job.topology.fully_periodic())
            continue;
        if (schedule.messages() != rounds(stencil) || schedule.volume() != alltoall_volume(stencil))
            FAIL_CHECK("not C messages or V blocks; " + describe(job));
    }
    // On a mesh too every block takes one hop per non-zero shift, neither more nor fewer.
    int expected = 0;
    for (const Edges& edges : job.edges)
        for (int b = 0; b < stencil.size(); ++b)
            if (job.topology.neighbor(edges.rank, stencil.offset(b)) != no_rank)
                expected += hops(stencil, b);
    if (volume != expected)
        FAIL_CHECK("blocks took another number of hops; " + describe(job));
}

} // namespace

// Rank 4 is the centre (1,1); the blocks, numbered as its neighbors are listed:
//
//     0 (-1,-1)   1 (-1, 0)   2 (-1, 1)
//     3 ( 0,-1)               4 ( 0, 1)
//     5 ( 1,-1)   6 ( 1, 0)   7 ( 1, 1)
//
// Phase 0 goes along the first dimension: 0 1 2 leave together for (0,1), rank 1, and those of (2,1), rank 7, arrive;
// 5 6 7 the other way. 1 and 6 are then at their end. Phase 1 goes along the second: 3 joins the blocks 0 and 5 that
// came from outside, 4 joins 2 and 7. Four messages instead of eight, twelve blocks instead of eight.
TEST_CASE("the nine-point stencil on a 3x3 torus, by hand", "[alltoall]")
{
    CHECK(nine_point(true, 4) ==
          "4 messages, 12 blocks sent, 12 received\n"
          "phase 0\n"
          "  to 1: send 0, send 1, send 2 | from 7: transit 0..2 | deliver transit 1 -> receive 1\n"
          "  to 7: send 5, send 6, send 7 | from 1: transit 3..5 | deliver transit 4 -> receive 6\n"
          "phase 1\n"
          "  to 3: transit 0, send 3, transit 3 | from 5: transit 6..8 | deliver transit 6 -> receive 0, "
          "transit 7 -> receive 3, transit 8 -> receive 5\n"
          "  to 5: transit 2, send 4, transit 5 | from 3: transit 9..11 | deliver transit 9 -> receive 2, "
          "transit 10 -> receive 4, transit 11 -> receive 7\n");
}

// The corner (0,0) of a mesh has the neighbors (0,1), (1,0), (1,1): blocks 4, 6, 7 leave, blocks 3, 1, 0 arrive. It
// forwards one block of (1,0) to (0,1).
TEST_CASE("the nine-point stencil in the corner of a 3x3 mesh, by hand", "[alltoall]")
{
    CHECK(nine_point(false, 0) == "2 messages, 4 blocks sent, 4 received\n"
                                  "phase 0\n"
                                  "  from 3: transit 0..1 | deliver transit 0 -> receive 1\n"
                                  "  to 3: send 6, send 7\n"
                                  "phase 1\n"
                                  "  from 1: transit 2..3 | deliver transit 2 -> receive 0, transit 3 -> receive 3\n"
                                  "  to 1: transit 1, send 4\n");
}

TEST_CASE("blocks to the process itself are copied, repeats travel together", "[alltoall]")
{
    const Topology ring({4}, {true});
    const Stencil stencil(1, {0, 1, 1, 5});
    const Stencil planned = sorted(canonical(stencil, ring));
    const Schedule schedule = combining_alltoall(place(ring, planned, edges_of(ring, stencil, 2)));
    std::ostringstream text;
    text << schedule;
    CHECK(text.str() == "1 messages, 3 blocks sent, 3 received\n"
                        "copy send 0 -> receive 0\n"
                        "phase 0\n"
                        "  to 3: send 1, send 2, send 3 | from 1: transit 0..2 | deliver transit 0 -> receive 1, "
                        "transit 1 -> receive 2, transit 2 -> receive 3\n");
}

TEST_CASE("phases are dimensions on every process, even where a mesh has nothing to do", "[alltoall]")
{
    const Topology mesh({1, 3, 2}, {false, false, true});
    const Stencil stencil = sorted(canonical(Stencil(3, {1, 0, 0, 0, 0, 1, 0, 2, 0}), mesh));
    for (int rank = 0; rank < mesh.size(); ++rank) {
        const Schedule schedule = combining_alltoall(place(mesh, stencil, edges_of(mesh, stencil, rank)));
        REQUIRE(schedule.phases.size() == 3);
        CHECK(schedule.phases[0].rounds.empty());
        CHECK(schedule.phases[1].rounds.size() == (mesh.coordinates(rank)[1] == 1 ? 0U : 1U));
        CHECK(schedule.phases[2].rounds.size() == 1);
    }
}

TEST_CASE("rounds and volume are those of Proposition 3.2 where nothing wraps", "[alltoall]")
{
    for (int d = 1; d <= 4; ++d)
        for (int n = 2; n <= 5; ++n) {
            const Topology torus(std::vector<int>(static_cast<std::size_t>(d), n), std::vector<bool>(d, true));
            const Stencil stencil = sorted(canonical(grid(d, n, -1), torus));
            const Schedule schedule = combining_alltoall(place(torus, stencil, edges_of(torus, stencil, 0)));
            int volume = 0; // sum over j of j (n-1)^j (d over j)
            for (int j = 1, choose = d, power = n - 1; j <= d; ++j) {
                volume += j * power * choose;
                power *= n - 1;
                choose = choose * (d - j) / (j + 1);
            }
            CHECK(schedule.messages() == d * (n - 1));
            CHECK(schedule.volume() == volume);
        }
}

TEST_CASE("a process of a million builds its schedule alone", "[alltoall]")
{
    const Topology torus({1 << 7, 1 << 7, 1 << 6}, {true, false, true});
    REQUIRE(torus.size() == 1 << 20);
    const Stencil stencil = moore(3, 1);
    const Schedule schedule = combining_alltoall(place(torus, stencil, edges_of(torus, stencil, 777777)));
    CHECK(schedule.messages() == 6);
    CHECK(schedule.volume() == 54);
}

TEST_CASE("combining alltoall delivers on every small job", "[alltoall]")
{
    for_every_small_job(check);
}

TEST_CASE("combining alltoall delivers on random larger jobs", "[alltoall]")
{
    for_random_jobs(200, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        check(job);
    });
}
