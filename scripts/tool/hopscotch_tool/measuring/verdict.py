# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a measurement says in a sentence, where `auto` was not the best, and what makes the figures doubtful."""

from hopscotch_tool.measuring import figures
from hopscotch_tool.measuring.parts import typical_spread
from hopscotch_tool.verdict import times

BEHIND = 1.05  # times as long as the fastest: less is no difference
MOST_NAMED = 20


def place(document):
    """Nodes and ranks in words."""
    machine = document["machine"]
    nodes, least, most = (int(machine[name]) for name in ("nodes", "ranks_per_node_least", "ranks_per_node_most"))
    each = f"{most}" if least == most else f"{least} to {most}"
    return f"{'one node' if nodes == 1 else f'{nodes} nodes'} of {each}"


def with_both(cases):
    return [case for case in cases if (way := figures.way_in(case, "auto")) and way.get("ratio_median", 0) > 0]


def typical(cases):
    """The case that stands for all: the first that was measured."""
    return cases[0] if cases else None


def sentence(document):
    """The line to quote."""
    cases = with_both(document["cases"])
    case = typical([case for case in cases if case["on"] == "all" and case["function"] != "global_allgather"])
    if case is None:
        return "nothing was measured"
    auto = figures.way_in(case, "auto")
    medians = figures.gains(cases)
    number = f"{len(medians)} cases" if len(medians) != 1 else "1 case"
    return (f"{case['neighbors']} neighbors, {case['ints']} ints, {place(document)}: auto is "
            f"{times(auto['ratio_median'])} times as fast as native (median of {auto['samples']} samples, worst "
            f"quartile {times(auto['ratio_low'])}); {number}: medians {times(min(medians))}-{times(max(medians))}, "
            f"worst quartile {times(figures.worst_quartile(cases))}")


def not_best(cases):
    """Cases in which another algorithm was clearly faster than `auto`, the worst first."""
    found = []
    for case in cases:
        best, lead = figures.best_other(case)
        if lead > BEHIND:
            found.append({**{name: case[name] for name in ("stencil", "function", "block_bytes", "mode", "on")},
                          "best": best["way"], "best_us": best["median_us"],
                          "auto_us": figures.way_in(case, "auto")["median_us"], "times": round(lead, 3)})
    return sorted(found, key=lambda entry: -entry["times"])


def doubts(document):
    """What makes the times doubtful."""
    machine = document["machine"]
    if machine["ranks_per_core_most"] > 1:
        yield (f"{machine['ranks_per_core_most']:.2g} processes share a core: the times are mostly those of the "
               "scheduler; take ratios only")
    if machine["lost_share_most"] > 0.05 and machine["ranks_per_core_most"] <= 1:
        yield (f"a process that only read the clock did not run for {100 * machine['lost_share_most']:.0f} % of the "
               "time: other work, or a noisy clock")
    if machine["cores_of_others_most"] > 0.1:
        yield f"while all processes slept, others used {machine['cores_of_others_most']:.1f} cores of a node"
    spread = typical_spread(document["cases"])
    if spread > 0.1:
        yield f"samples of one way differ by {100 * spread:.0f} % (quartiles): take differences below that for nothing"


def warnings(document):
    machine = document["machine"]
    yield from doubts(document)
    if machine["unpinned_ranks"] > 0:
        yield f"{machine['unpinned_ranks']:.0f} of {machine['ranks']:.0f} ranks are not pinned to cores"
    if machine["virtual"]:
        yield "a virtual machine"
    if document["selftest"] and document["selftest"]["status"] != 0:
        yield f"selftest: {document['selftest']['verdict']}"


def judge(document):
    """Fills in what follows from the figures."""
    is_doubtful = document["machine"] and figures.gains(document["cases"]) and any(doubts(document))
    document["verdict"] = sentence(document) + ("; doubtful, see the warnings" if is_doubtful else "")
    document["geometric_mean"] = round(figures.geometric_mean(figures.gains(document["cases"])), 3)
    document["not_best"] = not_best(document["cases"])[:MOST_NAMED]
    document["warnings"] = list(warnings(document)) if document["machine"] else []
