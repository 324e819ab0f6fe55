# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the speed of this tree's library with that of another revision, cell by cell, in one sitting.

Each round runs every job with the other revision's library and with this one's, in turn; within a job `auto` and the
MPI library's own functions alternate. A cell's ratio is that of a round, other time over this time. A cell has lost if
the median of its ratios is below 0.95 and none of them reaches 1; it has won if the median is above 1.05 and all are
above 1. Anything between is within the spread.
"""

import csv
import dataclasses
import io
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

from hopscotch_tool import files
from hopscotch_tool.measuring import figures, parts
from version import library_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLLECTIVES = ["alltoall", "allgather", "alltoallv", "allgatherv", "alltoallw"]
ALL_FORMS = [prefix + name + suffix for prefix, suffix in (("", ""), ("i", ""), ("", "_init")) for name in COLLECTIVES]
LOST, WON = 0.95, 1.05


@dataclasses.dataclass(frozen=True)
class Job:
    """One job of the measuring program: all functions with all sizes on one stencil."""
    ranks: int
    dimensions: int
    values: int  # in the benchmark's form; 1: along the axes
    functions: tuple
    ints: tuple
    seconds: float = 0.02  # for a case and a way

    def name(self):
        shape = "axes" if self.values == 1 else f"({self.dimensions},{self.values})"
        return f"{self.ranks} ranks, {shape}"


FULL = [Job(2, 3, 3, tuple(ALL_FORMS), (1, 10, 100, 1000, 10000, 100000)),
        Job(2, 3, 5, tuple(COLLECTIVES), (1, 10, 100, 1000, 10000)),
        Job(2, 2, 1, tuple(ALL_FORMS), (1, 100, 10000, 100000)),
        Job(2, 3, 3, ("mixedv", "imixedv", "mixedv_init"), (10, 100)),
        Job(2, 3, 3, ("halo", "ihalo", "halo_init"), (8, 32, 64, 128)),
        Job(8, 3, 3, (*COLLECTIVES, "ialltoallv", "alltoallv_init"), (1, 100, 1000, 10000, 30000)),
        Job(8, 3, 5, ("alltoall", "allgather", "alltoallv"), (1, 100, 1000)),
        Job(8, 2, 1, tuple(COLLECTIVES), (1, 100, 10000, 100000)),
        Job(8, 3, 3, ("mixedv", "imixedv"), (10, 100)),
        Job(8, 3, 3, ("halo", "ihalo"), (8, 32, 64)),
        Job(27, 3, 3, ("alltoall", "allgather", "alltoallv", "ialltoallv"), (1, 100, 300, 10000)),
        Job(27, 3, 3, ("mixedv", "halo"), (8, 32))]
QUICK = [Job(2, 3, 3, ("alltoall", "allgather", "alltoallv", "alltoallw", "ialltoallv", "alltoallv_init"),
             (1, 100, 1000, 10000, 100000)),
         Job(2, 2, 1, ("alltoall", "alltoallv"), (1, 10000)),
         Job(2, 3, 3, ("mixedv", ), (100,)),
         Job(2, 3, 3, ("halo", ), (8, 32, 64)),
         Job(8, 3, 3, ("alltoall", "mixedv", "ialltoallv"), (100, 5000)),
         Job(8, 3, 3, ("halo", ), (8, 64)),
         Job(27, 3, 3, ("alltoall", "allgather"), (1, 300))]
TABLE = "gauge.csv"
COLUMNS = ["cell", "native", "other", "own", "ratio", "least", "most"]
STARTS = ("init", "first", "next", "finalize", "wall")


@dataclasses.dataclass
class Cell:
    """Microseconds of each round."""
    name: str
    other: list = dataclasses.field(default_factory=list)
    own: list = dataclasses.field(default_factory=list)
    native: list = dataclasses.field(default_factory=list)

    def ratios(self):
        return [other / own for other, own in zip(self.other, self.own)]

    def ratio(self):
        return statistics.median(self.ratios())

    def lost(self):
        return self.ratio() < LOST and max(self.ratios()) < 1

    def won(self):
        return self.ratio() > WON and min(self.ratios()) > 1

    def line(self):
        native = f"{statistics.median(self.native):.1f}" if self.native else ""
        return (f"| {self.name} | {native} | {statistics.median(self.other):.2f} | {statistics.median(self.own):.2f} | "
                f"{self.ratio():.2f} | {min(self.ratios()):.2f}-{max(self.ratios()):.2f} |")


def build_library(revision, place):
    """The library of a revision, built below `place` unless that was done before."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--verify", f"{revision}^{{commit}}"],
                            stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    if not commit:
        sys.exit(f"benchmark: {revision} is no revision of {ROOT}")
    source = place / commit[:12]
    if not (source / "build/shim/libhopscotch.so.0").exists():
        print(f"benchmark: building the library of {commit[:12]}", file=sys.stderr, flush=True)
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", source], input=archive, check=True)
        if not (source / "build/build.ninja").exists():
            subprocess.run(["meson", "setup", source / "build", source, "-Dtests=disabled"], check=True,
                           stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", source / "build", library_of(source)], check=True,
                       stdout=subprocess.DEVNULL)
    return source / "build/shim/libhopscotch.so.0"


