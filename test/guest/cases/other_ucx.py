# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs with a UCX that the MPI library does not use."""

from guest import Guest


def guests(facts):
    nodes = [] if facts.openmpi else ["MPIR_CVAR_NUM_CLIQUES=2"]
    combining = [*nodes, "HOPSCOTCH_ALGORITHM=combining"]

    def row(name, ranks, settings):
        return Guest(f"other_ucx_{name}", "other_ucx", ranks, name.split("_")[0], settings=settings, yields=False)
    yield row("alone", 1, [])
    yield row("alone_off", 1, ["HOPSCOTCH=off"])
    for name in "before", "within":
        yield row(name, 2, combining)
        yield row(f"{name}_off", 2, ["HOPSCOTCH=off"])
    yield row("thread", 2, combining)
    yield row("worker", 2, combining)
