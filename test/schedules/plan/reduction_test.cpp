// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions that combine values on their way: volumes of the paper's stencils, and every small job.
#include "schedules/plan/reduction.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/allgather.hpp"
#include "schedules/plan/cost.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <deque>
#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// The parts of a value: process and block, as often as they went in.
using Value = std::multiset<std::pair<int, int>>;

void take_in(Value& into, const Value& from, int times)
{
    for (int i = 0; i < times; ++i)
        into.insert(from.begin(), from.end());
}

/// All processes, phase after phase. Throws: std::runtime_error for messages that do not fit or are missing.
std::vector<Value> simulate(const std::vector<Reduction>& plans)
{
    std::vector<std::vector<Value>> partials(plans.size());
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
        for (const std::vector<int>& blocks : plans[rank].first) {
            Value value;
            for (const int block : blocks)
                value.insert({static_cast<int>(rank), block});
            partials[rank].push_back(std::move(value));
        }
    for (std::size_t k = 0; k < plans.front().phases.size(); ++k) {
        std::map<std::pair<int, int>, std::deque<std::vector<Value>>> messages;
        for (std::size_t rank = 0; rank < plans.size(); ++rank)
            for (const ReductionRound& round : plans[rank].phases[k].rounds) {
                std::vector<Value> carried;
                for (const int partial : round.sends) {
                    carried.push_back(partials[rank].at(static_cast<std::size_t>(partial)));
                    if (carried.back().empty())
                        throw std::runtime_error("a value is sent that does not exist");
                }
                if (round.destination != no_rank)
                    messages[{static_cast<int>(rank), round.destination}].push_back(std::move(carried));
            }
        for (std::size_t rank = 0; rank < plans.size(); ++rank) {
            const ReductionPhase& phase = plans[rank].phases[k];
            std::vector<Value> arrived;
            for (const ReductionRound& round : phase.rounds) {
                if (round.source == no_rank)
                    continue;
                std::deque<std::vector<Value>>& waiting = messages[{round.source, static_cast<int>(rank)}];
                if (waiting.empty() || static_cast<int>(waiting.front().size()) != round.arrivals)
                    throw std::runtime_error("a message is missing or of another length");
                arrived.insert(arrived.end(), waiting.front().begin(), waiting.front().end());
                waiting.pop_front();
            }
            std::vector<Value> made;
            for (const std::vector<Operand>& operands : phase.partials) {
                made.emplace_back();
                for (const Operand& operand : operands)
                    take_in(made.back(),
                            (operand.arrived ? arrived : partials[rank]).at(static_cast<std::size_t>(operand.index)),
                            operand.times);
            }
            partials[rank] = std::move(made);
        }
        for (const auto& [ends, waiting] : messages)
            if (!waiting.empty())
                throw std::runtime_error("a message is left over");
    }
    std::vector<Value> results;
    for (const std::vector<Value>& last : partials)
        results.push_back(last.at(0));
    return results;
}

/// Worked out coordinate by coordinate.
Value promised_value(const Topology& topology, const Stencil& stencil, int rank, Blocks blocks)
{
    Value value;
    for (int i = 0; i < stencil.size(); ++i) {
        std::vector<int> back(stencil.offset(i), stencil.offset(i) + stencil.dimensions());
        for (int& shift : back)
            shift = -shift;
        const int source = plain_neighbor(topology, rank, back);
        if (source != no_rank)
            value.insert({source, blocks == Blocks::individual ? i : 0});
    }
    return value;
}

