# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""HOPSCOTCH_VERIFY: right runs pass, and a damaged message ends the job with the difference named."""

from case import COMBINING, MERGED, STANDARD_EDGES, VERIFY, Case, algorithm, nodes


def random_cases():
    """On random communicators, with the additional calls of every form. Seeds with grids, so that combining compares,
    too."""
    compared = ["totals.compared>0"]
    for ranks, arguments in (2, "random 161 12"), (4, "random 163 6"), (9, "random 163 3"):
        for name in "trivial", "merged", "combining", "shared":
            for program in "varying", "nonblocking":
                yield Case(f"verify_{program}_{name}_{ranks}", program, ranks, arguments,
                           settings=[VERIFY, algorithm(name)], expect=compared, alone=True,
                           quick=(program, ranks) == ("nonblocking", 4))
        for name, program in ("standard", "varying"), ("standard_nonblocking", "nonblocking"):
            yield Case(f"verify_{name}_{ranks}", program, ranks, arguments, settings=[VERIFY, MERGED, STANDARD_EDGES],
                       expect=compared, alone=True)


def damaged(form, function):
    """By libcorrupting.so, in calls of one form."""
    for name in "trivial", "merged":
        settings = [VERIFY, algorithm(name), nodes(4)] # messages, no memory in common
        found = f"found a difference in {function} by {name}, call 1, rank "
        where = " of 4 on a communicator of MPI_Cart_create: "
        yield Case(f"verify_{form}_{name}", "verified", 4, form, settings=settings,
                   expect=[f"graphs.MPI_Cart_create.operations.{function}.compared=3", "totals.compared=3",
                           "settings.HOPSCOTCH_VERIFY=on"])
        yield Case(f"verify_data_{form}_{name}", "verified", 4, form, settings=[*settings, "CORRUPT=data"],
                   alone=True, status=1, behind="corrupting", quick=(form, name) == ("blocking", "merged"),
                   expect=["totals.differences=1"],
                   stderr=[found + "[13]" + where + "block [01] .from rank 2., byte 123: "
                           "expected 0x.., got 0x..; bytes that differ: 1"])
        # Process 2 sends two messages in the first of three calls, which is right.
        yield Case(f"verify_later_{form}_{name}", "verified", 4, form, alone=True, status=1, behind="corrupting",
                   settings=[*settings, "CORRUPT=data", "CORRUPT_AFTER=2"],
                   expect=["totals.differences=1"], stderr=[found.replace("call 1", "call 2") + "[13]" + where])
        yield Case(f"verify_beyond_{form}_{name}", "verified", 4, form, settings=[*settings, "CORRUPT=beyond"],
                   alone=True, status=1, behind="corrupting",
                   stderr=[found + "2" + where + "block [01] .from rank [13]., byte 400 from its beginning, "
                           "which belongs to no block"])
    # What an earlier start of the same request has received does not stand for it.
    yield Case(f"verify_lost_{form}", "verified", 4, f"{form} same", alone=True, status=1, behind="corrupting",
               settings=[VERIFY, algorithm("trivial"), nodes(4), "CORRUPT=lost", "CORRUPT_AFTER=2"],
               expect=["totals.differences=1"],
               stderr=[f"found a difference in {function} by trivial, call 2, rank 2 of 4 "])
    yield Case(f"verify_overlap_{form}", "verified", 4, f"{form} overlap", settings=[VERIFY, MERGED],
               alone=True, status=1,
               stderr=[f"cannot compare {function} by merged, call 1, rank 2 of 4 .* "
                       "send block 1 .to rank 3. and receive block 0 .from rank 1."])
    yield Case(f"verify_short_{form}", "verified", 4, form, settings=[VERIFY, MERGED, "CORRUPT=short", nodes(4)],
               alone=True, no_report=True, status=None, behind="corrupting", quick=form == "blocking",
               stderr=[f"HOPSCOTCH_VERIFY: {function} by merged, call 1, rank [13] of 4 .* "
                       "fails with MPI_ERR_TRUNCATE"])


def cases(facts):
    yield from random_cases()
    yield Case("verify_mismatch", "mismatch", 4, "blocking", settings=[VERIFY, COMBINING], alone=True)
    # Every call is compared, and nothing measured meanwhile.
    yield Case("verify_auto", "stencil", 2, "-d 2 -n 1000 -i 20", settings=[VERIFY],
               expect=["totals.compared=40", "totals.native=0", "graph.trials=[]", "totals.time_s<1000"])
    # Blocks of one array between one another have no byte in common.
    yield Case("verify_halo", "overlaps", 4, "halo 2 1 5 1 3", settings=[VERIFY, MERGED],
               expect=["totals.compared>0", "totals.failed=0"] if facts.has_persistent else [])
    yield from damaged("blocking", "MPI_Neighbor_alltoallv")
    yield from damaged("nonblocking", "MPI_Ineighbor_alltoallv")
    yield from damaged("persistent", "MPI_Neighbor_alltoallv_init")
