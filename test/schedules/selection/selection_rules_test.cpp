// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The choice of the rules for each set of facts, one row each.
#include "test/catch.hpp"

#include "schedules/grid/stencil.hpp"
#include "schedules/selection/reasons.hpp"
#include "schedules/selection/selection_rules.hpp"

#include <limits>

using namespace hopscotch::schedules;

namespace
{

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

/// "0-100 combining | 101- merged": sizes and algorithm, then the cut-off of single blocks and the reason, if any.
std::string in_words(const std::vector<Choice>& choices)
{
    std::string text;
    for (const Choice& choice : choices) {
        const std::string to = choice.sizes.high == largest ? "" : std::to_string(choice.sizes.high);
        text += (text.empty() ? "" : " | ") + std::to_string(choice.sizes.low) + "-" + to + " " + name(choice);
        if (choice.cutoff_bytes != largest && choice.cutoff_bytes != choice.sizes.high)
            text += " up to " + std::to_string(choice.cutoff_bytes);
        text += choice.reason.empty() ? "" : ": " + choice.reason.text();
    }
    return text;
}

std::string algorithms(const std::vector<Choice>& choices)
{
    std::string text;
    for (const Choice& choice : choices)
        text += (text.empty() ? "" : " ") + name(choice);
    return text;
}

/// 27 processes of a periodic process grid, each on a node of its own.
Facts grid(Algorithm asked_for, Collective collective = Collective::alltoall)
{
    Facts facts;
    facts.collective = collective;
    facts.asked_for = asked_for;
    facts.ranks = 27;
    facts.most_neighbors = 26;
    facts.one_block_size = true;
    facts.torus_messages = 6;
    facts.combining_pays_up_to = 10000;
    return facts;
}

/// The same without a process grid.
Facts unknown(Algorithm asked_for, Collective collective = Collective::alltoall)
{
    Facts facts = grid(asked_for, collective);
    facts.declined = reason::no_grid_known;
    facts.one_block_size = false;
    facts.torus_messages = 0;
    facts.combining_pays_up_to = 0;
    return facts;
}

Facts on_one_node(Facts facts)
{
    facts.one_node = true;
    facts.shared_bytes = 5000;
    return facts;
}

/// Its processes could not share memory.
Facts on_one_node_apart(Facts facts)
{
    facts.one_node = true;
    return facts;
}

Facts on_several_nodes(Facts facts)
{
    facts.shared_bytes = 5000;
    facts.aggregated_bytes = 2000;
    facts.aggregating_pays_up_to = 512;
    return facts;
}

Facts with(Facts facts, const std::function<void(Facts&)>& change)
{
    change(facts);
    return facts;
}

Facts cut_off(Facts facts, std::size_t bytes)
{
    facts.cutoff_bytes = bytes;
    return facts;
}

/// Facts of a nonblocking call.
Facts left_alone(Facts facts)
{
    facts.left_alone = true;
    return facts;
}

/// Facts of a nonblocking call under an MPI library without shared progress.
Facts undriven(Facts facts)
{
    facts.left_alone = true;
    facts.may_forward = false;
    return facts;
}

Facts without_memory(Facts facts)
{
    facts.memory_refusal = "no memory";
    return facts;
}

struct Row {
    Facts facts;
    std::string chosen;
};

void check(const std::vector<Row>& rows)
{
    for (const Row& row : rows)
        CHECK(in_words(choose(row.facts)) == row.chosen);
}

constexpr auto automatic = Algorithm::automatic;
constexpr auto native = Algorithm::native;
constexpr auto trivial = Algorithm::trivial;
constexpr auto merged = Algorithm::merged;
constexpr auto combining = Algorithm::combining;
constexpr auto shared = Algorithm::shared;
constexpr auto aggregated = Algorithm::aggregated;
constexpr auto alltoallv = Collective::alltoallv;
constexpr auto global = Collective::global_allgather;

} // namespace

