// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The choice among candidate grids: the survivors on one process, on all of them, and the best one.
#include "schedules/grid/grid_choice.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

std::vector<std::string> texts(const std::vector<Candidate>& candidates)
{
    std::vector<std::string> result;
    for (const Candidate& candidate : candidates)
        result.push_back(to_string(candidate.topology));
    return result;
}

/// The candidates that survive on all processes, as a bitwise AND finds them.
Survivors common(const std::vector<Survivors>& of_processes)
{
    Survivors result = of_processes.front();
    for (const Survivors& own : of_processes)
        std::transform(own.begin(), own.end(), result.begin(), result.begin(), std::bit_and<>());
    return result;
}

/// The grid of the job that all its processes find by comparison with `root`; empty if they find none.
std::string found_by_root(const Job& job, const std::vector<Candidate>& candidates, int root)
{
    const std::vector<int>& destinations = job.edges[root].destinations;
    std::vector<Survivors> survivors;
    SearchBudget budget(1 << 24);
    for (const Edges& own : job.edges)
        survivors.push_back(like_root(candidates, root, destinations, own, budget));
    const auto best = best_explanation(
        common(survivors), [&](std::size_t i) { return offsets(candidates[i].topology, root, destinations); });
    return best ? to_string(candidates[best->candidate].topology) : "";
}

std::string found_by_cover(const Job& job, const std::vector<Candidate>& candidates)
{
    std::vector<std::vector<int>> lists;
    std::size_t most = 0;
    for (const Edges& own : job.edges) {
        lists.push_back(own.destinations);
        most = std::max(most, own.destinations.size());
    }
    std::vector<Survivors> survivors;
    for (const Edges& own : job.edges)
        survivors.push_back(cover(candidates, lists, static_cast<int>(most), own).survivors);
    const Covers covers = cover(candidates, lists, static_cast<int>(most), job.edges.front());
    const auto best = best_explanation(common(survivors), [&](std::size_t i) { return covers.stencils[i]; });
    return best ? to_string(candidates[best->candidate].topology) : "";
}

/// The displayed periods of the first candidate that explains the job by comparison with process 0; p marks a periodic
/// dimension.
std::string shown_periods(const Job& job, const std::vector<Candidate>& candidates)
{
    const std::vector<int>& destinations = job.edges.front().destinations;
    std::vector<Survivors> survivors;
    SearchBudget budget(1 << 24);
    for (const Edges& own : job.edges)
        survivors.push_back(like_root(candidates, 0, destinations, own, budget));
    const auto best = best_explanation(common(survivors),
                                       [&](std::size_t i) { return offsets(candidates[i].topology, 0, destinations); });
    const Topology& grid = candidates[best->candidate].topology;
    return to_string(Topology(grid.dims(), periods_to_show(candidates, best->candidate, best->stencil)));
}

} // namespace

TEST_CASE("of two processes that lie along a dimension it is shown periodic as it was given, or listed twice",
          "[grid_choice]")
{
    std::mt19937 random(5);
    const Job mesh = shuffled_job(Topology({2, 2}, {false, false}), moore(2, 1), random);
    const Job torus = shuffled_job(Topology({2, 2}, {true, true}), moore(2, 1), random);
    const Job mixed = shuffled_job(Topology({2, 4}, {false, true}), moore(2, 1), random);
    const auto given = [](bool periodic, GridOrigin found) {
        return in_all_patterns(Topology({2, 2}, {periodic, periodic}), found);
    };
    CHECK(shown_periods(mesh, given(false, GridOrigin::parent)) == "2x2");
    CHECK(shown_periods(mesh, given(true, GridOrigin::parent)) == "2px2p");
    CHECK(shown_periods(mesh, given(true, GridOrigin::recorded)) ==
          "2x2"); // by MPI_Dims_create, which gives no periods
    CHECK(shown_periods(torus, given(true, GridOrigin::recorded)) == "2px2p");
    CHECK(shown_periods(torus, given(true, GridOrigin::inferred)) == "2px2p");
    CHECK(shown_periods(mixed, inferred_grids(8, false)) == "2x4p");
    const std::vector<Candidate> wide{{Topology({2, 3}, {true, true}), GridOrigin::inferred}};
    CHECK(periods_to_show(wide, 0, Stencil(2, {0, 1, 1, 0, 1, 0})) == std::vector<bool>{true, true});
    CHECK(periods_to_show(wide, 0, Stencil(2, {0, 1, 1, 0})) == std::vector<bool>{false, true});
}

