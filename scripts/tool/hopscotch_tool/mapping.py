# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch map: the ranks that should run on each node, the edges that this saves, and a file for a launcher."""

import itertools
import json
import pathlib
import shlex

from hopscotch_tool import arguments as read, documents, files, locate, say, status
from hopscotch_tool.arguments import WrongUsage

STENCIL = "moore"


def add_arguments(parser):
    parser.add_argument("file", nargs="?", metavar="REPORT.json",
                        help="take grid, stencil and nodes from the graph of this run with most payload")
    parser.add_argument("--dims", type=read.grid, metavar="GRID",
                        help="process grid: 4x4x2; 4px4px2 is periodic in two dimensions")
    parser.add_argument("--stencil", metavar="STENCIL",
                        help=f"as for explain: moore, neumann, '0,1;1,0;-1,-1' (default: {STENCIL})")
    parser.add_argument("--nodes", type=read.count, metavar="N", help="number of nodes of the processes")
    parser.add_argument("--per-node", metavar="M", help="processes of a node, or of each of them: 8,8,4")
    parser.add_argument("--hosts", metavar="LIST", help="names of the nodes: a,b,c, or a file with one in a line")
    parser.add_argument("--format", choices=sorted(FORMATS), help="the launcher the order of ranks is written for")
    parser.add_argument("-o", "--output", type=read.list_file, metavar="FILE", help="write the order of ranks there")
    read.add_force(parser)


def hydra(node_of_rank, hosts):
    """Host file: each host with the number of ranks that follow each other on it."""
    return [f"{hosts[node]}:{len(list(ranks))}" for node, ranks in itertools.groupby(node_of_rank)]


def slurm(node_of_rank, hosts):
    """Host file: the host of each rank."""
    return [hosts[node] for node in node_of_rank]


def openmpi(node_of_rank, hosts):
    """Rank file: host and core of each rank."""
    used = [0] * len(hosts)
    lines = []
    for rank, node in enumerate(node_of_rank):
        lines.append(f"rank {rank}={hosts[node]} slot={used[node]}")
        used[node] += 1
    return lines


def cray(node_of_rank, _hosts):
    """Ranks in the order in which they fill the nodes, a line for each node."""
    ranks = [[] for _ in range(max(node_of_rank) + 1)]
    for rank, node in enumerate(node_of_rank):
        ranks[node].append(str(rank))
    return [",".join(of_node) for of_node in ranks]


# The function that makes the file, and the command that uses it.
FORMATS = {
    "hydra": (hydra, "mpiexec -f {file} -n {ranks} ./program\n"
                     "Hydra of MPICH 4 takes every line for a node of its own, so that only ranks of one line share "
                     "memory."),
    "slurm": (slurm, "SLURM_HOSTFILE={file} srun --distribution=arbitrary -n {ranks} ./program"),
    "openmpi": (openmpi, "mpiexec --rankfile {file} -n {ranks} ./program\n"
                         "(Open MPI 5: --map-by rankfile:file={file}); each rank is bound to the core in its line"),
    "cray": (cray, "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={file} srun -n {ranks} ./program"),
}


def graph_of_report(path):
    """(grid, stencil, processes, nodes) of the graph over all processes with most payload. Raises WrongUsage."""
    report = documents.report(path)
    try:
        known = [graph for graph in report["graphs"]
                 if graph["ranks"] == report["ranks"] and graph["grid"] and (graph["stencil"] or {}).get("offsets")]
        graph = max(known, default=None, key=lambda one: sum(entry.get("payload_bytes", entry["bytes"])
                                                             for entry in one["operations"]))
        if graph is None:
            raise WrongUsage(f"{path}: no process grid and stencil is known of any graph over all processes")
        grid = "x".join(f"{extent}{'p' * periodic}"
                        for extent, periodic in zip(graph["grid"]["dims"], graph["grid"]["periodic"]))
        stencil = ";".join(",".join(map(str, offset)) for offset in graph["stencil"]["offsets"])
        return grid, stencil, report["ranks"], report["nodes"]
    except (LookupError, TypeError) as error:
        raise WrongUsage(f"{path} is no JSON report of Hopscotch") from error