TEST_CASE("An algorithm that is asked for carries all it can")
{
    const std::string refusal = "no memory";
    const std::string waiting = "the MPI library does not drive operations that wait for other processes";
    const std::string cut = "merged: its blocks are larger than HOPSCOTCH_CUTOFF";
    const std::string too_large = "merged: its blocks do not fit into the shared memory";
    Facts by_key = grid(native);
    by_key.asked_by_key = true;
    check({
        {grid(native), "0- native: HOPSCOTCH_ALGORITHM=native"},
        {by_key, "0- native: info key hopscotch_algorithm=native"},
        {grid(trivial), "0- trivial"},
        {grid(merged), "0- merged"},
        {grid(combining), "0- combining"},
        {grid(combining, alltoallv), "0- combining"},
        {cut_off(grid(combining), 100), "0-100 combining | 101- " + cut},
        {cut_off(grid(combining), 0), "0-0 combining | 1- " + cut},
        {unknown(combining), "0- merged: HOPSCOTCH_INFER=off, and no process grid is known"},
        {left_alone(unknown(combining)), "0- merged: HOPSCOTCH_INFER=off, and no process grid is known"},
        {unknown(combining, Collective::alltoallw), "0- merged: HOPSCOTCH_INFER=off, and no process grid is known"},
        {left_alone(grid(combining)), "0- combining"},
        {undriven(grid(combining)), "0- merged: " + waiting},
        {grid(shared), "0- merged: no memory is shared between its processes"},
        {without_memory(grid(shared)), "0- merged: no memory is shared between its processes: " + refusal},
        {on_one_node(grid(shared)), "0-5000 shared | 5001- " + too_large},
        {on_one_node(unknown(shared)), "0-5000 shared | 5001- " + too_large},
        {on_one_node(grid(shared, alltoallv)), "0- shared"},
        {undriven(on_one_node(grid(shared))), "0- merged: " + waiting},
        {grid(aggregated), "0- merged: no node has several processes that share memory"},
        {without_memory(grid(aggregated)), "0- merged: no node has several processes that share memory: " + refusal},
        {on_one_node(grid(aggregated)), "0-5000 shared: all processes are on one node | 5001- " + too_large},
        {on_one_node_apart(grid(aggregated)), "0- merged: no node has several processes that share memory"},
        {with(on_several_nodes(grid(aggregated)), [](Facts& facts) { facts.aggregated_bytes = 0; }),
         "0- merged: no node has several processes that share memory"},
        {on_several_nodes(grid(aggregated)), "0-2000 aggregated | 2001- " + too_large},
        {cut_off(on_several_nodes(grid(aggregated)), 2000), "0-2000 aggregated | 2001- " + too_large},
        {cut_off(on_several_nodes(grid(aggregated)), 100), "0-100 aggregated | 101- " + cut},
        {on_several_nodes(grid(aggregated, alltoallv)), "0- aggregated up to 2000"},
        {undriven(on_several_nodes(grid(aggregated))), "0- merged: " + waiting},
    });
}

TEST_CASE("Predictions for auto")
{
    const std::string refusal = "no memory";
    check({
        {grid(automatic), "0-10000 combining | 10001- merged"},
        {cut_off(grid(automatic), 100), "0-100 combining | 101- merged"},
        {grid(automatic, alltoallv), "0-10000 combining | 10001- merged"}, // its calls ask for 0 bytes
        {left_alone(grid(automatic)), "0- merged"},
        {undriven(grid(automatic)), "0- merged"},
        {unknown(automatic), "0- merged"},
        {without_memory(grid(automatic)),
         "0-10000 combining: no memory is shared between its processes: " + refusal +
             " | 10001- merged: no memory is shared between its processes: " + refusal},
        {on_one_node(grid(automatic)), "0-5000 shared | 5001- trivial"},
        {with(on_one_node(grid(automatic)), [](Facts& facts) { facts.shared_bytes = 2047; }),
         "0-2047 shared | 2048- trivial"},
        {left_alone(on_one_node(grid(automatic))), "0-5000 shared | 5001- trivial"},
        {left_alone(on_one_node(grid(automatic, Collective::allgather))),
         "0-5000 shared | 5001- merged"}, // one block for all
        {undriven(on_one_node(grid(automatic))), "0- merged"},
        {on_several_nodes(grid(automatic)), "0-512 aggregated | 513- merged"},
        {on_several_nodes(grid(automatic, alltoallv)), "0- aggregated up to 2000"},
        {left_alone(on_several_nodes(grid(automatic))), "0-5000 shared | 5001- trivial"},
        {with(on_several_nodes(grid(automatic)), [](Facts& facts) { facts.aggregating_pays_up_to = 0; }),
         "0-10000 combining | 10001- merged"},
    });
}