/// Empty, or the first fault.
std::string fault(const Topology& topology, const Stencil& given, const std::vector<int>& order, Blocks blocks)
{
    const Stencil stencil = canonical(given, topology);
    const int volume = reduction_volume(stencil, order, blocks);
    std::vector<Reduction> plans;
    for (int rank = 0; rank < topology.size(); ++rank) {
        plans.push_back(combining_reduction(topology, stencil, rank, order, blocks));
        const Reduction& plan = plans.back();
        const bool torus = topology.fully_periodic();
        if (torus ? plan.volume() != volume : plan.volume() > volume)
            return "sends " + std::to_string(plan.volume()) + " values, not " + std::to_string(volume);
        if (torus ? plan.messages() != rounds(stencil) : plan.messages() > rounds(stencil))
            return "sends " + std::to_string(plan.messages()) + " messages, not C";
        const Schedule traffic = plan.traffic();
        if (traffic.messages() != plan.messages() || traffic.volume() != plan.volume())
            return "its traffic is another";
    }
    try {
        const std::vector<Value> results = simulate(plans);
        for (int rank = 0; rank < topology.size(); ++rank) {
            const Value value = promised_value(topology, given, rank, blocks);
            if (results[static_cast<std::size_t>(rank)] != value)
                return "process " + std::to_string(rank) + " has a wrong result";
            if (plans[static_cast<std::size_t>(rank)].has_result() == value.empty())
                return "process " + std::to_string(rank) + " does not know whether it has a result";
        }
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

void check(const Job& job)
{
    for (const Blocks blocks : {Blocks::common, Blocks::individual}) {
        std::vector<int> order = reduction_order(canonical(job.stencil, job.topology), blocks);
        for (int turn = 0; turn < 2; ++turn, std::reverse(order.begin(), order.end())) {
            const std::string found = fault(job.topology, job.stencil, order, blocks);
            if (!found.empty())
                FAIL_CHECK(found << "; " << describe(job));
        }
    }
}

int volume(const Stencil& stencil, Blocks blocks)
{
    return reduction_volume(stencil, reduction_order(stencil, blocks), blocks);
}

} // namespace

TEST_CASE("values that travel for one value per neighborhood", "[reduction]")
{
    CHECK(volume(moore(3, 1), Blocks::common) == 6);        // instead of 26
    CHECK(volume(grid(3, 3, -1), Blocks::common) == 6);     // with the process itself
    CHECK(volume(moore(3, 2), Blocks::common) == 12);       // (3,5) instead of 124
    CHECK(volume(moore(5, 2), Blocks::common) == 20);       // (5,5) instead of 3124
    CHECK(volume(star(3, 1), Blocks::common) == 6);         // the number of neighbors
    CHECK(volume(grid(3, 4, 0), Blocks::common) == 9);      // not symmetric
    CHECK(volume(Stencil(2, {1, 1}), Blocks::common) == 2); // more than the one neighbor
    CHECK(volume(Stencil(2, {}), Blocks::common) == 0);
    CHECK(volume(Stencil(3, {0, 1, 1, 1, 2, 1}), Blocks::common) == 4); // neither by rounds nor the other way round
}

TEST_CASE("values that travel for one value per neighbor are the edges of the allgather's tree", "[reduction]")
{
    std::mt19937 random(7);
    CHECK(volume(moore(3, 1), Blocks::individual) == 26);
    for (int d = 1; d <= 4; ++d) {
        const Stencil stencil = sorted(random_stencil(d, 12, 2, random));
        std::vector<int> order = identity(d);
        do {
            std::vector<int> reversed(order.rbegin(), order.rend());
            CHECK(reduction_volume(stencil, reversed, Blocks::individual) == tree_volume(stencil, order));
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST_CASE("a reduction over nine points on a 3x3 torus, by hand", "[reduction]")
{
    const Topology torus({3, 3}, {true, true});
    const Reduction plan = combining_reduction(torus, moore(2, 1), 4, {0, 1}, Blocks::common);
    CHECK(plan.messages() == 4);
    CHECK(plan.volume() == 4);
    REQUIRE(plan.phases.size() == 2);
    // The column with and without the process itself: its own value is in the first only.
    REQUIRE(plan.phases[0].partials.size() == 2);
    CHECK(plan.phases[0].partials[0] == std::vector<Operand>{{true, 0, 1}, {false, 0, 1}, {true, 1, 1}});
    CHECK(plan.phases[0].partials[1] == std::vector<Operand>{{true, 0, 1}, {true, 1, 1}});
    CHECK(plan.phases[1].partials == std::vector<std::vector<Operand>>{{{true, 0, 1}, {false, 1, 1}, {true, 1, 1}}});
    CHECK(plan.phases[1].rounds[0].sends == std::vector<int>{0});
    CHECK(plan.phases[1].rounds[0].destination == 3);
    CHECK(plan.phases[1].rounds[0].source == 5);
}

TEST_CASE("offsets that lead to one process count as often as there are", "[reduction]")
{
    const Topology ring({2}, {true});
    const Reduction plan = combining_reduction(ring, canonical(star(1, 1), ring), 0, {0}, Blocks::common);
    CHECK(plan.volume() == 1);
    CHECK(plan.phases[0].partials == std::vector<std::vector<Operand>>{{{true, 0, 2}}});
}

TEST_CASE("a wrong dimension order is refused", "[reduction]")
{
    const Topology torus({3, 3}, {true, true});
    CHECK_THROWS_AS(combining_reduction(torus, moore(2, 1), 0, {0, 0}, Blocks::common), std::invalid_argument);
}

TEST_CASE("every small reduction", "[reduction][long]")
{
    for_every_small_job(check);
}

TEST_CASE("random reductions", "[reduction]")
{
    for_random_jobs(200, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        check(job);
    });
}
