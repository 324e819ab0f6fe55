# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The lines of MPI that `hopscotch advise` prints run in C, C++, Fortran and Python. On the size that was seen their
graph has the neighbors that the program met, on others those of a grid of that size; each block arrives at the neighbor
it is meant for."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "tool"),
                str(pathlib.Path(__file__).resolve().parents[2] / "scripts/tool")]
from hopscotch_tool import advice_lines  # noqa: E402  the path has to be known first
from support import ROOT, check, setup

PROGRAMS = pathlib.Path(setup.paths.programs[0])
PYTHON = "/usr/bin/python3"  # Debian's, for which mpi4py is packaged, with Open MPI
SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

# program: the size that is seen, and others on which its lines run
SIZES = {"persistent": (12, (1, 2, 3, 4, 9, 27)), "torus": (8, (1, 2, 4, 12, 18, 27)), "all_neighbors": (27, (1, 5, 8))}

# Each process sends to its neighbor i the number 100 * rank + i. It prints "RANK: IN OUT", its neighbors, and the
# numbers that it received. @PERIODS@: if the lines ask for them.
C = """
#include <stdio.h>
int main(int argc, char** argv)
{
    enum { room = most_neighbors + 1 };
    int neighbors[room], degrees[3], rank, counts[room];
    double out[room], in[room];
    @ADDRESSES@
    MPI_Comm halo;
    MPI_Init(&argc, &argv);
    const int periods[] = {@PERIODS@};
    (void)periods;
    const int count = make_halo(MPI_COMM_WORLD, @GIVEN@neighbors, &halo);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_neighbors_count(halo, &degrees[0], &degrees[1], &degrees[2]);
    for (int i = 0; i < count; ++i) {
        out[i] = 100 * rank + i;
        counts[i] = 1;
        places[i] = i * @UNIT@;
        @TYPE@
    }
    exchange_halo(out, counts, places, @TYPES@in, counts, places, @TYPES@halo);
    printf("%d: %d %d", rank, degrees[0], degrees[1]);
    for (int i = 0; i < count; ++i) {
        printf(" %d", neighbors[i]);
    }
    for (int i = 0; i < count; ++i) {
        printf(" %.0f", in[i]);
    }
    putchar('\\n');
    MPI_Comm_free(&halo);
    MPI_Finalize();
    return 0;
}
"""
FORTRAN = """
program driver
  use mpi
  use halo_exchange
  integer :: neighbors(most_neighbors), counts(most_neighbors), count, halo, rank, in, out, error, i
  double precision :: sent(most_neighbors), received(most_neighbors)
  @ADDRESSES@
  logical :: weighted
  call MPI_Init(error)
  call make_halo(MPI_COMM_WORLD, @GIVEN@neighbors, count, halo)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Dist_graph_neighbors_count(halo, in, out, weighted, error)
  counts = 1
  sent = (/ (100 * rank + i - 1, i = 1, most_neighbors) /)
  places = (/ ((i - 1) * @UNIT@, i = 1, most_neighbors) /)
  @TYPE@
  call exchange_halo(sent, counts, places, @TYPES@received, counts, places, @TYPES@halo)
  print '(i0, a, 99(1x, i0))', rank, ':', in, out, neighbors(1:count), nint(received(1:count))
  call MPI_Finalize(error)
end program
"""
MPI4PY = """

from array import array
halo, neighbors = make_halo(MPI.COMM_WORLD@GIVEN@)
count = len(neighbors)
out = array("d", [100 * MPI.COMM_WORLD.rank + i for i in range(count)])
received = array("d", [0.0] * count)
counts = [1] * count
places = [@UNIT@ * i for i in range(count)]
exchange_halo(out, counts, places, @TYPES@received, counts, places, @TYPES@halo)
print(f"{MPI.COMM_WORLD.rank}:", halo.indegree, halo.outdegree, *neighbors, *map(int, received))
"""
WITH_TYPES = {"c": {"ADDRESSES": "MPI_Aint places[room]; MPI_Datatype types[room];", "UNIT": "8",
                    "TYPE": "types[i] = MPI_DOUBLE;", "TYPES": "types, "},
              "fortran": {"ADDRESSES": "integer(MPI_ADDRESS_KIND) :: places(most_neighbors)\n"
                                       "  integer :: types(most_neighbors)",
                          "UNIT": "8", "TYPE": "types = MPI_DOUBLE_PRECISION", "TYPES": "types, "},
              "mpi4py": {"UNIT": "8", "TYPES": "[MPI.DOUBLE] * count, "}}
WITHOUT_TYPES = {"c": {"ADDRESSES": "int places[room];", "UNIT": "1", "TYPE": "", "TYPES": ""},
                 "fortran": {"ADDRESSES": "integer :: places(most_neighbors)", "UNIT": "1", "TYPE": "", "TYPES": ""},
                 "mpi4py": {"UNIT": "1", "TYPES": ""}}


def program_text(exchange, language, periods):
    asks = any(exchange["grid"]["either"])
    if language == "fortran":
        given = f"(/ {', '.join('.true.' if each else '.false.' for each in periods)} /), "
    else:
        given = f", {list(periods)}" if language == "mpi4py" else "periods, "
    names = {"GIVEN": given if asks else "", "PERIODS": ", ".join(str(int(each)) for each in periods),
             **(WITHOUT_TYPES if advice_lines.values(exchange)["TYPE"] else WITH_TYPES)[language]}
    text = {"c": C, "fortran": FORTRAN, "mpi4py": MPI4PY}[language]
    for name, value in names.items():
        text = text.replace(f"@{name}@", value)
    return "\n".join(advice_lines.lines(exchange, language)) + "\n" + text