TEST_CASE("Combined blocks travel by the member that is preferred for their size, and auto tries the usual one, too")
{
    const auto members = [](Facts& facts) {
        facts.members = {{100, parse_groups("0:2/1")}, {1000, {}}, {largest, parse_groups("0+1")}};
    };
    const auto tried = [&members](const Facts& facts, std::size_t block_bytes) {
        return algorithms(candidates(with(facts, members), block_bytes));
    };
    check({
        {with(grid(combining), members), "0-100 combining 0:2/1 | 101-1000 combining | 1001- combining 0+1"},
        {with(cut_off(grid(combining), 500), members),
         "0-100 combining 0:2/1 up to 500 | 101-500 combining | 501- merged: its blocks are larger than "
         "HOPSCOTCH_CUTOFF"},
        {with(cut_off(grid(combining), 0), members),
         "0-0 combining 0:2/1 | 1- merged: its blocks are larger than HOPSCOTCH_CUTOFF"},
        {with(grid(automatic), members),
         "0-100 combining 0:2/1 up to 10000 | 101-1000 combining up to 10000 | 1001-10000 combining 0+1 | "
         "10001- merged"},
    });
    CHECK(tried(grid(automatic), 8) == "combining 0:2/1 combining merged native");
    CHECK(tried(with(grid(automatic), [](Facts& facts) { facts.only_splits = true; }), 8) ==
          "combining 0:2/1 merged native");
    CHECK(tried(grid(automatic), 101) == "combining merged native");
    CHECK(tried(grid(automatic), 80007) == "merged combining 0+1 trivial native");
    CHECK(tried(on_several_nodes(grid(automatic)), 8) == "aggregated combining 0:2/1 shared merged native");
}

TEST_CASE("A graph that cannot be used is left to the library, for any request")
{
    for (const Algorithm asked_for : {automatic, native, merged, combining, shared, aggregated})
        check({{with(grid(asked_for), [](Facts& facts) { facts.unusable = reason::other_version; }),
                "0- native: processes run different versions of Hopscotch"}});
}

TEST_CASE("Processes that cannot tell the others' block sizes do not choose by them")
{
    const auto apart = [](Facts& facts) { facts.one_block_size = false; };
    const auto idle = [](Facts& facts) { facts.idle_process = true, facts.one_block_size = false; };
    check({
        {with(cut_off(grid(combining), 100), apart), "0- combining up to 100"},
        {with(on_one_node(grid(shared)), apart),
         "0-5000 shared | 5001- merged: its blocks do not fit into the shared memory"},
        {with(on_one_node(grid(shared)), idle), "0- shared up to 5000"},
        {with(on_several_nodes(grid(aggregated)), apart), "0- aggregated up to 2000"},
    });
}