TEST_CASE("a dimension of one process is shown periodic as it was given, or if the process is its own neighbor",
          "[grid_choice]")
{
    std::mt19937 random(5);
    struct Row {
        bool along_two, along_one; // periods of the graph
        const char* expected;
    };
    for (const Row& row :
         {Row{false, false, "2x1"}, {true, true, "2px1p"}, {true, false, "2px1"}, {false, true, "2x1p"}}) {
        const Topology grid({2, 1}, {row.along_two, row.along_one});
        const Job job = shuffled_job(grid, star(2, 1), random);
        for (const GridOrigin found : {GridOrigin::parent, GridOrigin::hint,
                                       GridOrigin::recorded}) // a recorded grid says nothing of its periods
            CHECK(shown_periods(job, in_all_patterns(grid, found)) == row.expected);
        CHECK(shown_periods(job, in_all_patterns(Topology({2, 1}, {true, true}), GridOrigin::recorded)) ==
              row.expected);
    }
    const std::vector<Candidate> thin{{Topology({4, 3, 1}, {true, true, true}), GridOrigin::inferred}};
    CHECK(periods_to_show(thin, 0, Stencil(3, {0, 0, 0, 0, 0, 0, 1, 0, 0})) == std::vector<bool>(3, true));
    const Topology flat({1, 3, 1}, {false, true, false});
    CHECK(shown_periods(shuffled_job(flat, moore(3, 1), random), in_all_patterns(flat, GridOrigin::parent)) ==
          "1x3px1");
    CHECK(shown_periods(shuffled_job(flat, star(3, 1), random), in_all_patterns(flat, GridOrigin::recorded)) ==
          "1x3px1");
}

TEST_CASE("a grid that was shown comes before the same one with other periods", "[grid_choice]")
{
    const std::vector<Candidate> candidates = in_all_patterns(Topology({2, 3}, {true, false}), GridOrigin::hint);
    CHECK(texts(candidates) == std::vector<std::string>{"2px3", "2px3p", "2x3p", "2x3"});
    CHECK(candidates.back().found == GridOrigin::hint);
}

TEST_CASE("grids that were shown are trusted if they have as many processes", "[grid_choice]")
{
    const Topology line({6}, {true});
    const Topology grid({2, 3}, {true, true});
    const std::vector<Candidate> hints{{line, GridOrigin::recorded}};
    CHECK(texts(trusted_grids(6, line, std::nullopt, hints)) == std::vector<std::string>{"6p", "6", "6p"});
    CHECK(texts(trusted_grids(6, std::nullopt, line, {})) == std::vector<std::string>{"6p", "6"});
    CHECK(trusted_grids(6, grid, line, hints).front().found == GridOrigin::parent);
    CHECK(trusted_grids(6, grid, line, hints).back().found == GridOrigin::recorded);
    CHECK(trusted_grids(7, grid, line, hints).empty());
}

TEST_CASE("grids that were shown with more cells than processes may explain a part", "[grid_choice]")
{
    const Topology line({6}, {true});
    const Topology grid({3, 4}, {true, false});
    CHECK(texts(larger_grids(5, grid, line, {{line, GridOrigin::recorded}})) ==
          std::vector<std::string>{"3px4", "6p", "6p"});
    CHECK(texts(larger_grids(6, grid, line, {})) == std::vector<std::string>{"3px4"});
    CHECK(larger_grids(1, Topology({9}, {true}), std::nullopt, {}).empty());
}

TEST_CASE("other candidates, and others in other order, have another hash", "[grid_choice]")
{
    const std::vector<Candidate> one = in_all_patterns(Topology({2, 3}, {true, false}), GridOrigin::hint);
    const std::vector<Candidate> other = in_all_patterns(Topology({2, 3}, {true, true}), GridOrigin::hint);
    CHECK(hash_of(one) >= 0);
    CHECK(hash_of(one) == hash_of(in_all_patterns(Topology({2, 3}, {true, false}), GridOrigin::hint)));
    CHECK(hash_of(one) != hash_of(other));
    CHECK(hash_of(one) != hash_of(in_all_patterns(Topology({2, 3}, {true, false}), GridOrigin::recorded)));
    CHECK(hash_of(one) != hash_of({}));
}

TEST_CASE("a search gets the unused steps of its part back, and learns that work was left out", "[grid_choice]")
{
    SearchBudget budget(100);
    SearchBudget part = budget.lend(4);
    CHECK(part.left() == 25);
    CHECK(budget.left() == 75);
    CHECK(part.take(25));
    budget.give_back(part);
    CHECK(budget.left() == 75);
    CHECK_FALSE(budget.has_left_out());
    SearchBudget more = budget.lend(3);
    CHECK(more.take(5));
    more.leave_out();
    budget.give_back(more);
    CHECK(budget.left() == 70);
    CHECK(budget.has_left_out());
    CHECK(budget.take(70)); // the other part left something out
    CHECK_FALSE(budget.take(1));
}

TEST_CASE("inferred grids are the tori, then all others", "[grid_choice]")
{
    CHECK(texts(inferred_grids(6, false)) == std::vector<std::string>{"6p", "2px3p", "3px2p"});
    CHECK(texts(inferred_grids(6, true)) ==
          std::vector<std::string>{"6", "2px3", "2x3p", "2x3", "3px2", "3x2p", "3x2"});
    CHECK(inferred_grids(1 << 20, true).size() == 16384);
    SearchBudget budget(20);
    CHECK(texts(inferred_grids(6, true, budget)) == std::vector<std::string>{"6", "2px3", "2x3p"});
    CHECK(budget.has_left_out());
    CHECK(budget.left() == 2);
    SearchBudget enough(18);
    CHECK(inferred_grids(6, false, enough).size() == 3);
    CHECK(!enough.has_left_out());
    CHECK(enough.left() == 0);
    CHECK(inferred_grids(6, false, enough).empty());
    CHECK(enough.has_left_out());
}

