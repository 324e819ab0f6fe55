# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every block of commands in README, docs and the man pages runs as printed, in a folder with the programs they name:
those of this build, the demonstration as ./program and ./stencil, and the installed files of `meson install`. A mark
before the block, invisible to readers, excepts it:

    <!-- runs shorter: COMMANDS -->     these run instead, with the same programs
    <!-- does not run: REASON -->       only looked at: the programs are there, their text knows the options

A listing after <!-- from FILE --> stands in that file, which other tests run.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from support import PATIENCE, ROOT, check, setup

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n\n)?((?:^    .*\n|^\n(?=    ))+)", re.MULTILINE)
LISTING = re.compile(r"^<!-- from ([^\n]*) -->\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = "#include <hopscotch.h>\nint main(void) { return Hop_version() == 0; }\n"
FORTRAN_PROGRAM = "program p\nuse hopscotch_f08\nprint *, Hop_version()\nend program\n"
# They need not be installed under these names.
LAUNCHERS = {"hopscotch", "meson", "mpicc", "mpifort", "mpiexec", "srun"}


def is_program(word):
    return word in LAUNCHERS or bool(shutil.which(word)) or os.access(ROOT / word, os.X_OK) and (ROOT / word).is_file()


def lines_of(commands):
    """Whole command lines without comments, each as its single commands."""
    for line in re.sub(r"\\\n\s*", "", commands).splitlines():
        line = re.sub(r"\s+# .*", "", line)
        yield from filter(None, re.split(r" && |; ", line))


def programs_of(commands):
    return {line.split()[0] for line in lines_of(commands)}


def blocks(page):
    """(mark, commands): blocks that begin with a program; formulas, output and pictures do not."""
    for mark, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        commands = "\n".join(line[4:] for line in block.strip("\n").splitlines())
        if is_program(commands.split()[0]) or re.match(r"(\./|scripts/|test/)", commands):
            yield mark, commands
        else:
            check(not any(is_program(line.split()[0]) and "  " not in line for line in lines_of(commands)
                          if "-" in line),
                  f"{page.name}: commands behind something else", commands)


def commands_of_man_page():
    """Examples: lines in bold with all their words."""
    for line in (ROOT / "docs/hopscotch.1").read_text(encoding="utf-8").splitlines():
        if line.startswith(".B ") and "./program" in line:
            yield line[3:].replace("\\-", "-")


def look_at(page, commands):
    """Checks of commands without running them."""
    for line in lines_of(commands):
        program, *words = line.split()
        path = ROOT / program
        check(is_program(program), f"{page}: there is no {program}", commands)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        options = (ROOT / "meson_options.txt").read_text(encoding="utf-8")
        for word in words:
            if text and word.startswith("--"):
                check(word in text, f"{page}: {program} knows no {word}", commands)
            if word.startswith("-D"):
                check(f"'{word[2:].partition('=')[0]}'" in options, f"{page}: there is no option {word}", commands)


def prepare(folder, build):
    """The folder of the commands, and their environment."""
    for name, target in (("test", ROOT / "test"), ("build", build), ("scripts", ROOT / "scripts"),
                         ("docs", ROOT / "docs"), ("program", setup.paths.stencil), ("stencil", setup.paths.stencil)):
        (folder / name).symlink_to(target)
    (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    (folder / "program.f90").write_text(FORTRAN_PROGRAM, encoding="utf-8")
    installed = folder / "installed"
    subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet", "--destdir", str(installed)],
                   check=True)
    package = next(installed.rglob("hopscotch.pc"))
    programs = folder / "bin"
    programs.mkdir()
    launcher = f'exec "{sys.executable}" "{ROOT / "test/tool/launcher.py"}" "$@"'
    tool = next(installed.rglob("bin/hopscotch"))
    for name, command in {"mpiexec": launcher, "srun": launcher, "mpicc": 'exec mpicc.mpich "$@"',
                          "mpifort": 'exec mpifort.mpich "$@"',
                          "hopscotch": f'exec env -u HOPSCOTCH_LIBRARY -u HOPSCOTCH_EXPLAIN {tool} "$@"',
                          # All has been compiled.
                          "meson": f'[ "$1" = compile ] || exec {shutil.which("meson")} "$@"'}.items():
        (programs / name).write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return {**os.environ, **setup.crowd(99), "PATH": f"{programs}:{os.environ['PATH']}",
            "MPIEXEC_OF_THE_TEST": setup.paths.mpiexec, "PKG_CONFIG_PATH": str(package.parent),
            "PKG_CONFIG_SYSROOT_DIR": str(folder / "installed")}


# Beside the files that pages name by their path in an installation.
INSTALLED = ("bin/hopscotch", "libexec/hopscotch/hopscotch-explain", "libexec/hopscotch/hopscotch-model",
             "share/hopscotch/page.html", "share/man/man1/hopscotch.1", "share/man/man7/hopscotch.7",
             "share/bash-completion/completions/hopscotch", "share/zsh/site-functions/_hopscotch",
             "include/hopscotch.h", "include/hopscotch.hpp", "include/hopscotch/tuwcartesians.h",
             "include/hopscotch/mpiortholib.h", "include/hopscotch/mpi2_topological.h",
             *(f"share/hopscotch/jobs/{name}" for name in ("measure.slurm", "measure.pbs", "measure.flux",
                                                           "hopscotch_check.py", "smoke_test")))
# Reads a module file, and prints the environment that it makes.
MODULE = """
proc prepend-path {name value} { puts "$name=$value" }
proc append-path {name value} { }
proc setenv {name value} { puts "$name=$value" }
proc conflict {name} { }
proc module-whatis {text} { }
source [lindex $argv 0]
"""


def check_installed(installed):
    """Files are where pages say, programs can be executed, and the module names them."""
    prefix = next(installed.rglob("bin/hopscotch")).parent.parent
    texts = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = {path.rstrip("/.") for path in re.findall(r"(?<![\w/])share/[a-z][\w./-]*", texts)}
    check(len(named) > 5, "files of an installation on the pages", named)
    for path in sorted(named | set(INSTALLED)):
        check((prefix / path).exists(), f"not installed: {path}")
    for path in ("bin/hopscotch", "share/hopscotch/jobs/smoke_test", "libexec/hopscotch/hopscotch-explain"):
        check(os.access(prefix / path, os.X_OK), f"cannot be executed: {path}")
    module = next((prefix / "share/modulefiles/hopscotch").iterdir())
    # The module names the place without the folder that stands for the root.
    root = str(prefix).removeprefix(str(installed))
    text = module.read_text(encoding="utf-8").replace(f"{root}/", f"{prefix}/")
    if shutil.which("tclsh") is None:
        print("skipped: the module file is not read (apt-get install tcl)")
        return
    (installed / "read.tcl").write_text(MODULE, encoding="utf-8")
    (installed / "module").write_text(text, encoding="utf-8")
    shown = subprocess.run(["tclsh", installed / "read.tcl", installed / "module"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    made = dict(line.split("=", 1) for line in shown.splitlines())
    names = ("libhopscotch", "libhopscotch_openmpi", "libhopscotch_abi")
    variables = {path.name.removesuffix(".so.0").upper(): path for path in installed.rglob("libhopscotch*.so.0")
                 if path.name.removesuffix(".so.0") in names}
    library = next(iter(variables.values()))
    check(variables and made == {**{name: str(path) for name, path in variables.items()},
                                 "PATH": str(prefix / "bin"), "MANPATH": str(prefix / "share/man"),
                                 "PKG_CONFIG_PATH": str(library.parent / "pkgconfig")}, "the module", made)
    preload = subprocess.run(["pkg-config", "--variable=preload", library.name.removeprefix("lib").partition(".")[0]],
                             stdout=subprocess.PIPE, text=True, check=False,
                             env={**os.environ, "PKG_CONFIG_PATH": str(library.parent / "pkgconfig")}).stdout.strip()
    check(f"{installed}{preload}" in map(str, variables.values()), "pkg-config --variable=preload", preload)


def run(page, commands, folder, environment):
    begin = time.monotonic()
    printed = commands.replace("/path/to/", "build/shim/")
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", printed], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=PATIENCE, check=False, env=environment)
    check(done.returncode == 0, f"{page}: status {done.returncode} of\n{commands}", done.stdout)
    if "LD_PRELOAD" in commands or "hopscotch run" in commands:
        check("hopscotch: report" in done.stdout or "-r " in commands, f"{page}: no report of\n{commands}", done.stdout)
    print(f"{time.monotonic() - begin:5.1f} s  {page}: {commands.splitlines()[0]}", flush=True)


def check_man_pages():
    """The section OPTIONS has those of --help, of all commands."""
    page = (ROOT / "docs/hopscotch.1").read_text(encoding="utf-8").replace("\\-", "-")
    section = page.partition(".SH OPTIONS\n.SS ")[2].partition(".SH ")[0]
    sections = dict(part.split("\n", 1) for part in section.split(".SS "))
    for command in re.findall(r"^    ([a-z]+) ", setup.tool("--help").stdout, re.MULTILINE):
        written = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", "\n".join(
            line for line in sections.pop(command, "").splitlines() if line.startswith((".B ", ".BI ")))))
        told = set(re.findall(r"(?:^  |, )(--?\w[\w-]*)", setup.tool(command, "--help").stdout, re.MULTILINE))
        told -= {"-h", "--help", "--version"}
        check(written == told, f"hopscotch.1: options of {command}", f"{written}, not {told}")
    check(not sections, f"hopscotch.1: options of commands that are not there", sections)