TEST_CASE("MPI_Allgather among all processes")
{
    const auto ranks = [](Facts facts, int processes, int messages) {
        facts.ranks = processes;
        facts.torus_messages = messages;
        return facts;
    };
    const std::string few = "native: the MPI library needs fewer messages for blocks of this size";
    const std::string none = "native: its blocks do not fit into the shared memory";
    check({
        {grid(native, global), "0- native: HOPSCOTCH_ALGORITHM=native"},
        {grid(merged, global), "0- native: MPI_Allgather is carried by combining, shared and aggregated only"},
        {ranks(grid(automatic, global), 1, 0), "0- native: there is one process only"},
        {grid(combining, global), "0- combining"},
        {cut_off(grid(combining, global), 100),
         "0-100 combining | 101- native: its blocks are larger than HOPSCOTCH_CUTOFF"},
        {unknown(combining, global), "0- native: HOPSCOTCH_INFER=off, and no process grid is known"},
        {unknown(automatic, global), "0- native: HOPSCOTCH_INFER=off, and no process grid is known"},
        {grid(shared, global), "0- native: its processes are not all on one node with memory in common"},
        {on_one_node(grid(shared, global)), "0-5000 shared | 5001- " + none},
        {on_one_node(grid(automatic, global)), "0-5000 shared | 5001- " + none},
        {ranks(on_one_node(grid(automatic, global)), 32, 9), "0-5000 shared | 5001- " + none},
        {on_one_node_apart(grid(shared, global)),
         "0- native: its processes are not all on one node with memory in common"},
        {ranks(on_one_node(grid(automatic, global)), 48, 10), "0-1706 " + few + " | 1707-5000 shared | 5001- " + none},
        {with(ranks(on_one_node(grid(automatic, global)), 48, 10), [](Facts& facts) { facts.crowded = true; }),
         "0-5000 shared | 5001- " + none},
        {grid(automatic, global), "0-3034 " + few +
                                      " | 3035-5769 combining | 5770- native: the MPI library need not "
                                      "copy blocks of this size"},
        {ranks(grid(automatic, global), 64, 9), "0- native: the MPI library is faster among this many processes"},
    });
}

TEST_CASE("MPI_Allgather among the processes of several nodes")
{
    const std::string few = "native: the MPI library needs fewer messages for blocks of this size";
    const std::string none = "native: its blocks do not fit into the shared memory";
    const std::string copies = "native: the MPI library need not copy blocks of this size";
    const auto roomy = [](Facts& facts) { facts.aggregated_bytes = facts.shared_bytes = 10000; };
    const Facts nodes = on_several_nodes(grid(automatic, global));
    check({
        {nodes, "0-2000 aggregated | 2001-3034 " + few + " | 3035-5769 combining | 5770- " + copies},
        {with(nodes, roomy), "0-6057 aggregated up to 10000 | 6058- " + copies},
        {with(with(nodes, roomy), [](Facts& facts) { facts.ranks = 128, facts.torus_messages = 12; }),
         "0-7086 aggregated up to 10000 | 7087- " + copies},
        {cut_off(nodes, 100), "0-100 aggregated | 101-3034 " + few + " | 3035-5769 combining | 5770- " + copies},
        {on_several_nodes(unknown(automatic, global)),
         "0-2000 aggregated | 2001- native: HOPSCOTCH_INFER=off, and no process grid is known"},
        {on_several_nodes(grid(aggregated, global)), "0-2000 aggregated | 2001- " + none},
        {cut_off(on_several_nodes(grid(aggregated, global)), 100),
         "0-100 aggregated | 101- native: its blocks are larger than HOPSCOTCH_CUTOFF"},
        {cut_off(on_several_nodes(grid(aggregated, global)), 2000), "0-2000 aggregated | 2001- " + none},
        {grid(aggregated, global), "0- native: no node has several processes that share memory"},
        {on_one_node_apart(grid(aggregated, global)), "0- native: no node has several processes that share memory"},
        {on_one_node(grid(aggregated, global)), "0-5000 shared: all processes are on one node | 5001- " + none},
    });
    const auto tried = [](const Facts& facts, std::size_t block_bytes) {
        return algorithms(candidates(facts, block_bytes));
    };
    const auto crowded = [](Facts& facts) { facts.crowded = true; };
    CHECK(tried(nodes, 8) == "aggregated native");
    CHECK(tried(with(nodes, crowded), 8) == "aggregated");
    CHECK(tried(nodes, 3035) == "combining native");
    CHECK(tried(with(nodes, roomy), 3035) == "aggregated combining native");
    CHECK(tried(with(nodes, roomy), 6058) == "native");
}

