# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What reports say: messages and bytes are those that a library below has counted."""

from case import AGGREGATED, BY_BLOCK, COMBINING, LESS_WARNINGS, MERGED, SHARED, TRIVIAL, Case, nodes

CUTOFF = "HOPSCOTCH_CUTOFF=100"
ONE_COPY_OFF = "HOPSCOTCH_ONE_COPY=off"


def cases(facts):
    for name, ranks, settings in (("merged", 9, [MERGED]), ("merged_cutoff", 4, [MERGED, CUTOFF]),
                                  ("trivial", 4, [TRIVIAL]), ("combining", 9, [COMBINING]),
                                  ("combining_cutoff", 9, [COMBINING, CUTOFF]), ("combining_folded", 4, [COMBINING]),
                                  ("shared", 4, [SHARED]), ("shared_nodes", 8, [SHARED, nodes(2)]),
                                  ("shared_large", 4, [SHARED, ONE_COPY_OFF]),
                                  ("aggregated", 8, [AGGREGATED, nodes(2)]),
                                  ("aggregated_cutoff", 8, [AGGREGATED, nodes(2), BY_BLOCK, CUTOFF])):
        yield Case(f"sent_{name}", "sent", ranks, "1000" if name.endswith("large") else "",
                   settings=[*settings, LESS_WARNINGS], behind="counting", alone=True, check_sent=True)
