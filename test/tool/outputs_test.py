# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every command ends with the documented status and one line if it cannot write, and touches no file of others. A name
that cannot be written is refused before the program starts."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from support import PATIENCE, TOOL, check, setup

RANKS = 2
PRECIOUS = "precious\n"
STARTED = "touch started"  # a program that should not run
NOBODY = "> a pipe whose reader has left"
UNKNOWN = "there is no option --bogus"
# Arguments of each command that prints something; a file or a program that is not there, with the status of that.
COMMANDS = {
    "run": ("true", "/nowhere/program", 127),
    "compare": ("IN/run.json IN/run.json", "IN/run.json /nowhere/run.json", 2),
    "advise": ("IN/advice.json", "/nowhere/advice.json", 2),
    "explain": ("--dims 3x3", None, 2),
    "map": ("--dims 8x8 --nodes 4", "/nowhere/run.json", 2),
    "report": ("IN/run.json", "/nowhere/run.json", 2),
    "doctor": ("IN/run.json", "/nowhere/run.json", 2),
    "settings": ("", None, 2),
    "selftest": ("-n 2 --seconds 1 --seed 1", "-- /nowhere/mpiexec -n 2", 127),
    "measure": ("--compare IN/measure.json IN/measure.json", "--compare IN/measure.json /nowhere/m.json", 2),
}
# Commands that write: arguments with FILE, a name that ends rightly, one that ends wrongly, the file that is written.
WRITERS = {
    "run -r FILE": ("STENCIL -i 5", "out.json", None, "out.json"),
    "run -s HOPSCOTCH_REPORT=FILE": ("STENCIL -i 5", "out.txt", None, "out.txt"),
    "advise -o FILE": ("LAUNCH STENCIL -i 5", "out.json", "heat.c", "out.json"),
    "compare -n 1 -a merged -k FILE": ("STENCIL -i 5", "kept", None, "kept/merged.1.json"),
    "map --dims 8x8 --nodes 4 --format cray -o FILE": ("", "ranks", "heat.c", "ranks"),
    "report IN/run.json -o FILE": ("", "out.html", "heat.c", "out.html"),
    "measure --quick -t 0.05 -o FILE": ("LAUNCH", "kept", "kept.json", "kept/measure.json"),
    "measure --record -o FILE IN/measure.json": ("", "out.json", "heat.c", "out.json"),
}


class Place:
    """An empty folder, and one with the files that commands read."""

    def __init__(self, directory):
        self.inputs = pathlib.Path(directory, "in")
        self.inputs.mkdir()
        self.here = pathlib.Path(directory, "here")
        self.names = {"IN": str(self.inputs), "STENCIL": setup.paths.stencil,
                      "LAUNCH": " ".join(setup.launcher(RANKS))}
        for words in (("run", "-r", self.inputs / "run.json", *setup.launcher(RANKS), setup.paths.stencil, "-i", "5"),
                      ("advise", "-o", self.inputs / "advice.json", *setup.launcher(RANKS), setup.paths.plain),
                      ("measure", "--quick", "-t", "0.05", "-o", self.inputs, "--", *setup.launcher(RANKS))):
            setup.tool(*words, environment=setup.crowd(RANKS))
        missing = {"run.json", "advice.json", "measure.json"} - set(os.listdir(self.inputs))
        check(not missing, "files to read", missing)
        self.clear()

    def clear(self):
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()

    def run(self, command, redirected="", answer="", before=""):
        """(exit status, stdout, stderr) of a command line behind `hopscotch`, and in the shell `before`."""
        words = [self.names.get(word, word.replace("IN/", f"{self.inputs}/")) for word in command.split(" ")]
        line = f"{before} exec {shlex.quote(sys.executable)} {shlex.quote(str(TOOL))} {' '.join(words)} "
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(["bash", "-c", line + (redirected if redirected != NOBODY else "")], cwd=self.here,
                              input=answer, text=True, stdout=writing if redirected == NOBODY else subprocess.PIPE,
                              stderr=subprocess.PIPE, errors="replace", timeout=PATIENCE, check=False,
                              env={**os.environ, **setup.crowd(RANKS)})
        os.close(writing)
        check("Traceback" not in done.stderr and "Exception ignored" not in done.stderr, f"{command} {redirected}",
              done.stderr)
        return done.returncode, done.stdout or "", done.stderr

    def expect(self, command, status, *texts, redirected="", answer="", lines=None):
        """The status, texts of stderr, and the number of its lines."""
        found, out, error = self.run(command, redirected, answer)
        check(found == status and all(text in error for text in texts) and
              (lines is None or len(error.splitlines()) == lines), f"hopscotch {command} {redirected}",
              f"status {found}, not {status}; stderr, with {texts}:\n{error}{out[-2000:]}")


def check_streams(place):
    """Standard output that is closed, full, or read by nobody; stderr that is closed or full."""
    for name, (words, _, _) in COMMANDS.items():
        command = f"{name} {words}".strip()
        closed, full = ((0, ""), (0, "")) if name == "run" else (
            (3, "hopscotch: standard output cannot be written: it is closed"),
            (3, "hopscotch: standard output cannot be written: No space left on device"))
        place.expect(command, closed[0], closed[1], redirected=">&-", lines=1)
        place.expect(command, full[0], full[1], redirected="> /dev/full", lines=1)
        place.expect(f"{name} --bogus", 2, UNKNOWN, lines=1)
    for words in ("--version", "--help", "", "compare --json IN/run.json IN/run.json", "settings --version"):
        place.expect(words, 3, "No space left on device", redirected="> /dev/full", lines=1)
    place.expect("compare --help", 3, "it is closed", redirected=">&-", lines=1)
    place.expect("compare --bogus", 2, redirected="2>&-")
    place.expect("compare --bogus", 2, redirected="2> /dev/full")
    for words in ("settings", "explain --dims 4x4x4 --selection", "report IN/run.json --html"):
        place.expect(words, 3, redirected=NOBODY, lines=0)
        place.expect(words, 3, redirected="2>&- >&-")
        place.expect(words, 0, redirected="<&- 2>&-")


