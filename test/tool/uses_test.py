# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Uses of the tool, right and wrong ones, end as in uses.txt: exit status, first line of stderr, lines of stdout. They
leave no process, and no file but those named there. With --show it prints the results instead, with --only=TEXT it
looks at uses of that section or with that text."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from support import PATIENCE, TOOL, setup

SHOW = "--show" in sys.argv
ONLY = next((word for word in sys.argv if word.startswith("--only=")), "--only=").partition("=")[2]
sys.argv = [word for word in sys.argv if word != "--show" and not word.startswith("--only=")]
TABLE = pathlib.Path(__file__).with_name("uses.txt")
PROGRESS = re.compile(r"hopscotch: (run \d+ of \d+, |the job: )")
MARK = "USE_OF_THE_TOOL"  # in the environment of all that a use starts
LEAVE_SECONDS = 3.0  # helpers of a launcher end a little later
OPENMPI = "openmpi" in os.path.basename(setup.paths.library)


class Use:
    """A command line and its outcome."""

    def __init__(self, command, section):
        self.command = command
        self.section = section
        self.needs = section.partition(" needs ")[2] or None
        self.status = None
        self.error = ""
        self.lines = []
        self.errors = []
        self.files = []


def uses():
    """Those of the table, in order."""
    found, section = [], ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line
        elif line.startswith("    > "):
            found[-1].lines.append(line[6:])
        elif line.startswith("    2> "):
            found[-1].errors.append(line[7:])
        elif line.startswith("    + "):
            found[-1].files += line[6:].split()
        elif line.startswith("    "):
            status, found[-1].error = line.strip().split(None, 1)
            found[-1].status = int(status)
        elif line and not line.startswith("#"):
            found.append(Use(line, section))
    return found


