# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random communicators, datatypes, sizes and places in memory; every byte is compared. A row keeps its seed.
scripts/develop/compare_random tries thousands of cases of each."""

import itertools

from case import COMBINING, MERGED, SHARED, STANDARD_EDGES, VERIFY, Case, algorithm, nodes

QUICK = (("combining", 4), ("merged", 2), ("trivial", 3), ("auto", 4), ("shared", 4))
OTHERS = (("merged", 2, 7, 40), ("trivial", 3, 10, 25), ("auto", 4, 13, 15), ("combining", 4, 16, 15))


def cases(facts):
    # All neighborhood collectives on random communicators of every kind; `native` is the tester's own test. Two
    # processes meet parallel edges everywhere, twelve have grids of three real dimensions.
    seeds = itertools.count(33)
    for ranks, number in (1, 60), (2, 40), (3, 25), (4, 15), (6, 6), (9, 4), (12, 3):
        for name in "native", "trivial", "merged", "combining", "auto", "shared":
            arguments = f"random {next(seeds)} {number}"
            yield Case(f"varying_{name}_{ranks}", "varying", ranks, arguments, settings=[algorithm(name)], alone=True,
                       quick=(name, ranks) in QUICK)
        yield Case(f"varying_cutoff_{ranks}", "varying", ranks, arguments, settings=[COMBINING, "HOPSCOTCH_CUTOFF=100"],
                   alone=True, quick=ranks == 4)
        yield Case(f"varying_once_{ranks}", "varying", ranks, arguments, settings=[SHARED, "HOPSCOTCH_ONE_COPY=1"],
                   alone=True)

    for name, ranks, seed, number in OTHERS:
        yield Case(f"random_{name}_{ranks}", "varying", ranks, f"random {seed} {number}", settings=[algorithm(name)],
                   alone=True, quick=True)

    # The numbers of processes that are left.
    for ranks, number in (5, 6), (7, 5), (8, 5), (16, 3), (18, 3), (24, 2), (27, 2), (36, 2):
        for name, settings in (("merged", [MERGED]), ("combining", [COMBINING]),
                               ("two_nodes", [SHARED, nodes(2), "HOPSCOTCH_ONE_COPY=40"])):
            yield Case(f"varying_{name}_{ranks}", "varying", ranks, f"random {next(seeds)} {number}",
                       settings=settings, alone=True)

    # Parallel edges in the order of the standard: small grids are full of them.
    seeds = itertools.count(134)
    for ranks, number in (1, 30), (2, 30), (4, 12), (8, 5):
        for name in "trivial", "merged", "combining", "auto":
            yield Case(f"varying_standard_{name}_{ranks}", "varying", ranks, f"random {next(seeds)} {number}",
                       settings=[algorithm(name), STANDARD_EDGES], alone=True)

    # Nonblocking and persistent operations, completed in every way.
    for name, ranks, number in (("merged", 1, 40), ("combining", 2, 40), ("auto", 2, 40), ("combining", 4, 20),
                                ("auto", 4, 20), ("trivial", 3, 20), ("shared", 4, 20), ("native", 2, 20),
                                ("merged", 8, 10), ("combining", 8, 10), ("combining", 12, 6)):
        yield Case(f"nonblocking_{name}_{ranks}", "nonblocking", ranks, f"random {100 + ranks} {number}",
                   settings=[algorithm(name)], alone=True, quick=(name, ranks) in QUICK)
    for ranks, number in (2, 30), (4, 20), (8, 10):
        yield Case(f"nonblocking_once_{ranks}", "nonblocking", ranks, f"random {200 + ranks} {number}",
                   settings=[SHARED, "HOPSCOTCH_ONE_COPY=1"], alone=True, quick=ranks == 4)

    # Members of the family: dimensions together in a phase, and dimensions in several phases.
    seeds = itertools.count(500)
    for ranks, number in (2, 30), (3, 25), (4, 15), (6, 8), (9, 6), (12, 4), (16, 3), (27, 2):
        for cliques, wanted in (1, "rounds"), (2, "phases"), (3, "1/0:2"), (4, "2:2/0+1"), (1, "0:3"):
            if cliques > ranks:
                continue
            settings = [COMBINING, f"HOPSCOTCH_COMBINING={wanted}", nodes(cliques)]
            name = wanted.replace("/", "_").replace(":", "_").replace("+", "_")
            yield Case(f"family_{name}_{ranks}", "varying", ranks, f"random {next(seeds)} {number}", settings=settings,
                       alone=True, quick=(wanted, ranks) == ("rounds", 4))
            yield Case(f"family_late_{name}_{ranks}", "nonblocking", ranks, f"random {next(seeds)} {number}",
                       settings=settings, alone=True)

    # Members that are chosen by size, and members whose every call is compared.
    for ranks, number in (4, 15), (8, 8), (12, 5):
        for cliques in 2, 3, 4:
            yield Case(f"chosen_{ranks}_{cliques}", "varying", ranks, f"random {next(seeds)} {number}",
                       settings=[COMBINING, nodes(cliques), "HOPSCOTCH_TRIALS=off"], alone=True)
        yield Case(f"chosen_late_{ranks}", "nonblocking", ranks, f"random {next(seeds)} {number}",
                   settings=[COMBINING, nodes(4)], alone=True)
        for wanted in "rounds", "phases":
            yield Case(f"family_verify_{wanted}_{ranks}", "varying", ranks, f"random {next(seeds)} {number}",
                       settings=[COMBINING, f"HOPSCOTCH_COMBINING={wanted}", VERIFY], alone=True)

    # Graphs that are almost a grid, combined in part.
    for ranks, number in (4, 12), (6, 8), (9, 6), (12, 4), (16, 3):
        for name, settings in ("combining", [COMBINING]), ("three_nodes", [nodes(3), "HOPSCOTCH_TRIALS=off"]):
            yield Case(f"almost_{name}_{ranks}", "varying", ranks, f"almost_random {ranks} {number}", settings=settings,
                       alone=True, quick=(name, ranks) == ("combining", 6))
    for ranks, number in (4, 30), (9, 12):
        yield Case(f"almost_nonblocking_{ranks}", "nonblocking", ranks, f"almost_random {ranks} {number}",
                   settings=[COMBINING], alone=True)