def check_missing(place):
    for name, (_, words, status) in COMMANDS.items():
        if words is not None:
            text = "" if name == "doctor" and status == 127 else "No such file"
            place.expect(f"{name} {words}", status, text, lines=1)
    check(not os.listdir(place.here), "nothing is written", os.listdir(place.here))


def tree(folder):
    """What is in a folder: names with contents."""
    return {str(path.relative_to(folder)): path.read_text(errors="replace") if path.is_file() else None
            for path in folder.rglob("*")}


def check_refused(place):
    """Names that cannot be written: the program does not start, and nothing changes."""
    for writer, (words, name, wrong, file) in WRITERS.items():
        idle = STARTED if "STENCIL" in words or "LAUNCH" in words else words

        def refused(target, status, *texts, writer=writer, idle=idle):
            before = tree(place.here)
            place.expect(f"{writer} {idle}".replace("FILE", target).strip(), status, *texts, lines=1)
            check(tree(place.here) == before, f"{writer} {target}: all is as before", tree(place.here))

        if wrong is not None:
            (place.here / wrong).write_text(PRECIOUS, encoding="utf-8")
            refused(wrong, 2, f"-o{'' if 'measure' in writer else '/--output:'} {wrong}")
        place.clear()
        path = place.here / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(PRECIOUS, encoding="utf-8")
        refused(name, 3, f"{file}: Hopscotch did not write this file; --force replaces it")
        if not writer.startswith("run"):
            refused("/proc/" + name, 3, "/proc/" + name)
        if writer.startswith("report"):
            refused("/dev/stdout", 2)
            refused("-", 2)
            refused("/nowhere/" + name, 3, f"/nowhere/{name}: No such file or directory")
            path.unlink()
            path.mkdir()
            refused(name, 3, "Is a directory")
            path.rmdir()
            os.mkfifo(path)
            refused(name, 3, "this is no ordinary file")
            path.unlink()
            for target, text in (("/dev/stdout", "this is no ordinary file"), ("/nowhere/file", "No such file"),
                                 (path, "Too many levels")):
                path.symlink_to(target)
                refused(name, 3, text)
                path.unlink()
        place.clear()


def check_written(place):
    """Files of others with --force, those of ours without, and those behind links."""
    for writer, (words, name, _, file) in WRITERS.items():
        command = f"{writer} {words}".replace("FILE", name).strip()
        path = place.here / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(PRECIOUS, encoding="utf-8")
        path.chmod(0o604)
        first, *rest = command.split(" ", 1)
        statuses = (0, 1) if writer.startswith("advise") else (0, )
        for line in (" ".join([first, "--force", *rest]), command):
            status, out, error = place.run(line, answer="yes\n")
            check(status in statuses and path.read_text(encoding="utf-8") not in ("", PRECIOUS), f"{line} is written",
                  f"status {status}\n{error}{out[-2000:]}")
            check(path.stat().st_mode & 0o777 == 0o604, f"{line}: the mode stays", oct(path.stat().st_mode))
            left = [one for one in tree(place.here) if "unfinished" in one]
            check(not left, f"{line}: nothing is left", left)
        if not words: # a writer that starts no program
            path.write_text(PRECIOUS, encoding="utf-8")
            status, _, error = place.run(" ".join([first, "--force", *rest]), before="ulimit -f 0;")
            check(status != 0 and tree(place.here) == {file: PRECIOUS}, f"{command}: no room",
                  f"status {status}\n{error}{tree(place.here)}")
        place.clear()
        if writer.startswith(("report", "advise")):
            path.symlink_to("elsewhere")
            status, _, error = place.run(command)
            check(status in statuses and path.is_symlink() and (place.here / "elsewhere").stat().st_size > 0,
                  f"{command}: a link", error)
        place.clear()


def check_kept(place):
    """A run without a result leaves the file as it was."""
    for text in ("", '{"kind": "advice", "schema": 1}'):
        for program, status in (("false", 1), ("sh -c 'exit 5'", 5), ("/nowhere/program", 127)):
            (place.here / "advice.json").write_text(text, encoding="utf-8")
            place.expect(f"advise -- {program}", status, lines=1)
            check(tree(place.here) == {"advice.json": text}, f"advise -- {program}", tree(place.here))
    place.clear()
    (place.here / "measure.txt").write_text(PRECIOUS, encoding="utf-8")
    place.expect("measure -o . -- " + STARTED, 3, "measure.txt: Hopscotch did not write this file")
    check(tree(place.here) == {"measure.txt": PRECIOUS}, "measure: a text of others", tree(place.here))
    place.clear()


with tempfile.TemporaryDirectory(prefix="outputs_") as directory:
    place = Place(directory)
    for part in (check_streams, check_missing, check_refused, check_written, check_kept):
        begin = time.monotonic()
        part(place)
        print(f"{time.monotonic() - begin:.0f} s: {part.__name__}", flush=True)
setup.finish()