def matches(pattern, text):
    """Three dots stand for any text."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), text) is not None


def marked_processes(mark):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}\0".encode() in path.read_bytes():
                found.append(f"{path.parent.name} {(path.parent / 'cmdline').read_bytes()!r}")
        except OSError:
            pass
    return found


def left_processes(mark):
    """Processes of a use that are there after a while. They are ended."""
    latest = time.monotonic() + LEAVE_SECONDS
    while (found := marked_processes(mark)) and time.monotonic() < latest:
        time.sleep(0.05)
    for process in found:
        os.kill(int(process.split()[0]), 9)
    return found


def other_library():
    """A library that every process of Python has, and that is none of ours."""
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").split()
    return next(path for path in maps if re.search(r"/libc[.-]", path))


class Place:
    """Folders of this test, the programs that uses name, and the reports they read."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        programs = self.directory / "bin"
        self.names = {"IN": str(self.directory / "in"), "PREFIX": str(self.directory / "prefix"),
                      "MPIEXEC": setup.paths.mpiexec, "SCRIPTS": str(TOOL.parent),
                      "OTHER_MPIEXEC": shutil.which("mpiexec.mpich" if OPENMPI else "mpiexec.openmpi") or "",
                      "MPI": "Open MPI" if OPENMPI else "MPICH",
                      "OTHER_LIBRARY": other_library(),
                      "LAUNCHED": "mpirun (Open MPI)" if OPENMPI else "mpiexec (Hydra)",
                      **{name.upper(): getattr(setup.paths, name) or "" for name in
                         ("library", "explain", "stencil", "plain", "static", "other", "no_finalize")}}
        for name in ("bin", "in", "temporary", "here"):
            (self.directory / name).mkdir()
        self.command("hopscotch", f'exec "{sys.executable}" "{TOOL}" "$@"')
        self.command("when_started", f'exec "{sys.executable}" "{TABLE.with_name("when_started.py")}" "$@"')
        self.command("sleeper", "touch started; exec sleep 60")
        for name, command in (("stencil_that_stops", "$STENCIL -i 5"), ("launcher_that_stops", '"$@"')):
            self.command(name, "echo >> runs; [ $(wc -l < runs) -gt 3 ] && exec sleeper; "
                         f"exec $MPIEXEC -n 2 {command}")
        for name in ("mpiexec", "mpirun"):
            self.command(name, f'exec "{setup.paths.mpiexec}" "$@"')
        self.environment = {**os.environ, **setup.crowd(2), **self.names, "PATH": f"{programs}:{os.environ['PATH']}",
                            "TMPDIR": str(self.directory / "temporary"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "LC_ALL": "C", "COLUMNS": "120"}
        self.unbuilt()
        self.installed()
        self.inputs()

    def command(self, name, text):
        path = self.directory / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def unbuilt(self):
        """A source tree that nobody has built."""
        tree = self.directory / "tree"
        shutil.copytree(TOOL.parent / "tool" / "hopscotch_tool", tree / "scripts" / "tool" / "hopscotch_tool")
        shutil.copy(TOOL, tree / "scripts")
        (tree / "meson.build").touch()
        self.command("unbuilt_hopscotch", "unset HOPSCOTCH_LIBRARY HOPSCOTCH_EXPLAIN; "
                     f'exec "{sys.executable}" "{tree}/scripts/hopscotch" "$@"')

    def installed(self):
        """The tool with the libraries of two families, which are empty files; and mpi4py of Open MPI."""
        prefix = self.directory / "prefix"
        shutil.copytree(TOOL.parent / "tool" / "hopscotch_tool", prefix / "share" / "hopscotch" / "hopscotch_tool")
        for path in ("bin/hopscotch", "lib/libhopscotch.so.0", "lib/libhopscotch_openmpi.so.0", "mpi4py/__init__.py"):
            (prefix / path).parent.mkdir(exist_ok=True)
            (prefix / path).touch()
        shutil.copy(TOOL, prefix / "bin")
        shutil.copy(setup.paths.other, prefix / "mpi4py" / "MPI.so")
        self.command("installed_hopscotch", f'unset HOPSCOTCH_LIBRARY; exec "{sys.executable}" '
                     f'"{prefix}/bin/hopscotch" "$@"')

    def inputs(self):
        """Inputs of uses: a report, one of a program alone, and files that are none."""
        folder = self.directory / "in"
        made = setup.tool("run", "-r", folder / "run.json", *setup.launcher(2), setup.paths.stencil, "-i", "5",
                          environment=setup.crowd(2))
        setup.check(made.returncode == 0, "a report to read", made.stdout + made.stderr)
        report = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        (folder / "alone.json").write_text(json.dumps({**report, "ranks": 1, "launched": 4, "launcher": "srun"}),
                                           encoding="utf-8")
        graph = max(report["graphs"], key=lambda one: len(one["operations"]))
        operation = graph["operations"][0]
        tried = {**operation, "algorithm": "native", "reason": "tried by auto", "calls": 2}
        for name, changed in (
                ("tried", {"graphs": [{**graph, "operations": [*graph["operations"], tried]}]}),
                ("merged", {"settings": {"HOPSCOTCH_ALGORITHM": "merged"},
                            "graphs": [{**graph, "operations": [{**operation, "algorithm": "merged"}]}]}),
                ("waits", {"lines": [*report["lines"], ["doubtful", "graph 2: trials chose"]]}),
                ("lost", {"gain": {**report["gain"], "verdict": "slower", "pays_from_calls": 7000},
                          "next_step": "a longer run", "bottom_line": "in all 2 s lost."})):
            (folder / f"{name}.json").write_text(json.dumps({**report, **changed}), encoding="utf-8")
        (folder / "other.json").write_text('{"colour": "blue"}\n', encoding="utf-8")
        (folder / "half.json").write_text((folder / "run.json").read_text(encoding="utf-8")[:500], encoding="utf-8")
        (folder / "site.conf").write_text("HOPSCOTCH_REPORT = off\nHOPSCOTCH_LOG = error\n", encoding="utf-8")
        beside = folder / "beside"
        beside.mkdir()
        shutil.copy(setup.paths.library, beside)
        shutil.copy(folder / "site.conf", beside / "hopscotch.conf")
        for name, text in (("bare", '{"schema": 1, "graphs": [{}]}'), ("empty", '{"schema": 1}'),
                           ("typed", '{"schema": 1, "graphs": [], "ranks": "many"}'),
                           ("advice", '{"schema": 1, "kind": "advice", "graphs": []}'),
                           ("measure", '{"schema": 1, "kind": "hopscotch measurement", "version": 7}')):
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
        (folder / "killed").write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
        (folder / "killed").chmod(0o755)
        (folder / "text.txt").write_text("no report\n", encoding="utf-8")
        (folder / "folder.json").mkdir()

    def shown(self, text):
        """With the names of the table instead of paths, and choices as newer versions of Python list them."""
        for name, path in sorted(self.names.items(), key=lambda entry: -len(entry[1])):
            if path:
                text = text.replace(os.path.realpath(path), f"${name}").replace(path, f"${name}")
        text = re.sub(r"\(choose from [^)]*\)", lambda listed: listed[0].replace("'", ""), text)
        return text.replace(str(self.directory / "here") + "/", "")

    def run(self, number, use):
        """The faults of a use, as lines; with --show its outcome."""
        done = subprocess.run(["bash", "-c", use.command], cwd=self.directory / "here", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=PATIENCE, check=False, env={**self.environment, MARK: str(number)})
        errors = [line for line in done.stderr.splitlines() if not PROGRESS.match(line)]
        error = self.shown(errors[0] if errors else "-")
        out = self.shown(done.stdout).splitlines()
        wrong = [f"process left: {process}" for process in left_processes(number)]
        files = sorted(path.name for path in (self.directory / "here").iterdir())
        if files != sorted(use.files):
            wrong.append(f"files: {files}, not {sorted(use.files)}")
        wrong += [f"temporary file left: {path.name}" for path in (self.directory / "temporary").iterdir()]
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        if use.status != status or not matches(self.shown(use.error), error):
            wrong.append(f"ended with: {status}  {error}\n  not with:   {use.status}  {use.error}")
        wrong += [f"no line of stdout: {line}" for line in use.lines
                  if not any(matches(self.shown(line), one) for one in out)]
        wrong += [f"a problem that is none: {line}" for line in out if line.startswith("PROBLEM") and status == 0
                  and not any(matches(self.shown(one), line) for one in use.lines)]
        wrong += [f"no line of stderr: {line}" for line in use.errors
                  if not any(matches(self.shown(line), self.shown(one)) for one in done.stderr.splitlines())]
        for name in ("here", "temporary"):
            shutil.rmtree(self.directory / name)
            (self.directory / name).mkdir()
        if SHOW:
            print(f"{use.command}\n    {status}  {error}")
            for line in out[:30] if not use.lines else use.lines:
                print(f"    > {line}")
            for line in wrong:
                if "left" in line:
                    print(f"    ! {line}")
            return []
        return wrong + ([self.shown(done.stdout + done.stderr)] if wrong else [])


HOW_TO_HAVE = {"openmpi": "a second MPI library (apt-get install openmpi-bin)", "mpich": "MPICH",
               "static": "a static library of the MPI library", "user": "a user other than root",
               "plain_python": "MPICH, and a Python without mpi4py"}


def main():
    missing = {"openmpi": OPENMPI or not shutil.which("mpiexec.openmpi"), "mpich": OPENMPI,
               "static": not setup.paths.static, "user": os.geteuid() == 0,
               "plain_python": OPENMPI or importlib.util.find_spec("mpi4py") is not None}
    with tempfile.TemporaryDirectory(prefix="uses_") as directory:
        place = Place(directory)
        missing_here = set()
        for number, use in enumerate(uses()):
            if ONLY not in use.section + use.command:
                continue
            if missing.get(use.needs):
                missing_here.add(use.needs)
                continue
            begin = time.monotonic()
            wrong = place.run(number, use)
            setup.check(not wrong, use.command, "\n".join(wrong))
            if time.monotonic() - begin > 3:
                print(f"{time.monotonic() - begin:.1f} s: {use.command}")
        for need in sorted(missing_here):
            print(f"skipped: uses of the tool that need {HOW_TO_HAVE[need]}")
    setup.finish()


if __name__ == "__main__":
    main()
