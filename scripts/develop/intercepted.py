# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads which MPI functions the library exports, from the lists in shim/mpi."""

import pathlib
import re

LISTS = pathlib.Path(__file__).resolve().parents[2] / "shim/mpi"


def rows(name, kind, columns):
    """The first columns of all rows of that kind in a list."""
    pattern = rf"^{kind}\(" + ", ".join([r"(\w+)"] * columns)
    return re.findall(pattern, (LISTS / name).read_text(encoding="utf-8"), re.MULTILINE)


def intercepted():
    """Their names without prefix."""
    names = {name for name, family in rows("calls.def", "CALL", 2) if family != "used"}
    for suffix in ("", "_c"):
        for what in rows("neighborhoods.def", "ROW", 1):
            names |= {f"Neighbor_{what}{suffix}", f"Ineighbor_{what}{suffix}", f"Neighbor_{what}_init{suffix}"}
        for name, nonblocking in rows("collectives.def", "(?:ALLGATHER_|ALLTOALLW_)?ROW", 2):
            if not suffix or name != "Barrier":
                names |= {f"{name}{suffix}", f"{nonblocking}{suffix}", f"{name}_init{suffix}"}
    return names