TEST_CASE("of many grids the one that explains a job is found", "[grid_choice]")
{
    std::mt19937 random(17);
    const Job torus = shuffled_job(Topology({4, 6}, {true, true}), moore(2, 1), random);
    CHECK(found_by_root(torus, inferred_grids(24, false), 9) == "4px6p");
    CHECK(found_by_root(torus, inferred_grids(24, true), 9).empty()); // no mesh explains it
    const Job ring = shuffled_job(Topology({8}, {true}), star(1, 1), random);
    CHECK(found_by_root(ring, inferred_grids(8, false), 3) == "8p");
    CHECK(found_by_root(ring, {}, 3).empty());
}

TEST_CASE("a mesh is found though no process sees the whole stencil", "[grid_choice]")
{
    std::mt19937 random(8);
    const Job mesh = shuffled_job(Topology({4, 4}, {false, false}), moore(2, 2), random);
    CHECK(found_by_root(mesh, inferred_grids(16, true), 5).empty());
    CHECK(found_by_cover(mesh, inferred_grids(16, true)) == "4x4");
    const Job line = shuffled_job(Topology({2}, {false}), star(1, 1), random);
    CHECK(found_by_cover(line, inferred_grids(2, true)) == "2"); // two rounds for processes with one neighbor
    Job far = shuffled_job(Topology({4, 4}, {false, false}), star(2, 2), random);
    CHECK(found_by_cover(far, inferred_grids(16, true)) == "4x4"); // eight rounds for processes with six neighbors
    far.edges[5].destinations.pop_back();
    CHECK(found_by_cover(far, inferred_grids(16, true)).empty());
}

TEST_CASE("a mesh that saves nothing is none if no process sees half of the stencil", "[grid_choice]")
{
    std::mt19937 random(9);
    Job torus = shuffled_job(Topology({4, 3}, {true, true}), moore(2, 1), random);
    const auto take = [](std::vector<int>& list, int rank) { list.erase(std::find(list.begin(), list.end(), rank)); };
    take(torus.edges[11].destinations, 0);
    take(torus.edges[0].sources, 11);
    CHECK(
        found_by_cover(torus, in_all_patterns(Topology({4, 3}, {true, true}), GridOrigin::hint)).empty()); // 23 offsets
}

TEST_CASE("survivors beyond the first word are found", "[grid_choice]")
{
    Survivors survivors(3, 0);
    const auto few = [](std::size_t i) { return i == 129 ? star(2, 1) : star(3, 1); };
    CHECK_FALSE(best_explanation(survivors, few));
    survivors[0] = survivors[2] = 2;
    const auto best = best_explanation(survivors, few);
    REQUIRE(best);
    CHECK(best->candidate == 129);
    CHECK(words_for(64) == 1);
    CHECK(best->stencil == sorted(star(2, 1)));
}

TEST_CASE("All candidates at once are compared with the root as one by one", "[grid_choice]")
{
    for_random_jobs(60, [](const Job& job, unsigned seed) {
        INFO("seed " << seed << ", " << describe(job));
        std::vector<Candidate> candidates = inferred_grids(job.topology.size(), false);
        const std::vector<Candidate> others = inferred_grids(job.topology.size(), true);
        candidates.insert(candidates.end(), others.begin(), others.end());
        candidates.resize(std::min<std::size_t>(candidates.size(), 600));
        const std::vector<int>& listed = job.edges.front().destinations;
        const Edges& own = job.edges[seed % job.edges.size()];
        SearchBudget budget(1 << 24);
        const Survivors survivors = like_root(candidates, 0, listed, own, budget);
        CHECK_FALSE(budget.has_left_out());
        bool equal = true;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const bool survives = (survivors[i / 64] >> (i % 64) & 1) != 0;
            equal = equal &&
                    survives == same_as(candidates[i].topology, 0, listed, own.rank, own.destinations, own.sources);
        }
        CHECK(equal);
    });
}

TEST_CASE("Candidates without steps in the budget are left out", "[grid_choice]")
{
    std::mt19937 random(7);
    const Job job = shuffled_job(Topology({4, 6}, {true, true}), moore(2, 1), random);
    const std::vector<Candidate> candidates = inferred_grids(24, false);
    SearchBudget budget(40);
    const Survivors survivors = like_root(candidates, 0, job.edges[0].destinations, job.edges[0], budget);
    CHECK(budget.has_left_out());
    SearchBudget enough(1 << 20);
    CHECK(survivors != like_root(candidates, 0, job.edges[0].destinations, job.edges[0], enough));
}
