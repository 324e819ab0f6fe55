#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch measure writes what its schema says, keeps what came before an early end, and gives away no names."""

import json
import os
import pathlib
import platform
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

from page import Page, shown
from support import PATIENCE, ROOT, TOOL, check, setup
import schema
from hopscotch_tool.measuring import model, osu

two = setup.launcher(2)
CROWD = setup.crowd(2)
SCHEMA = ROOT / "docs/measure.schema.json"
FILES = ["measure.html", "measure.json", "measure.tar.gz", "measure.txt"]
# Kills a rank of the job that measures cases, after the first of them.
KILLER = """#!{python}
import os, pathlib, subprocess, sys
job = subprocess.Popen([*{launcher!r}, *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
def rank_below(parent):
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text().rpartition(")")[::2]
            if int(rest.split()[1]) == parent:
                found = path.parent.name if name.endswith("(measure") else rank_below(int(path.parent.name))
                if found:
                    return found
        except (OSError, ValueError):
            pass
for line in job.stdout:
    print(line, end="", flush=True)
    victim = rank_below(job.pid) if '"case"' in line else None
    if victim:
        os.kill(int(victim), 9)
sys.exit(job.wait() % 256)
"""


# Stands for one of OSU's programs; natively it fails.
OSU = """#!/bin/sh
[ "$WAY" = auto ] || { echo "no grid" >&2; exit 1; }
echo "# Size  Avg Latency(us)"
echo "8   1.50"
echo "16  2.25"
echo "# $*" >"$0.arguments"
"""


