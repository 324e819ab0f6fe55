# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch map: its output, the files it writes for launchers, and the values it takes from a report."""

import json
import pathlib
import tempfile

from support import check, setup
from hopscotch_tool import arguments, mapping

RANKS = 4


def graph(extent, *amounts, ranks=16, name="bytes", offsets=((0, 1), (-1, 0))):
    """A graph on a grid of this extent along x, whose operations have these amounts."""
    operations = [{"bytes": 0, name: amount} for amount in amounts]
    return {"ranks": ranks, "grid": {"dims": [extent, 16 // extent], "periodic": [True, False]},
            "stencil": {"offsets": offsets and [list(offset) for offset in offsets]}, "operations": operations}


def check_choice(folder):
    """Of several graphs that with most payload counts, if it is over all processes and a stencil is known."""
    path = folder / "several.json"
    bare = {**graph(2, 99), "grid": None}
    for graphs, extent in (([graph(2, 5), graph(4, 7)], 4), ([graph(2, 5, 4), graph(4, 7)], 2),
                           ([graph(2, 5), graph(4, 9, ranks=8)], 2), ([graph(4, 5), graph(2, 9, offsets=None)], 4),
                           ([bare, graph(4, 1)], 4), ([graph(2, 5, name="payload_bytes"), graph(4, 4)], 2)):
        path.write_text(json.dumps({"schema": 1, "ranks": 16, "nodes": 4, "graphs": graphs}), encoding="utf-8")
        found = mapping.graph_of_report(path)
        check(found == (f"{extent}px{16 // extent}", "0,1;-1,0", 16, 4), "the graph of a report", found)
    path.write_text(json.dumps({"schema": 1, "ranks": 16, "nodes": 4, "graphs": [bare]}), encoding="utf-8")
    try:
        check(False, "no graph of a report", mapping.graph_of_report(path))
    except arguments.WrongUsage as error:
        check("no process grid and stencil is known" in str(error), "no graph of a report", error)


with tempfile.TemporaryDirectory() as place:
    check_choice(pathlib.Path(place))

SQUARE = ("map", "--dims", "4x4", "--stencil", "neumann", "--nodes", "4")
HOSTS = ("--hosts", "a,b,c,d")


def words_of(shown):
    return [line.split() for line in shown.splitlines()]


shown = setup.tool(*SQUARE)
check(shown.returncode == 0 and words_of(shown.stdout)[2:4] == [["consecutive", "ranks", "24", "8"],
                                                                ["hyperplane", "16", "4"]],
      "what a mapping spares", shown.stdout + shown.stderr)
shown = setup.tool("map", "--dims", "12", "--nodes", "3")
check("No mapping that was tried is better" in shown.stdout, "consecutive ranks are best", shown.stdout)
shown = setup.tool("map", "--dims", "4x4", "--stencil", "neumann", "--per-node", "8,4,4")
check("on 3 nodes, 4 to 8 on each" in shown.stdout and words_of(shown.stdout)[3] == ["hyperplane", "12", "4"],
      "nodes of different sizes", shown.stdout)

# The quarters of the square are the nodes.
QUARTERS = "aabbaabbccddccdd"
FILES = {
    "hydra": [f"{host}:2" for host in "ababcdcd"],
    "slurm": list(QUARTERS),
    "openmpi": [f"rank {rank}={host} slot={QUARTERS[:rank].count(host)}" for rank, host in enumerate(QUARTERS)],
    "cray": ["0,1,4,5", "2,3,6,7", "8,9,12,13", "10,11,14,15"],
}
with tempfile.TemporaryDirectory() as directory:
    output = pathlib.Path(directory, "order of ranks")
    for name, lines in FILES.items():
        shown = setup.tool(*SQUARE, *HOSTS, "--format", name)
        check(shown.returncode == 0 and shown.stdout.splitlines() == lines, f"--format {name}", shown.stdout)
        check("spares 33 %" in shown.stderr, f"--format {name}: the gain stands beside the file", shown.stderr)
        shown = setup.tool(*SQUARE, *HOSTS, "--format", name, "--output", output, "--force")
        check(output.read_text(encoding="utf-8").splitlines() == lines, f"--format {name} -o")
        check(f"'{output}'" in shown.stdout and "-n 16" in shown.stdout, f"{name}: how it is used", shown.stdout)
    check(setup.tool(*SQUARE, "--format", "cray").returncode == 0, "Cray's order names no hosts")
    names = pathlib.Path(directory, "hosts")
    names.write_text("a slots=4\nb slots=4\n\nc\nd\ne\n", encoding="utf-8")
    shown = setup.tool(*SQUARE, "--hosts", names, "--format", "slurm")
    check(shown.stdout.splitlines() == FILES["slurm"], "hosts of a file", shown.stdout + shown.stderr)

    report = pathlib.Path(directory, "run.json")
    made = setup.tool("run", "-r", report, *setup.launcher(RANKS), setup.paths.stencil, "-d", "2", "-i", "2",
                      environment=setup.crowd(RANKS))
    check(made.returncode == 0, "the run", made.stderr)
    shown = setup.tool("map", report)
    check("4 processes on 1 nodes, 4 on each" in shown.stdout, "the nodes of a report", shown.stdout + shown.stderr)
    by_hand = setup.tool("map", "--dims", "2px2p", "--stencil", "moore", "--nodes", "2")
    shown = setup.tool("map", report, "--nodes", "2")
    check(shown.stdout == by_hand.stdout != "", "grid and stencil of a report", shown.stdout + by_hand.stdout)

    pathlib.Path(directory, "uneven.json").write_text(json.dumps(
        {"schema": 1, "ranks": 16, "nodes": 3, "graphs": [graph(4, 1)]}), encoding="utf-8")
    WRONG = (([], "--dims"), (["--dims", "4x4"], "--nodes"), (["--dims", "4x4", "--nodes", "3"], "16 processes"),
             (["--dims", "4x4", "--nodes", "0"], "'0'"), (["--dims", "4x4", "--nodes", "17"], "17 nodes"),
             (["--dims", "4x4", "--per-node", "8,0,8"], "a node of 0"), (["--dims", "4x4", "--per-node", "x"], "'x'"),
             (["--dims", "4x4", "--per-node", "8,8", "--nodes", "3"], "2 nodes"),
             (["--dims", "4xx4", "--nodes", "4"], "4xx4"),
             (["--dims", "4x4", "--nodes", "4", "--stencil", "diamond"], "diamond"),
             (["--dims", "4x4", "--nodes", "4", "-o", "x"], "--format"),
             (["--dims", "4x4", "--nodes", "4", "--format", "pbs"], "pbs"),
             (["--dims", "4x4", "--nodes", "4", "--format", "slurm"], "--hosts"),
             (["--dims", "4x4", "--nodes", "4", "--format", "slurm", "--hosts", "a,b,c"], "3 hosts"),
             (["--dims", "4x4", "--nodes", "4", "--format", "slurm", "--hosts", "a,b,c,a"], "3 hosts"),
             ([pathlib.Path(directory, "uneven.json")], "16 processes on 3 nodes: how many on each"),
             ([report, "--dims", "4x4"], "report"), ([report, "--nodes", "3"], "4 processes"),
             (["/nowhere/run.json"], "/nowhere/run.json: No such file"), ([__file__], __file__))
    for words, named in WRONG:
        shown = setup.tool("map", *words)
        check(shown.returncode == 2 and named in shown.stderr and shown.stdout == "", f"map {words}", str(shown))
setup.finish()
