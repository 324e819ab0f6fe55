# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many calls, and as many communicators as there can be. A million calls: scripts/develop/endure."""

from case import SHARED, VERIFY, Case, algorithm, nodes


def cases(facts):
    # Many graph communicators at once, and one after the other.
    none_failed = ["totals.failed=0"]
    yield Case("resources_live", "resources", 2, "live 2000", expect=none_failed, alone=True, soak=True)
    yield Case("resources_threads", "resources", 2, "threads 2040", expect=[*none_failed, "totals.native=0"],
               alone=True, soak=True)
    yield Case("resources_few", "resources", 2, "few", expect=none_failed, alone=True, soak=True)
    yield Case("resources_held", "resources", 2, "held", expect=none_failed)
    yield Case("resources_files", "resources", 4, "files 300", settings=[SHARED], expect=["totals.accelerated=1"],
               soak=True)
    yield Case("resources_cycles", "resources", 4, "cycles 100", expect=none_failed, alone=True, soak=True)

    for ranks, name, machine in ((4, "auto", 1), (4, "combining", 1), (6, "shared", 1), (8, "aggregated", 2),
                                 (3, "merged", 1), (2, "auto", 1)):
        yield Case(f"long_run_{name}_{ranks}", "long_run", ranks, f"{ranks} 1500",
                   settings=[algorithm(name), nodes(machine)], expect=["totals.calls=1500", *none_failed], alone=True,
                   soak=True)
    yield Case("long_run_verified", "long_run", 4, "9 500", settings=[VERIFY],
               expect=["totals.calls=500", *none_failed, "totals.compared>200"], alone=True, soak=True)
