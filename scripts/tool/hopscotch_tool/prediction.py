# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch explain --network: the predicted time of a call on a network that its nodes share, and its messages as a
GOAL file. hopscotch-model computes all of it."""

import json
import subprocess

from hopscotch_tool import files, locate, say, status
from hopscotch_tool.arguments import WrongUsage
from hopscotch_tool.measuring.model import parameters
from hopscotch_tool.units import seconds_text

WAYS = ("direct", "merged", "combining", "family", "aggregated")
GOAL_WAYS = ("direct", "merged", "combining")
TITLES = {"direct": "one message per neighbor", "merged": "one per neighboring process", "combining": "combining",
          "family": "combining, fastest member", "aggregated": "aggregated between nodes", "auto": "choice of auto"}
ONLY_HERE = {"ranks_per_node": "--ranks-per-node", "dimensions": "-d", "values": "-n", "bytes": "--bytes",
             "allocation": "--allocation", "goal": "--goal", "way": "--way", "force": "--force"}
MOST_PROCESSES = 1 << 20
MOST_NEIGHBORS = 1 << 12


def add_arguments(parser, read):
    parser.add_argument("--network", metavar="NETWORK",
                        help="predict the time of a call on a torus, dragonfly, dragonfly:LINKS, fat-tree or "
                             "fat-tree:TAPER")
    parser.add_argument("--ranks-per-node", type=read.count, metavar="M", help="processes on each node")
    parser.add_argument("-d", dest="dimensions", type=read.count, metavar="D", help="dimensions of the process grid")
    parser.add_argument("-n", dest="values", type=read.count, metavar="N",
                        help="shifts along each dimension: N to the power of D, less 1, neighbors")
    parser.add_argument("--bytes", type=read.count, metavar="B", help="size of a block")
    parser.add_argument("--allocation", metavar="NAME",
                        help="block: nodes in order (default); fragmented:SEED: a random quarter of four times as many")
    parser.add_argument("--goal", metavar="FILE", help="write the messages for LogGOPSim and ATLAHS")
    parser.add_argument("--way", choices=GOAL_WAYS, help="the way of --goal (default: combining)")
    read.add_force(parser)


def check(arguments):
    """Raises WrongUsage."""
    for name in ("nodes", *list(ONLY_HERE)[:4]):
        if getattr(arguments, name) is None:
            raise WrongUsage(f"--network needs {ONLY_HERE.get(name, '--nodes')}, too")
    for name in ("dims", "rank", "bounds", "selection", "collective", "sizes"):
        if getattr(arguments, name) not in (None, False):
            raise WrongUsage(f"--{name} does not go with --network")
    if arguments.way and not arguments.goal:
        raise WrongUsage("--way goes with --goal")
    if arguments.nodes < 2:
        raise WrongUsage("--nodes: a network needs 2 nodes or more")
    if arguments.nodes * arguments.ranks_per_node > MOST_PROCESSES:
        raise WrongUsage(f"more than {MOST_PROCESSES} processes")
    if arguments.values < 2 or arguments.values ** min(arguments.dimensions, 13) > MOST_NEIGHBORS:
        raise WrongUsage(f"-d and -n: no neighbor, or more than {MOST_NEIGHBORS}")


def asked(arguments, operation, ways, ranks, *placements):
    """The words for hopscotch-model. Raises locate.Missing."""
    machine = {**parameters([]), "processes_per_node": arguments.ranks_per_node}
    return [str(locate.model_program()), ",".join(f"{name}={value:g}" for name, value in machine.items()),
            str(arguments.nodes * arguments.ranks_per_node), str(arguments.dimensions), str(arguments.values),
            operation, f"{arguments.bytes / 4:.17g}", ",".join(ways), ranks, *placements]


def run(words):
    """Its output. Raises WrongUsage with what it says."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode == 2:
        raise WrongUsage(done.stderr.strip())
    if done.returncode != 0:
        raise locate.Missing(f"hopscotch-model ended with status {status.of_program(done.returncode)}")
    return done.stdout


def times(arguments, ranks):
    """{way: (seconds, name of the member or the choice)}"""
    ways = [way for way in (*WAYS, "auto") if way != "aggregated" or arguments.ranks_per_node > 1]
    placement = f"{arguments.network}/{arguments.allocation or 'block'}"
    rows = [line.split(",") for line in run(asked(arguments, "alltoall", ways, ranks, placement)).splitlines()]
    return {row[2]: (float(row[4]), row[5]) for row in rows if row[0] == "loaded"}


def fastest(found):
    return min((way for way in found if way != "auto"), key=lambda way: found[way][0])


def document(arguments):
    """What is printed, for programs: seconds."""
    in_order, mapped = times(arguments, "consecutive"), times(arguments, "mapped")
    best = fastest(in_order)
    return {"network": arguments.network, "allocation": arguments.allocation or "block", "nodes": arguments.nodes,
            "ranks_per_node": arguments.ranks_per_node, "dimensions": arguments.dimensions, "values": arguments.values,
            "neighbors": arguments.values ** arguments.dimensions - 1, "block_bytes": arguments.bytes,
            "seconds": {way: time for way, (time, _) in in_order.items()},
            "seconds_mapped": {way: time for way, (time, _) in mapped.items()},
            "member": in_order["family"][1], "auto": in_order["auto"][1], "fastest": best,
            "gain": in_order["direct"][0] / in_order[best][0],
            "gain_of_mapping": in_order[best][0] / mapped[fastest(mapped)][0]}


def text(found):
    lines = [f"network   {found['network']}, {found['nodes']} nodes ({found['allocation']}) of "
             f"{found['ranks_per_node']} processes",
             f"alltoall  {found['neighbors']} neighbors, {found['dimensions']} dimensions, blocks of "
             f"{found['block_bytes']} bytes", "", f"{'':28}{'in order':>10}{'mapped':>10}"]
    for way, seconds in found["seconds"].items():
        name = {"family": f" {found['member']}", "auto": f": {found['auto']}"}.get(way, "")
        lines.append(f"{TITLES[way]:28}{seconds_text(seconds):>10}{seconds_text(found['seconds_mapped'][way]):>10}"
                     f"{name and '  ' + name.removeprefix(': ').strip()}")
    gain = "" if found["fastest"] == "direct" else (f", {found['gain']:.2f} times as fast as one message per "
                                                    "neighbor")
    return "\n".join([*lines, "", f"fastest: {TITLES[found['fastest']]}{gain};",
                      "with ranks mapped to nodes (hopscotch map) the fastest is "
                      f"{found['gain_of_mapping']:.2f} times as fast as in order", "",
                      "By a model, not measured: 1.5 us per message, 10 GB/s, shared links, no other job.", ""])


def goal(arguments):
    """Writes the file; the exit status."""
    files.check(arguments.goal, files.is_goal, arguments.force)
    files.write(arguments.goal, run(asked(arguments, "goal", [arguments.way or "combining"], "consecutive")).encode())
    return status.DONE


def explain(arguments):
    check(arguments)
    if arguments.goal:
        if arguments.json:
            raise WrongUsage("--json does not go with --goal")
        return goal(arguments)
    found = document(arguments)
    say.whole(json.dumps(found, indent=2) + "\n" if arguments.json else text(found))
    return status.DONE
