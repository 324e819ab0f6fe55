# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Advice as text for a terminal: the time of each function and call site, the exchanges that repeat, what they could
be."""

import re

MOST_ROWS = 12
NOTES = {
    "wildcards": "some of its receives take messages from anyone (MPI_ANY_SOURCE): a neighborhood collective needs to "
                 "know who sends",
    "datatypes": "it uses datatypes of its own: MPI_Neighbor_alltoallw takes them",
    "by dimension": "it goes dimension by dimension: if a message holds what came along an earlier dimension "
                    "(corners), one collective needs the corner neighbors, too",
    "blocking": "it waits in MPI_Recv and sends by MPI_Send: if a process computes between the two, one collective "
                "cannot take their place",
    "in phases": "it goes in phases: some messages are posted after others have come. If they hold what came then "
                 "(corners), one collective needs the corner neighbors, too; else take one for each phase",
    "leaves out peers": "some calls leave out some of its peers: give those a count of 0, which costs an empty message "
                        "each between nodes and a look within one; or make a second communicator without them",
    "periodic or not": "along 1 or 2 processes messages do not show whether the grid is periodic: the lines of "
                       "--language ask for it",
    "part of a communicator": "only a part of the communicator takes part, or several communicators do: make the new "
                              "one of these processes",
}
WORDS = {
    "grid": "a halo on a process grid",
    "partly grid": "for the most part a halo on a process grid",
    "irregular": "irregular: fixed neighbors that no process grid explains",
    "everyone": "every process exchanges with every other: more processes would show whether there is a grid",
    "pair": "two processes exchange with each other",
    "one way": "one way: processes send to others than they receive from, as a pipeline does",
    "star": "one process exchanges with all others, as with workers",
    "changing": "its peers, or how often they are met, change during the run",
}
WHY_NOT = {
    "one way": "a neighborhood collective would make all processes wait for each other: leave it as it is",
    "star": "no neighborhood: a neighborhood collective does not fit",
    "changing": "a graph communicator is made for neighbors that stay: make one whenever they change, if they then "
                "stay for long",
}


def duration(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def size(count):
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count:.0f} bytes"


def several(least, most, shown=str):
    return shown(most) if least == most else f"{shown(least)} to {shown(most)}"


def table(advice):
    """The functions and the call sites by time."""
    yield f"{'function':<28} {'calls':>10} {'seconds':>10} {'of the run':>10}   (sums over all ranks)"
    for row in advice["functions"][:MOST_ROWS]:
        yield f"{row['function']:<28} {row['calls']:>10} {row['seconds']:>10.4g} {row['share']:>10.1%}"
    yield ""
    yield f"{'call site':<50} {'function':<18} {'calls':>10} {'of the run':>10}"
    called = [site for site in advice["sites"] if site["calls"]]  # MPI_Finalize goes on
    for site in sorted(called, key=lambda one: -one["seconds"])[:MOST_ROWS]:
        place = site["at"][0] if site["at"] else "??"
        yield f"{place:<50} {site['function']:<18} {site['calls']:>10} {site['share']:>10.1%}"


def grid_line(grid):
    signs = ["?" if either else "p" if periodic else ""
             for either, periodic in zip(grid.get("either") or [False] * len(grid["dims"]), grid["periodic"])]
    dims = "x".join(f"{extent}{sign}" for extent, sign in zip(grid["dims"], signs))
    legend = "p: periodic" + (", ?: perhaps" if "?" in signs else "")
    part = "" if grid["explained"] == 1 else f", for {grid['explained']:.0%} of the messages"
    return f"process grid {dims} ({legend}), stencil {grid['stencil']} of {len(grid['offsets'])} neighbors{part}"


def places(advice, exchange):
    """A line for each function: its calls with their lines, and the callers."""
    found = {}
    for index in [*exchange["sites"], *(i for i in exchange["finished_at"] if i not in exchange["sites"])]:
        site = advice["sites"][index]
        at = site["at"] or ["??"]
        function, line = re.fullmatch(r"(.*?)(?: \(([^()]*:\d+)\))?", at[0]).groups()
        calls = found.setdefault((function, *at[1:3]), {})
        calls.setdefault(site["function"], []).append(line)
    for (function, *callers), calls in found.items():
        names = ", ".join(f"{name} ({', '.join(sorted(filter(None, lines)))})" if any(lines) else name
                          for name, lines in calls.items())
        yield f"  where      {function}: {names}" + "".join(f", called by {caller}" for caller in callers)


def exchange_lines(advice, number, exchange):
    yield f"exchange {number}: {exchange['function']}"
    yield f"  what       {WORDS[exchange['kind']]}"
    if exchange["grid"]:
        yield f"  grid       {grid_line(exchange['grid'])}"
    peers, sizes = exchange["peers"], exchange["message_bytes"]
    yield (f"  messages   {exchange['messages']:.3g} a process and exchange, to "
           f"{several(peers['least'], peers['most'])} peers, {several(sizes['least'], sizes['most'], size)} each, "
           f"{exchange['times']} times, {exchange['processes']} processes")
    yield (f"  time       {duration(exchange['seconds'])} an exchange, {exchange['share']:.1%} of the run, "
           f"{exchange['share_waiting']:.0%} of it in waits; by {', '.join(exchange['functions'])}")
    yield from places(advice, exchange)
    for note in exchange["notes"]:
        yield f"  note       {NOTES[note]}"
    if exchange["overlaps"]:
        others = ", ".join(str(other + 1) for other in exchange["overlaps"])
        yield f"  note       its messages overlap those of exchange {others}: nonblocking collectives keep that"
    predicted = exchange["prediction"]
    if predicted is None:
        yield f"  advice     {WHY_NOT.get(exchange['kind'], 'none')}"
        return
    how = ("through shared memory, without messages" if predicted["algorithm"] == "shared" else
           f"with {predicted['messages']:.3g} messages ({predicted['algorithm']})")
    yield f"  advice     one neighborhood collective; Hopscotch carries it {how}"
    if predicted["seconds"] is None:
        yield "  predicted  no time: processes share cores, and mostly wait for one"
        return
    yield (f"  predicted  {duration(predicted['seconds'])} an exchange ({duration(predicted['least'])} to "
           f"{duration(predicted['most'])}) instead of {duration(exchange['seconds'])}")


def remarks(advice):
    functions = {row["function"]: row["calls"] for row in advice["functions"]}
    probes = sum(calls for name, calls in functions.items() if "robe" in name)
    if probes:
        yield (f"note: {probes} probes: those messages are received in sizes, or from processes, that are not known "
               "before")
    one_sided = sum(functions.get(name, 0) for name in ("MPI_Put", "MPI_Get"))
    if one_sided:
        yield f"note: {one_sided} one-sided transfers (MPI_Put, MPI_Get), of which nothing more is said here"
    off = sum(each["messages"] for each in advice.get("off_topology", []))
    if off:
        yield (f"note: {off} messages between processes that are no neighbors in the topology of their communicator: "
               "--strict lists them")
    if advice["left_out"]:
        yield f"note: {advice['left_out']} calls found no room in the tables, and are missing above"


def strays(advice):
    """The call sites whose messages leave the topology of their communicator."""
    if "off_topology" not in advice:
        yield "this advice is of an older version, which did not look for it"
        return
    found = advice["off_topology"]
    if not found:
        yield "on communicators with a topology all messages and accesses to windows go between neighbors"
    for each in sorted(found, key=lambda one: -one["messages"]):
        site, example = advice["sites"][each["site"]], each["example"]
        way = "from" if each["direction"] == "in" else "to"
        yield (f"{site['function']} in {', called by '.join(site['at'][:3]) or '??'}: {each['messages']} times {way} a "
               f"process that is no neighbor on a {each['topology']} communicator, by {each['processes']} "
               f"process{'es' * (each['processes'] != 1)}; rank {example['rank']} {way} rank {example['peer']}, say")
    if advice["left_out"]:
        yield f"note: {advice['left_out']} calls found no room in the tables, and were not looked at"


def lines(advice):
    """All of it."""
    ranks, nodes = advice["ranks"], advice["nodes"]
    yield (f"{ranks} rank{'s' * (ranks != 1)} on {nodes} node{'s' * (nodes != 1)}, {advice['elapsed_seconds']:.3g} s, "
           f"{advice['mpi_share']:.1%} of it in MPI")
    yield ""
    yield from table(advice)
    for number, exchange in enumerate(advice["exchanges"], 1):
        yield ""
        yield from exchange_lines(advice, number, exchange)
    if not advice["exchanges"]:
        yield ""
        yield "No exchange of point-to-point messages repeats."
    yield from remarks(advice)
