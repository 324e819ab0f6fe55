# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The job as its processes saw it, and a check of their number against the launcher's request."""

import itertools
import os
import pathlib
import re
import shutil

from hopscotch_tool import elf

COUNT = re.compile(r"(?:-n|-np|--n|--np|--ntasks)(?:=?(\d+))?")
HELPERS = re.compile(r"hopscotch|env|timeout|nice|numactl|taskset|xvfb")
OWN_LAUNCHERS = {elf.MPICH: "mpiexec.mpich or mpiexec.hydra", elf.OPEN_MPI: "mpiexec.openmpi",
                 elf.STANDARD_ABI: "that library's mpiexec"}
PLUGINS = {elf.MPICH: "--mpi=pmi2", elf.OPEN_MPI: "--mpi=pmix", elf.STANDARD_ABI: "--mpi=pmi2 or --mpi=pmix"}


def is_launcher(word):
    """The name of a launcher that starts several processes; the helpers among elf.LAUNCHERS start one."""
    name = pathlib.Path(word).name
    return bool(elf.LAUNCHERS.fullmatch(name)) and not HELPERS.match(name)


def launcher_in(words):
    """The place of the launcher in a command line, or None."""
    return next((place for place, word in enumerate(words) if is_launcher(word)), None)


def launcher_options(words):
    """The words between the launcher and the program: an option of the program may look like one of the launcher."""
    place = launcher_in(words)
    if place is None:
        return []
    program = elf.program_in(words[place + 1:])
    return list(itertools.takewhile(lambda word: program is None or shutil.which(word) != str(program),
                                    words[place + 1:]))


def asked_for(words):
    """The number of processes that a command line asks its launcher for; None if it does not say."""
    options = launcher_options(words)
    for word, following in zip(options, [*options[1:], ""]):
        found = COUNT.fullmatch(word)
        if found and (found.group(1) or following.isdecimal()):
            return int(found.group(1) or following)
    return None


def family_of_launcher(words):
    """The MPI family a launcher belongs to, by the file it leads to; None if that does not tell."""
    place = launcher_in(words)
    found = shutil.which(words[place]) if place is not None else None
    name = pathlib.Path(found).resolve().name if found else ""
    if re.match(r"orterun|prterun|prun|mpi(exec|run)\.openmpi", name):
        return elf.OPEN_MPI
    if re.match(r"mpiexec\.(hydra|mpich|gforker)|mpirun\.mpich", name):
        return elf.MPICH
    needed = elf.libraries(found) if re.match("mpi(exec|run)", name) else []
    return elf.OPEN_MPI if any(re.match("libopen-|libprrte", library) for library in needed) else None


def is_first():
    """True if this process is the only one, or the first that a launcher started."""
    ranks = [os.environ[name] for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID")
             if name in os.environ]
    return not ranks or ranks[0] == "0"


def job_line(report):
    """Ranks, nodes, MPI library and launcher as the job saw them."""
    ranks, nodes = report["ranks"], report["nodes"]
    where = f" on {nodes} node{'s' * (nodes != 1)}" if nodes else ""
    launcher = report.get("launcher")
    return (f"{ranks} rank{'s' * (ranks != 1)}{where}, {report['mpi_library']}, "
            + (f"started by {launcher}" if launcher else "no launcher known"))


def cause(words, family, seen):
    """The likely cause if processes that were started together do not know each other, and a remedy. `seen` is the
    launcher as a process saw it."""
    own = family_of_launcher(words)
    place = launcher_in(words)
    if place is None and "Open MPI" in (seen or "") and family != elf.OPEN_MPI:
        return f"{seen} is no launcher for {family}: take {OWN_LAUNCHERS[family]}"
    if own is not None and own != family:
        return (f"{words[place]} is the launcher of {own}, but the program uses {family}: "
                f"take {OWN_LAUNCHERS[family]}")
    if seen == "srun" or place is not None and pathlib.Path(words[place]).name == "srun":
        return (f"srun does not speak to {family}: try {PLUGINS[family]} (srun --mpi=list shows what there is), or "
                "the mpiexec of the MPI library")
    return f"the launcher is probably that of another MPI library: {family} wants {OWN_LAUNCHERS[family]}"


def alone(reports, words, family, one_program=False):
    """Why the job is not the one that was asked for, or None. With `one_program` the command is known to run nothing
    but one MPI program; else several reports may be those of several programs, one after the other."""
    if not reports:
        return None
    ranks = max(report["ranks"] for report in reports)
    wanted = max(report.get("launched") or 0 for report in reports) or asked_for(words) or 0
    if one_program and len(reports) > 1:
        wanted = max(wanted, sum(report["ranks"] for report in reports))
    if wanted <= ranks or ranks > 1:
        return None
    return (f"{wanted} processes were started, but each is alone, a job of 1 rank; "
            + cause(words, family, reports[0].get("launcher")))