def question(arguments):
    """The words that ask hopscotch-explain. Raises WrongUsage."""
    dims, stencil, nodes = arguments.dims, arguments.stencil or STENCIL, arguments.nodes
    if arguments.file:
        if dims or arguments.stencil:
            raise WrongUsage("--dims and --stencil do not go with a report")
        dims, stencil, ranks, report_nodes = graph_of_report(arguments.file)
        if not nodes and not arguments.per_node:
            nodes = report_nodes
            if ranks % report_nodes:
                raise WrongUsage(f"{ranks} processes on {report_nodes} nodes: how many on each? --per-node 8,8,4")
    if not dims:
        raise WrongUsage("which process grid? --dims 4px4px4p, or a JSON report")
    return ["mapping", dims, stencil, *(["--nodes", str(nodes)] if nodes else []),
            *(["--per-node", arguments.per_node] if arguments.per_node else [])]


def host_names(told, nodes):
    """One for each node. Raises WrongUsage."""
    if told is None:
        raise WrongUsage("which hosts? --hosts a,b,c, or a file with one in a line")
    path = pathlib.Path(told)
    if path.is_file():
        names = [line.split()[0] for line in path.read_text(errors="replace").splitlines() if line.split()]
    else:
        names = [name for name in told.split(",") if name]
        if len(names) == 1 and (nodes > 1 or "/" in told):
            raise WrongUsage(f"--hosts {told}: there is no such file, and as a list it names 1 host of {nodes}")
    if len(names) < nodes or len(set(names)) < len(names):
        raise WrongUsage(f"--hosts names {len(set(names))} hosts, but there are {nodes} nodes")
    return names[:nodes]


def gain(answer):
    """The edges that the mapping saves, as lines for a person."""
    before, after, sizes = answer["consecutive"], answer["mapped"], answer["per_node"]
    size = f"{sizes[0]}" if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    lines = [f"{len(answer['node_of_rank'])} processes on {len(sizes)} nodes, {size} on each",
             f"{'edges between nodes':<22}{'in all':>12}{'of a node at most':>20}",
             f"{'  consecutive ranks':<22}{before['sum']:>12}{before['most']:>20}"]
    if after == before:
        return lines + ["No mapping that was tried is better: nothing needs to be changed."]
    spared = 100 * (before["sum"] - after["sum"]) / before["sum"] if before["sum"] else 0
    return lines + [f"{'  ' + answer['mapper']:<22}{after['sum']:>12}{after['most']:>20}",
                    f"The mapping spares {spared:.0f} % of the edges between nodes."]


def map_ranks(arguments):
    """Raises WrongUsage."""
    if arguments.format is None and (arguments.output or arguments.hosts):
        raise WrongUsage("for which launcher? --format " + ", ".join(sorted(FORMATS)))
    asked = locate.explain(*question(arguments), capture=True)
    if asked.returncode != 0:
        answer = status.of_program(asked.returncode)
        say.error(asked.stderr.strip() or f"hopscotch map: hopscotch-explain ended with status {answer}")
        return answer
    try:
        answer = json.loads(asked.stdout)
    except ValueError:
        raise locate.Missing(f"{locate.explain_program()} is not hopscotch-explain") from None
    lines = []
    if arguments.format:
        write, usage = FORMATS[arguments.format]
        hosts = None if arguments.format == "cray" else host_names(arguments.hosts, len(answer["per_node"]))
        lines = write(answer["node_of_rank"], hosts)
    if arguments.output:
        content = ("\n".join(lines) + "\n").encode()
        files.check_old(arguments.output, content.__eq__, arguments.force)
        files.write(arguments.output, content)
    tell = say.line if arguments.output or not lines else say.error
    for line in gain(answer):
        tell(line)
    if arguments.output:
        for line in usage.format(file=shlex.quote(arguments.output), ranks=len(answer["node_of_rank"])).splitlines():
            tell(line)
    else:
        for line in lines:
            say.line(line)
    return 0