TEST_CASE("The candidates of auto, the likely fastest first")
{
    const auto tried = [](const Facts& facts, std::size_t block_bytes) {
        return algorithms(candidates(facts, block_bytes));
    };
    const Facts far = grid(automatic);
    const Facts near = on_one_node(grid(automatic));
    const Facts nodes = on_several_nodes(grid(automatic));
    const auto crowded = [](Facts& facts) { facts.crowded = true; };
    const auto wrong = [](Facts& facts) { facts.native_is_right = false; };
    CHECK(tried(far, 8) == "combining merged native");
    CHECK(tried(far, 80007) == "merged combining trivial native");
    CHECK(tried(far, 80008) == "merged trivial native");
    CHECK(tried(cut_off(far, 100), 101) == "merged native");
    CHECK(tried(with(far, crowded), 8) == "combining merged native");
    CHECK(tried(with(far, wrong), 8) == "combining merged");
    CHECK(tried(unknown(automatic), 8) == "merged native");
    CHECK(tried(with(far, [](Facts& facts) { facts.combining_pays_up_to = 0; }), 0) == "merged native");
    CHECK(tried(grid(automatic, alltoallv), 0) == "combining merged native");
    CHECK(tried(near, 2047) == "shared merged");
    CHECK(tried(near, 2048) == "shared merged trivial native");
    CHECK(tried(near, 5001) == "trivial merged native");
    CHECK(tried(nodes, 8) == "aggregated combining shared merged native");
    CHECK(tried(on_one_node_apart(far), 8) == "combining merged native");
    CHECK(tried(cut_off(nodes, 100), 8) == "aggregated shared merged native");
    CHECK(tried(with(nodes, [](Facts& facts) { facts.one_block_size = false; }), 8) ==
          "aggregated shared merged native");
    CHECK(tried(nodes, 513) == "merged combining aggregated shared native");
    CHECK(tried(nodes, 2000) == "merged combining aggregated shared native");
    CHECK(tried(nodes, 5000) == "merged combining shared trivial native");
    CHECK(tried(nodes, 2001) == "merged combining shared native");
    CHECK(tried(nodes, 5001) == "merged combining trivial native");
    CHECK(tried(with(nodes, [](Facts& facts) { facts.left_alone = true; }), 8) == "shared merged native");
    CHECK(tried(on_one_node(grid(automatic, global)), 8) == "shared native");
    CHECK(tried(with(on_one_node(grid(automatic, global)), crowded), 8) == "shared");
    const auto baseline = [](Facts& facts) { facts.baseline = true; };
    CHECK(tried(with(near, baseline), 8) == "shared merged native");
    CHECK(tried(with(with(near, baseline), wrong), 8) == "shared merged");
    CHECK(tried(with(with(on_one_node(grid(automatic, global)), crowded), baseline), 8) == "shared native");
    CHECK(tried(grid(automatic, global), 8) == "native");
    CHECK(tried(with(far, [](Facts& facts) { facts.unusable = reason::other_version; }), 8) == "native");
}

TEST_CASE("Blocks above a limit are left to a library that takes memory of devices")
{
    const auto limit = [](Facts& facts) { facts.device_bytes = 1000; };
    const std::string left = "1001- native: " + std::string(text_of(reason::large_on_devices));
    CHECK(in_words(choose(with(on_one_node(grid(automatic)), limit))) == "0-1000 shared up to 5000 | " + left);
    CHECK(in_words(choose(with(on_one_node(grid(automatic)), [](Facts& facts) { facts.device_bytes = 5001; }))) ==
          "0-5000 shared | 5001-5001 trivial | 5002- native: " + std::string(text_of(reason::large_on_devices)));
    CHECK(in_words(choose(with(grid(merged), limit))) == "0-1000 merged | " + left);
    CHECK(in_words(choose(with(grid(merged, alltoallv), limit))) == "0- merged");
    const auto wrong = [](Facts& facts) { facts.native_is_right = false; };
    CHECK(in_words(choose(with(with(grid(merged), limit), wrong))) == "0- merged");
    CHECK(choose_for(with(on_one_node(grid(automatic)), limit), 1000).sizes == SizeClass{0, 1000});
    CHECK(choose_for(with(on_one_node(grid(automatic)), limit), 1001).algorithm == native);
}

