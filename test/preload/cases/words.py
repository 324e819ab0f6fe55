# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The words and numbers of reports: messages and bytes are those that a library below has counted,
bytes of blocks those of the program's arguments."""

from case import (AGGREGATED, BY_BLOCK, COMBINING, LESS_WARNINGS, MERGED, NATIVE, SHARED, STANDARD_EDGES, TRIVIAL,
                  VERIFY, Case, nodes)

CUTOFF = "HOPSCOTCH_CUTOFF=100"
ALL_DIRECT = "HOPSCOTCH_CUTOFF=0"
ONE_COPY_OFF = "HOPSCOTCH_ONE_COPY=off"


def cases(facts):
    for name, ranks, settings in (("native", 4, [NATIVE]), ("native_self", 2, [NATIVE]),
                                  ("merged_self", 2, [MERGED]), ("combining_self", 2, [COMBINING]),
                                  ("shared_self", 2, [SHARED]), ("merged", 9, [MERGED]),
                                  ("merged_cutoff", 4, [MERGED, CUTOFF]),
                                  ("trivial", 4, [TRIVIAL]), ("trivial_cutoff", 4, [TRIVIAL, CUTOFF]),
                                  ("combining", 9, [COMBINING]), ("merged_direct", 4, [MERGED, ALL_DIRECT]),
                                  ("combining_direct", 4, [COMBINING, ALL_DIRECT]),
                                  ("combining_cutoff", 9, [COMBINING, CUTOFF]), ("combining_folded", 4, [COMBINING]),
                                  ("shared", 4, [SHARED]), ("shared_nodes", 8, [SHARED, nodes(2)]),
                                  ("shared_large", 4, [SHARED, ONE_COPY_OFF]),
                                  ("shared_lent", 4, [SHARED, "HOPSCOTCH_ONE_COPY=1"]),
                                  ("shared_cutoff", 4, [SHARED, nodes(2), CUTOFF]),
                                  ("aggregated_direct", 4, [AGGREGATED, nodes(2), ALL_DIRECT]),
                                  ("aggregated", 8, [AGGREGATED, nodes(2)]),
                                  ("verified", 9, [MERGED, VERIFY]),
                                  ("aggregated_cutoff", 8, [AGGREGATED, nodes(2), BY_BLOCK, CUTOFF])):
        yield Case(f"sent_{name}", "sent", ranks, "1000" if name.endswith("large") else "",
                   settings=[*settings, LESS_WARNINGS], behind="counting", alone=True, check_account=True)
    # The limit of blocks that are copied once: none is smaller than a byte.
    for name, limit, shown in (("least", "0", "block_bytes=1"), ("auto", "auto", "tried=true")):
        yield Case(f"one_copy_{name}", "stencil", 2, "-i 3", settings=[SHARED, f"HOPSCOTCH_ONE_COPY={limit}"],
                   alone=True, expect=["one_copy." + shown])
    # All neighbors on a torus of two by two processes are reached by several edges.
    order = "graph.nonstandard_edge_order="
    if facts.mpi == "mpich" and facts.older_than(4, 1):
        yield Case("edge_order", "stencil", 4, "-d 2 -i 3", expect=[order + "true"])
    yield Case("edge_order_standard", "sent", 4, settings=[STANDARD_EDGES, MERGED], behind="counting", alone=True,
               expect=[order + "false"])
