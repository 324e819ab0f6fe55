# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The parts of a preload test: a Case, and the words that the rows in cases/*.py have in common."""

import dataclasses
import re
from collections.abc import Sequence

MANY_RANKS = 8  # with more of them a case is in the suite `ranks`


NOTHING_LEFT = r"\A(?!(?s:.*)leaked)"  # MPICH warns of types that nobody has freed


def once(words):
    """A pattern for stderr: these words stand there, and not twice."""
    found = re.escape(words)
    return rf"\A(?s:(?!.*{found}.*{found}).*{found})"


@dataclasses.dataclass(frozen=True)
class Facts:
    """Facts about the MPI library and this build."""
    mpi: str               # "mpich", "openmpi" or "abi", the option of the build
    version: str           # of the MPI library, "4.0.2"
    has_persistent: bool   # it has persistent neighborhood collectives
    built: tuple           # the programs that are there

    @property
    def openmpi(self):
        return self.mpi == "openmpi"

    @property
    def standard_abi(self):
        return self.mpi == "abi"

    def older_than(self, major, minor):
        """True for the same family. A library with the standard ABI is none of the older ones; its version is not
        known."""
        if self.standard_abi:
            return False
        return tuple(int(number) for number in re.findall(r"\d+", self.version)[:2]) < (major, minor)


@dataclasses.dataclass(frozen=True)
class Case:
    """A program is run without the library and with it, and both runs must show the same."""
    name: str                     # of the test
    program: str                  # its source is test/preload/PROGRAM.c, or Fortran
    ranks: int
    arguments: str = ""           # of the program, separated by blanks
    settings: Sequence = ()       # the environment: "NAME=value"
    expect: Sequence = ()         # facts of the report, as compare.py reads them: "PATH=VALUE"; see `graph` below
    stderr: Sequence = ()         # regular expressions for what must be said there
    status: int = 0               # with which the program ends; None: any
    alone: bool = False           # run only with the library: the program compares by itself
    behind: str = ""              # "NAME ...": each libNAME.so is preloaded behind the library, in this order
    no_report: bool = False       # there must be none
    quiet: bool = False           # nothing may be said on stderr
    check_messages: bool = False  # their number must be that of the formula for combining
    check_account: bool = False   # numbers must be those that the program prints, see account.py
    timeout: int = 0              # seconds for each of the runs, if not as long as usual
    lacking: str = ""             # why this MPI library cannot run it; it is skipped
    quick: bool = False           # in the suite `quick`: a second at most, and notices what few others do
    soak: bool = False            # in the suite `soak`: many calls, or communicators

    def suites(self):
        also = {"quick": self.quick, "random": self.arguments.startswith("random"), "ranks": self.ranks > MANY_RANKS,
                "soak": self.soak}
        return ["preload", *(suite for suite, inside in also.items() if inside)]

    def options(self):
        """Those of compare.py."""
        words = ["--ranks", str(self.ranks)]
        if self.alone:
            words.append("--alone")
        if self.no_report:
            words.append("--no-report")
        if self.status or (self.alone and self.status is not None):
            words += ["--status", str(self.status)]
        for name in self.behind.split():
            words += ["--behind", f"lib{name}.so"]
        if self.quiet:
            words.append("--quiet")
        looks_for_left = self.arguments.startswith("random") or "left" in self.behind
        for text in [*self.stderr, *([NOTHING_LEFT] if looks_for_left else [])]:
            words += ["--stderr", text]
        if self.check_messages:
            words.append("--check-messages")
        if self.check_account:
            words.append("--check-account")
        if self.timeout:
            words += ["--timeout", str(self.timeout)]
        for setting in self.settings:
            words += ["--set", setting]
        for fact in self.expect:
            words += ["--expect", re.sub(r"^graph\.", "graphs.MPI_Dist_graph_create_adjacent.", fact)]
        return words

    def works(self, facts):
        """Open MPI cannot take one machine for several nodes, and its own functions fail on the communicators that are
        compared by HOPSCOTCH_VERIFY. MPI_Pack crashes in flattening."""
        works_with_openmpi = (VERIFY not in self.settings and self.program != "flattening"
                              and not any(setting.startswith(nodes("")) for setting in self.settings))
        return not self.lacking and self.program in facts.built and (works_with_openmpi or not facts.openmpi)


# Settings.
def algorithm(name):
    return f"HOPSCOTCH_ALGORITHM={name}"


def nodes(number):
    """MPICH takes the machine for so many nodes; ranks go to them in turn, or with BY_BLOCK in blocks."""
    return f"MPIR_CVAR_NUM_CLIQUES={number}"


COMBINING = algorithm("combining")
MERGED = algorithm("merged")
SHARED = algorithm("shared")
AGGREGATED = algorithm("aggregated")
TRIVIAL = algorithm("trivial")
NATIVE = algorithm("native")
VERIFY = "HOPSCOTCH_VERIFY=on"
STANDARD_EDGES = "HOPSCOTCH_PARALLEL_EDGES=standard"
BY_BLOCK = "MPIR_CVAR_CLIQUES_BY_BLOCK=1"
LESS_WARNINGS = "UCX_LOG_LEVEL=error"

# Facts of the report. `graph` is the first graph of MPI_Dist_graph_create_adjacent.
ISOMORPHIC = "graph.isomorphic=true"
NOT_ISOMORPHIC = "graph.isomorphic=false"
OPERATIONS = "graph.operations."
ALLTOALL = OPERATIONS + "MPI_Neighbor_alltoall."
ALLGATHER = OPERATIONS + "MPI_Neighbor_allgather."
BY_COMBINING = (ALLTOALL + "algorithm=combining", ALLGATHER + "algorithm=combining")
MOORE_2D = (ISOMORPHIC, "graph.grid.dims=[3,3]", "graph.grid.periodic=[true,true]", "graph.stencil.name=moore",
            "graph.stencil.radius=1", "graph.stencil.neighbors=8", "graph.rounds=4", "graph.volume=12")
MOORE_3D = (ISOMORPHIC, "graph.grid.dims=[3,3,3]", "graph.stencil.name=moore", "graph.stencil.neighbors=26",
            "graph.neighbors.min=26", "graph.neighbors.max=26", "graph.rounds=6", "graph.volume=54")