def read(folder, what, complete):
    """The measurement in a folder, which fits the schema."""
    path = pathlib.Path(folder, "measure.json")
    check(path.is_file(), f"{what}: there is a measure.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    if schema.library() is None:
        print("skipped: the document is not compared with its schema (apt-get install python3-fastjsonschema)")
    errors = schema.shape_errors(document, SCHEMA)
    check(not errors, f"{what}: the schema", errors)
    check(document["complete"] == complete, f"{what}: complete is {complete}", document["why_partial"])
    return document


def check_ratios(document):
    """Figures that follow from others do."""
    for case in document["cases"]:
        for way in case["ways"]:
            check(way["low_us"] <= way["median_us"] <= way["high_us"] and way["samples"] > 0, "quartiles", str(way))
            check(way["way"] != "native" or way["ratio_median"] == 1, "native over native", str(way))
        check({"native", "auto"} <= {way["way"] for way in case["ways"]}, "ways of a case", str(case))
    names = {case["function"] for case in document["cases"]}
    check("alltoall" in names, "alltoall is measured first", names)
    check(any(entry["what"].startswith("cases: ") for entry in document["left_out"]), "cases are left out by name")


def check_page(folder, document):
    html = pathlib.Path(folder, "measure.html").read_text(encoding="utf-8")
    page = Page(html)
    check(page.problem is None, "page: tags match", page.problem)
    check("http" not in html.replace("http://www.w3.org", ""), "page: nothing is loaded")
    check(document["verdict"] in "".join(page.texts["pre"]), "page: the text without a script")
    if made := shown(pathlib.Path(folder, "measure.html")):
        texts = [piece.text() for piece in made["pieces"]]
        check(made["hidden"] and made["sorts"], "page: its script runs", made["hidden"])
        check(document["verdict"] in texts, "page: the verdict", texts[:9])
        names = {piece.name for piece in made["pieces"]}
        check({"gains by size", "algorithm by size"} <= names, "page: drawings", sorted(names))


def time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_whole(folder):
    before = time_of_children()
    done = setup.tool("measure", "--quick", "-t", "0.2", "-o", folder, "--", *two, environment=CROWD)
    check(done.returncode == 0, "a quick measurement", done.stdout[-3000:] + done.stderr)
    document = read(folder, "a quick measurement", True)
    check(sorted(path.name for path in folder.iterdir()) == FILES, "the files", sorted(folder.iterdir()))
    cores = time_of_children() - before
    check(cores < 2 * (12 + 60), "the time is kept, by what two ranks use of their cores", cores)
    check("neighbors, 100 ints, one node of 2: auto is " in document["verdict"], "the verdict", document["verdict"])
    check(document["verdict"] in done.stdout.splitlines(), "the verdict is printed", done.stdout)
    check(any("(3,3) alltoall 400 B" in line and "s  " in line[:8] for line in done.stdout.splitlines()),
          "rows while it measures", done.stdout)
    with tarfile.open(folder / "measure.tar.gz") as archive:
        check(sorted(archive.getnames()) == ["measure/measure.html", "measure/measure.json", "measure/measure.txt"],
              "the archive", archive.getnames())
    check_ratios(document)
    check_page(folder, document)
    predicted = [(case, way) for case in document["cases"] for way in case["ways"] if "predicted_us" in way]
    check(document["model"]["predictions"] == len(predicted) > 0 and all(
        case["mode"] == "together" and case["function"] in ("alltoall", "allgather") and way["way"] in model.WAYS
        for case, way in predicted), "what the model predicts", document["model"])


def check_nodes(scratch):
    """Two nodes on one machine, as MPICH can have them: what there is between nodes, and on parts of the job."""
    if "openmpi" in setup.paths.library:
        print("skipped: only MPICH makes several nodes of one machine")
        return
    done = setup.tool("measure", "--quick", "-t", "0.3", "-o", scratch / "nodes", "--", *setup.launcher(4),
                      environment={**setup.crowd(99), "MPIR_CVAR_NUM_CLIQUES": "2"})
    check(done.returncode == 0, "two nodes", done.stdout[-3000:] + done.stderr)
    document = read(scratch / "nodes", "two nodes", True)
    check("2 nodes of 2: auto is " in document["verdict"] and document["machine"]["nodes"] == 2,
          "two nodes: the verdict", document["verdict"])
    check([one["where"] for one in document["networks"]] == ["within a node", "between nodes"], "two nodes: messages",
          document["networks"])
    ways = {way["way"] for case in document["cases"] for way in case["ways"]}
    check({"aggregated", "mapped"} <= ways, "two nodes: ways", ways)
    parts = {case["on"] for case in document["cases"]} | {word for entry in document["left_out"]
                                                          for word in entry["what"].split()}
    check({"nodes:1", "half", "one"} <= parts, "two nodes: parts of the job are measured or left out by name", parts)


def check_comparison(folder):
    file = folder / "measure.json"
    done = setup.tool("measure", "--compare", file, file)
    check(done.returncode == 0 and "the second: 1.00 times as fast, median of " in done.stdout,
          "two measurements side by side", done.stdout + done.stderr)


def check_record(folder, scratch):
    """What is shown is what is written, and no name is in it."""
    target, named = scratch / "record.json", scratch / "named.json"
    document = json.loads((folder / "measure.json").read_text(encoding="utf-8"))
    document["machine"]["mpi_library"] += ", package: Open MPI jane@login7 Distribution"
    document["launcher"] += ["--host", "login7", "--hosts=login7", "-w=jane", "--wdir=/home/jane", "--nodes=2", "-c"]
    document["settings"]["HOPSCOTCH_CONFIG"] = "/home/jane/site.conf"
    document["left_out"].append({"what": "selftest", "why": "not installed with /home/jane/lib"})
    named.write_text(json.dumps(document), encoding="utf-8")
    words = [sys.executable, str(TOOL), "measure", "--record", "-o", str(target), str(named)]
    for answer, status in (("no\n", 1), ("yes\n", 0)):
        done = subprocess.run(words, input=answer, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=PATIENCE)
        check(done.returncode == status and target.is_file() == (status == 0), f"a record, after {answer!r}",
              done.stderr)
    check(target.read_text(encoding="utf-8") == done.stdout, "a record is what was shown")
    check(json.loads(done.stdout)["launcher"] == [pathlib.Path(two[0]).name, "-n", "2", "--host", *["..."] * 4,
                                                  "--nodes=2", "-c"], "a launcher in a record", done.stdout[:2000])
    places = json.loads(done.stdout)["machine"]["places"]
    check([place.split()[0] for place in places] == ["node1", "node1"], "hosts are numbered", places)
    # A host may be called "vm", and that stand in a word.
    check(f'"{platform.node()}' not in done.stdout and not any(name in done.stdout for name in (
        str(ROOT), "jane", "login7")), "no names in a record", done.stdout[:3000])


def check_dead_rank(scratch):
    launcher = scratch / "killing"
    launcher.write_text(KILLER.format(python=sys.executable, launcher=two), encoding="utf-8")
    launcher.chmod(0o755)
    done = setup.tool("measure", "--quick", "-t", "0.2", "-o", scratch / "dead", "--", launcher, environment=CROWD)
    document = read(scratch / "dead", "a rank dies", False)
    check(done.returncode == 1 and "PARTIAL: " in done.stdout and document["failures"], "a rank dies", done.stdout)
    check(len(document["cases"]) > 0, "a rank dies: what came before is kept", document["failures"])


class OsuMeasurement:
    """As much of a measurement as OSU's part needs."""

    def __init__(self, ranks):
        self.document = {"machine": {"ranks": ranks}, "osu": []}
        self.command = []
        self.environment = {**os.environ, "WAY": "auto"}
        self.left_out = []

    def left(self):
        return 100.0

    def leave_out(self, what, why="no time"):
        self.left_out.append((what, why))


def check_osu(scratch):
    """Their times are kept; a program that gives none is left out with its words."""
    found = {ranks: osu.neighborhood(ranks) for ranks in (2, 3, 8, 9, 16, 27, 36, 64)}
    check(found == {2: None, 3: "cart:1:1", 8: "cart:1:1", 9: "cart:2:1", 16: "cart:2:1", 27: "cart:3:1",
                    36: "cart:3:1", 64: "cart:3:1"}, "OSU: the grid of most dimensions", found)
    program = scratch / "osu_neighbor_alltoall"
    program.write_text(OSU, encoding="utf-8")
    program.chmod(0o755)
    os.environ["PATH"] = f"{scratch}:{os.environ['PATH']}"
    several, few = OsuMeasurement(9), OsuMeasurement(2)
    osu.measure(several, 3.0)
    osu.measure(few, 3.0)
    check(several.document["osu"][:1] == [{"program": program.name, "neighborhood": "cart:2:1", "way": "auto",
                                           "bytes_and_us": [[8.0, 1.5], [16.0, 2.25]]}], "OSU: times", several.document)
    check((scratch / (program.name + ".arguments")).read_text(encoding="utf-8") == "# -N cart:2:1 -m 8:65536\n",
          "OSU: arguments")
    check((f"{program.name}, native", "no grid") in several.left_out, "OSU: a program that fails", several.left_out)
    check(few.left_out and not few.document["osu"], "OSU: too few ranks", few.left_out)


def check_failing_launcher(scratch):
    launcher = scratch / "failing"
    launcher.write_text("#!/bin/sh\necho no such queue >&2\nexit 5\n", encoding="utf-8")
    launcher.chmod(0o755)
    done = setup.tool("measure", "--minutes", "1", "--output", scratch / "failed", "--", launcher)
    document = read(scratch / "failed", "a launcher fails", False)
    check(done.returncode == 1 and "no such queue" in done.stderr and "status 5" in document["failures"][0]["text"],
          "a launcher fails", done.stdout + done.stderr)


def check_interruption(scratch):
    """The file is written again while cases come, for an end that nobody hears of; and at Ctrl-C."""
    command = [sys.executable, str(TOOL), "measure", "--quick", "-t", "1.5", "-o", str(scratch / "ended"), "--", *two]
    file = scratch / "ended" / "measure.json"
    kept = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env={**os.environ, **CROWD}) as process:
        for line in process.stdout:
            kept = json.loads(file.read_text(encoding="utf-8"))["cases"] if "alltoall" in line else []
            if kept:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()
        status = process.wait(100)
    check(kept, "cases are kept before their part is over")
    document = read(scratch / "ended", "Ctrl-C", False)
    check(status == 130 and "PARTIAL: interrupted by SIGINT" in rest and len(document["cases"]) >= len(kept),
          "Ctrl-C: what came before is kept", f"{status} {rest}")