class Sitting:
    """Runs jobs with a library or without, and keeps the cells."""

    def __init__(self, arguments, programs, yielding, other, own):
        self.mpiexec = arguments.mpiexec
        self.exchanges, self.starts = programs
        self.yielding = yielding
        self.libraries = {"other": other, "own": own, "native": None}
        self.cells = {}

    def output(self, ranks, side, program, *words):
        libraries = [self.yielding] if ranks > len(os.sched_getaffinity(0)) else []
        libraries += [self.libraries[side]] if self.libraries[side] else []
        command = [self.mpiexec, "-n", str(ranks), "env", "LD_PRELOAD=" + ":".join(map(str, libraries)),
                   "HOPSCOTCH_REPORT=off", "UCX_LOG_LEVEL=error", str(program), *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=600, check=False)
        if done.returncode:
            sys.exit(f"benchmark: {' '.join(command)} ended with status {done.returncode}")
        return done.stdout

    def add(self, name, side, microseconds):
        getattr(self.cells.setdefault(name, Cell(name)), side).append(microseconds)

    def run_exchanges(self, job, side):
        cases = ",".join(parts.case_words(job.dimensions, job.values, function, ints, "together")
                         for function in job.functions for ints in job.ints)
        shown = self.output(job.ranks, side, self.exchanges, f"cases={cases}", f"seconds={job.seconds}",
                            "ways=native,auto", "most=16")
        for case, way in figures.rows_of(shown):
            name = f"{job.name()}, {case['function']} {case['ints']}"
            self.add(name, side if way["way"] == "auto" else "native", way["median_us"])

    def run_start(self, ranks, side):
        begin = time.monotonic()
        words = self.output(ranks, side, self.starts, "2").split()
        figures = {**dict(zip(words[::2], map(float, words[1::2]))), "wall": time.monotonic() - begin}
        for step in STARTS:
            self.add(f"{ranks} ranks, {'whole job' if step == 'wall' else step}", side, 1e6 * figures[step])


def table(title, cells):
    print(f"\n{title}: {len(cells)}\n")
    if cells:
        print("| cell | native, us | other | this | ratio | of the rounds |\n|---|---|---|---|---|---|")
        print("\n".join(cell.line() for cell in cells))


def is_table(content):
    """True if an earlier comparison wrote these bytes."""
    return content.startswith(",".join(COLUMNS).encode())


def geometric_mean(cells):
    return math.exp(statistics.fmean(math.log(cell.ratio()) for cell in cells))


def compare(arguments):
    """Prints the comparison; true where no cell has lost."""
    other = build_library(arguments.against, ROOT / "build-against")
    starts_program = arguments.build / "scale_benchmark"
    subprocess.run(["mpicc.mpich", "-O2", "-o", starts_program, ROOT / "scripts/benchmarks/scale_benchmark.c"],
                   check=True)
    sitting = Sitting(arguments, [arguments.build / "scripts/benchmarks/measure", starts_program],
                      arguments.build / "test/preload/libyielding.so", other,
                      arguments.build / "shim/libhopscotch.so.0")
    jobs = QUICK if arguments.quick else FULL
    starts = (2, 8) if arguments.quick else (2, 8, 32)
    begin = time.monotonic()
    for number in range(arguments.rounds):
        sides = ["other", "own"] if number % 2 == 0 else ["own", "other"]
        for job in jobs:
            for side in sides:
                sitting.run_exchanges(job, side)
        for ranks in starts:
            for side in ["native", *sides]:
                sitting.run_start(ranks, side)
        print(f"benchmark: round {number + 1} of {arguments.rounds}, {time.monotonic() - begin:.0f} s",
              file=sys.stderr, flush=True)
    cells = sorted(sitting.cells.values(), key=Cell.ratio)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    writer.writerows([cell.name, statistics.median(cell.native), statistics.median(cell.other),
                      statistics.median(cell.own), cell.ratio(), min(cell.ratios()), max(cell.ratios())]
                     for cell in cells)
    files.write(arguments.output / TABLE, written.getvalue())
    lost = [cell for cell in cells if cell.lost()]
    table(f"Lost against {arguments.against}, beyond the spread of {arguments.rounds} rounds", lost)
    table("Won", [cell for cell in reversed(cells) if cell.won()])
    exchanges = [cell for cell in cells if any(cell.name.startswith(job.name()) for job in jobs)]
    print(f"\n{len(exchanges)} exchanges: geometric mean {geometric_mean(exchanges):.3f} times as fast as "
          f"{arguments.against}, smallest {exchanges[0].ratio():.2f}, largest {exchanges[-1].ratio():.2f}; "
          f"{len(cells)} cells in {time.monotonic() - begin:.0f} s, all in {arguments.output / TABLE}")
    return not lost