TEST_CASE("Sizes that are tried together, and sizes of one prediction")
{
    const auto tried = [](const Facts& facts, std::size_t block_bytes) { return tried_with(facts, block_bytes); };
    const auto held = [](const Facts& facts, std::size_t block_bytes) { return choose_for(facts, block_bytes).sizes; };
    const Facts near = on_one_node(grid(automatic));
    CHECK(tried(grid(automatic), 8) == SizeClass{8, 15});
    CHECK(tried(near, 8) == SizeClass{0, 2047});
    CHECK(tried(near, 4096) == SizeClass{4096, 5000});
    CHECK(tried(on_several_nodes(grid(automatic)), 2001) == SizeClass{2001, 2047});
    CHECK(tried(cut_off(grid(automatic), 12), 8) == SizeClass{8, 12});
    CHECK(tried(grid(automatic, alltoallv), 0) == every_size());
    CHECK(tried(on_one_node(unknown(automatic)), 8) == every_size());
    CHECK(held(near, 8) == SizeClass{0, 2047});
    CHECK(held(grid(automatic, alltoallv), 0) == every_size());
    CHECK(held(on_one_node(unknown(automatic)), 8) == SizeClass{0, 5000});
    CHECK(held(on_one_node(unknown(automatic)), 5001) == SizeClass{5001, largest});
    CHECK(held(cut_off(grid(combining), 100), 8) == SizeClass{0, 100}); // no trial says more
}

TEST_CASE("The result of a trial is followed if blocks fit into memory")
{
    const Facts near = on_one_node(unknown(automatic));
    const Choice found{shared, {}};
    CHECK(in_words({following(near, 8, found)}) == "0-5000 shared");
    CHECK(in_words({following(near, 5000, found)}) == "0-5000 shared");
    CHECK(in_words({following(near, 5001, found)}) == "5001- trivial");
    CHECK(in_words({following(with(near, [](Facts& facts) { facts.idle_process = true; }), 5001, found)}) ==
          "5001- shared");
    CHECK(in_words({following(near, 5001, {native, reason::library_is_faster})}) ==
          "5001- native: " + std::string(text_of(reason::library_is_faster)));
    const Facts varying = on_one_node(unknown(automatic, alltoallv));
    CHECK(in_words({following(varying, 0, found)}) == "0- shared");
    CHECK(in_words({following(varying, 5001, found)}) == "0- shared");
}

TEST_CASE("A grid and its stencil add the facts for the rules")
{
    const Topology cube({3, 3, 3}, {true, true, true});
    const Stencil around = sorted(canonical(moore(3, 1), cube));
    Facts facts = grid(automatic);
    facts.combining_pays_up_to = 0;
    add_grid(facts, cube, around);
    CHECK(facts.torus_messages == 6);
    CHECK(facts.one_block_size);
    CHECK(facts.combining_pays_up_to == 10714); // 15000 bytes * (26 - 6) / (54 - 26)
    facts = on_one_node(grid(automatic));
    facts.combining_pays_up_to = 0;
    facts.idle_process = true;
    add_grid(facts, cube, around);
    CHECK_FALSE(facts.one_block_size);
    CHECK(facts.combining_pays_up_to == 0); // nobody asks
    facts = grid(automatic);
    const Topology line({8, 4}, {true, true});
    add_grid(facts, line, Stencil(2, {0, 1}));
    CHECK_FALSE(facts.one_block_size);
}