def check_full_disk(scratch):
    """The files that were whole before stay, and the text is printed."""
    place = scratch / "full"
    place.mkdir()
    words = " ".join(map(str, [sys.executable, TOOL, "measure", "--quick", "-t", "0.2", "-o", place / "m", "--", *two]))
    script = (f"mount -t tmpfs -o size=16k none {place} && {words}; echo status $?; "
              f"ls {place}/m; cat {place}/m/measure.json")
    done = subprocess.run(["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", script],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=PATIENCE, env={**os.environ, **CROWD})
    if "mount" in done.stderr or "unshare" in done.stderr:
        print("skipped: no file system may be mounted here")
        return
    check("status 3" in done.stdout and "No space left on device" in done.stderr and "PARTIAL: " in done.stdout
          and "unfinished" not in done.stdout, "a full disk", done.stdout + done.stderr)
    kept = json.loads(done.stdout[done.stdout.rindex("\n{\n") + 1:])
    check(not kept["complete"], "a full disk: the last file that had room", kept["why_partial"])


with tempfile.TemporaryDirectory(prefix="measure_") as directory:
    here = pathlib.Path(directory)
    for name, part in (("whole", lambda: check_whole(here / "whole")),
                       ("nodes", lambda: check_nodes(here)),
                       ("osu", lambda: check_osu(here)),
                       ("comparison", lambda: check_comparison(here / "whole")),
                       ("record", lambda: check_record(here / "whole", here)),
                       ("dead rank", lambda: check_dead_rank(here)),
                       ("failing launcher", lambda: check_failing_launcher(here)),
                       ("interruption", lambda: check_interruption(here)),
                       ("full disk", lambda: check_full_disk(here))):
        begin = time.monotonic()
        part()
        print(f"{time.monotonic() - begin:.0f} s: {name}", flush=True)
setup.finish()
