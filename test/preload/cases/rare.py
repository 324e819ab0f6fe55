# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Legal and rare programs, and lists that disagree."""

from case import COMBINING, MERGED, Case, algorithm, nodes


def cases(facts):
    yield Case("wildcard_2", "wildcard", 2, quick=True)
    yield Case("wildcard_5", "wildcard", 5, settings=[COMBINING])
    yield Case("noinit", "noinit", 2, no_report=True, quiet=True)
    # A program without MPI_Finalize is in test/tool/endings_test.py: the exit code its launcher gives varies natively.
    yield Case("abort", "no_finalize", 4, "5 abort", status=5)
    for name in "auto", "shared":
        yield Case(f"large_{name}", "large", 2, settings=[algorithm(name), "UCX_TLS=posix,self"])
    for ranks, communicators in (1, 300), (2, 2000), (4, 100), (9, 50):
        yield Case(f"unusual_{ranks}", "unusual", ranks, f"{communicators}", alone=facts.openmpi) # which fails itself

    # Graphs that can be made natively, but cannot be used for messages; the one made last is accelerated.
    reasons = {"edges": "the lists disagree", "ranks": "a list names a rank that does not exist"}
    for mode, reason in reasons.items():
        for machine in 1, 2:
            yield Case(f"inconsistent_{mode}_{machine}", "inconsistent", 4, mode, settings=[MERGED, nodes(machine)],
                       expect=[f"graphs.0.declined~{reason}", "totals.native=0", "totals.accelerated>0"], timeout=60)

    for name in "auto", "trivial", "merged", "combining", "shared", "aggregated":
        for ranks in 3, 4:
            yield Case(f"failing_{name}_{ranks}", "failing", ranks, settings=[algorithm(name)], alone=True)
    for name in "merged", "combining":
        for form in "blocking", "nonblocking", *(["persistent"] if facts.has_persistent else []):
            yield Case(f"unsent_{form}_{name}", "unsent", 9, form, settings=[algorithm(name)], alone=True,
                       behind="faulty", expect=["totals.failed>0", "totals.native=0"])
    yield Case("unsent_agreement", "unsent", 9, "blocking", settings=[algorithm("auto")], alone=True, status=1,
               behind="faulty", expect=["partial~processes could not agree"],
               stderr=["hopscotch.4. error: an MPI function has failed where processes agree"])
    for name in "auto", "trivial", "merged", "combining", "shared", "aggregated":
        for ranks in 4, 8:
            yield Case(f"apart_{name}_{ranks}", "apart", ranks, settings=[algorithm(name), nodes(ranks // 4)],
                       expect=["totals.failed=0"])