# language: compiler, and the ending of the source
COMPILED = {"c": (["mpicc.mpich", "-Wall", "-Wextra", "-Werror", *SANITIZED], "c"),
            "c++": (["mpicxx.mpich", "-Wall", "-Wextra", "-Werror", *SANITIZED], "cpp"),
            "fortran": (["mpifort.mpich", "-fcheck=all"], "f90")}


def make_program(folder, exchange, language, periods):
    """Its command; None if there is no compiler, or no mpi4py."""
    text = program_text(exchange, language.replace("c++", "c"), periods)
    if language == "mpi4py":
        (folder / "driver.py").write_text(text, encoding="utf-8")
        return [PYTHON, str(folder / "driver.py")]
    compiler, ending = COMPILED[language]
    (folder / f"driver.{ending}").write_text(text, encoding="utf-8")
    subprocess.run([*compiler, "-o", f"driver_{ending}", f"driver.{ending}"], cwd=folder, check=True)
    return [str(folder / f"driver_{ending}")]


def missing(language):
    """What is not there, and how to have it; empty: nothing."""
    if language in COMPILED:
        compiler = COMPILED[language][0][0]
        return "" if shutil.which(compiler) else f"there is no {compiler} (apt-get install gfortran g++)"
    found = shutil.which("mpiexec.openmpi") and subprocess.run(
        [PYTHON, "-c", "import mpi4py"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    return "" if found else "there is no mpi4py (apt-get install python3-mpi4py)"


def launcher(language, ranks):
    if language != "mpi4py":
        settings = {**setup.crowd(ranks), "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
        return [*setup.launcher(ranks), "env", *(f"{name}={value}" for name, value in settings.items())]
    return [str(ROOT / "test/mpiexec_openmpi"), "-n", str(ranks)]


def lines_printed(folder, language, command, ranks):
    """(status, lines by rank). Each process writes a file of its own: launchers may mix lines."""
    done = subprocess.run([*launcher(language, ranks), "sh", "-c",
                           f'exec "$@" >"{folder}/out.${{PMI_RANK:-$OMPI_COMM_WORLD_RANK}}"', "sh", *command],
                          stdin=subprocess.DEVNULL, check=False)
    return done.returncode, [(folder / f"out.{rank}").read_text(encoding="utf-8").strip() for rank in range(ranks)]


def neighbors_of(rank, grid):
    """On a process grid, in the order of the offsets."""
    here, rest = [], rank
    for extent in reversed(grid["dims"]):
        here.insert(0, rest % extent)
        rest //= extent
    found = []
    for offset in grid["offsets"]:
        there = [at + step for at, step in zip(here, offset)]
        if all(periodic or 0 <= at < extent for at, extent, periodic in zip(there, grid["dims"], grid["periodic"])):
            other = 0
            for at, extent in zip(there, grid["dims"]):
                other = other * extent + at % extent
            if other != rank and other not in found:
                found.append(other)
    return found


def wanted_lines(ranks, grid):
    neighbors = [neighbors_of(rank, grid) for rank in range(ranks)]
    return [" ".join(map(str, [f"{rank}:", len(own), len(own), *own,
                               *(100 * other + neighbors[other].index(rank) for other in own)]))
            for rank, own in enumerate(neighbors)]


def dims_create(ranks, dimensions):
    """As MPI_Dims_create gives them for these sizes: as equal as can be, decreasing."""
    def grids(rest, count, most):
        if count == 1:
            return [(rest,)] if rest <= most else []
        return [(first, *others) for first in range(min(rest, most), 0, -1) if rest % first == 0
                for others in grids(rest // first, count - 1, first)]
    return list(min(grids(ranks, dimensions, ranks), key=lambda one: (one[0] - one[-1], one)))


def sizes_of(name, language):
    """All in C. Other languages have the same tables: two that are quick."""
    seen, others = SIZES[name]
    return [seen, *others] if language == "c" else sorted(size for size in (seen, *others) if size <= 12)[-2:]


def check_lines(folder, name):
    file = folder / f"{name}.json"
    seen = SIZES[name][0]
    setup.tool("advise", "-o", file, "--", *setup.launcher(seen), PROGRAMS / name, environment=setup.crowd(seen))
    exchange = next(one for one in json.loads(file.read_text(encoding="utf-8"))["exchanges"] if one["kind"] == "grid")
    grid = exchange["grid"]
    all_periodic = [True] * len(grid["dims"])
    for periodic in (grid["periodic"], all_periodic) if any(grid["either"]) else (grid["periodic"],):
        for language in (*COMPILED, "mpi4py"):
            if missing(language):
                print(f"skipped: {language}: {missing(language)}")
                continue
            command = make_program(folder, exchange, language, periodic)
            for ranks in sizes_of(name, language):
                dims = grid["dims"] if ranks == seen else dims_create(ranks, len(grid["dims"]))
                wanted = wanted_lines(ranks, {**grid, "dims": dims, "periodic": periodic})
                status, lines = lines_printed(folder, language, command, ranks)
                check(status == 0 and lines == wanted, f"{name}, {language}: neighbors and blocks on {ranks} ranks",
                      f"status {status}, {lines}\nnot {wanted}")


with tempfile.TemporaryDirectory(prefix="lines_") as directory:
    if "openmpi" not in setup.paths.library:
        for program in SIZES:
            check_lines(pathlib.Path(directory), program)
setup.finish()