def check_listings():
    """As text: the parts between blank lines occur in the file, each on its own."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        listings = LISTING.findall(text)
        check(len(listings) == text.count("<!-- from "), f"{page.name}: a mark without a listing")
        for name, listing in listings:
            source = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
            check(all(part in source for part in listing.strip("\n").split("\n\n\n")),
                  f"{page.name}: {name} differs from", listing)


def main():
    build = pathlib.Path(setup.paths.library).parent.parent
    check_listings()
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        environment = prepare(folder, build)
        check_installed(folder / "installed")
        number = 0
        for page in PAGES:
            for mark, commands in blocks(page):
                kind, _, what = mark.partition(": ")
                number += 1
                if kind == "":
                    run(page.name, commands, folder, environment)
                elif kind == "runs shorter":
                    check(programs_of(what) == programs_of(commands), f"{page.name}: other programs",
                          f"{commands}\n{what}")
                    look_at(page.name, commands)
                    run(page.name, what, folder, environment)
                else:
                    check(kind == "does not run" and what, f"{page.name}: a mark that is not known: {mark}")
                    look_at(page.name, commands)
        for commands in commands_of_man_page():
            number += 1
            run("hopscotch.1", commands, folder, environment)
        check(number >= 20, f"only {number} blocks of commands were found")
    check_man_pages()
    setup.finish()


sys.exit(main())
