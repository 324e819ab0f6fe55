# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A library of a paper's names exports the functions that programs written against the paper declare, and nothing else,
and brings the library itself along: paper_names_test.py LIBRARY PROTOTYPES"""

import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


library, prototypes = sys.argv[1:]
declared = set(re.findall(r"^int (\w+)\(", pathlib.Path(prototypes).read_text(encoding="utf-8"), re.MULTILINE))
exported = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--defined-only", library).splitlines()}
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", library))
errors = [f"does not export {name}" for name in sorted(declared - exported)]
errors += [f"exports {name}, which no program declares" for name in sorted(exported - declared)]
errors += [] if any(re.match(r"libhopscotch(_openmpi)?\.so", name) for name in needed) else [f"needs {needed} only"]
errors += [f"needs {name}" for name in needed if re.match(r"lib(mpi|mpich|open-)", name)]
for error in errors:
    print(library, error)
print(f"{len(declared)} functions declared, {len(errors)} errors")
sys.exit(1 if errors or not declared else 0)
