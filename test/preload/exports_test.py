# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the exports and imports of libhopscotch.so: exports_test.py LIBRARY [HEADER]

It may not be linked to MPI and may not refer to any MPI function; it exports exactly the functions that
scripts/develop/intercepted.py reads, under both names, and those of include/hopscotch.h, and no function of any other
library; preloaded into a program without MPI it does nothing.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/develop"))
from intercepted import intercepted  # noqa: E402


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def symbols(library, kind):
    """Names without versions. Version nodes themselves (type A) are left out."""
    rows = (line.split() for line in output("nm", "-D", kind, library).splitlines())
    return {row[-1].split("@")[0] for row in rows if row[-2] != "A"}


def declared(header):
    """Functions the public header and those it includes declare."""
    headers = [header, *sorted(header.parent.glob("hopscotch/*.h"))]
    text = "".join(header.read_text(encoding="utf-8") for header in headers)
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"\b((?:Hop|hopscotch)_\w+)\s*\(", text))


def main():
    library = sys.argv[1]
    errors = []
    imported = {name for name in symbols(library, "--undefined-only") if re.match(r"P?MPIX?_", name)}
    errors += [f"refers to {name}; MPI functions must be looked up at run time" for name in sorted(imported)]

    # A second unwinder does not understand the exceptions of the program that pass through functions of this library.
    if "_Unwind_SetGR" not in symbols(library, "--undefined-only"):
        errors.append("has an unwinder of its own; it must use the program's, of libgcc_s")

    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", library))
    errors += [f"is linked to {name}" for name in needed if re.match(r"lib(mpi|pmpi|open-)", name)]
    if re.search(r"\bBIND_NOW\b|\(FLAGS_1\).*\bNOW\b", output("readelf", "-d", library)):
        errors.append("is linked with -z now; it must be bound lazily")

    wanted = {prefix + name for name in intercepted() for prefix in ("", "P")}
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        wanted |= declared(pathlib.Path(sys.argv[2]))
    exported = symbols(library, "--defined-only")
    errors += [f"does not export {name}" for name in sorted(wanted - exported)]
    errors += [f"exports {name}, which is not in the list" for name in sorted(exported - wanted)]

    environment = dict(os.environ, LD_PRELOAD=library)
    # `cat` shows the objects mapped into a process that has nothing to do with MPI.
    result = subprocess.run(["cat", "/proc/self/maps"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)
    if result.returncode != 0 or result.stderr:
        errors.append(f"preloaded into a program without MPI: exit code {result.returncode}, stderr {result.stderr!r}")
    if os.path.basename(library) not in result.stdout:
        errors.append("was not preloaded at all")
    errors += [f"loads {name} into a program without MPI" for name in
               sorted(set(re.findall(r"\S*/lib(?:mpi|ucp|open-rte)\w*\.so\S*", result.stdout)))]
    silent = subprocess.run(["true"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if silent.returncode != 0 or silent.stdout:
        errors.append(f"LD_PRELOAD with true: exit code {silent.returncode}, output {silent.stdout!r}")

    for error in errors:
        print(f"{os.path.basename(library)} {error}")
    print(f"{len(wanted)} functions wanted, {len(exported)} exported, {len(errors)} errors")
    return 1 if errors or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
