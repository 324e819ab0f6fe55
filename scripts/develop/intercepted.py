# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the names of the MPI functions that the library exports, from the list in shim/mpi."""

import pathlib
import re

LIST = pathlib.Path(__file__).resolve().parents[2] / "shim/mpi/calls.def"


def intercepted():
    """Their names: "MPI_Init"."""
    text = LIST.read_text(encoding="utf-8")
    single = re.findall(r"^CALL\((\w+), \w+\)", text, re.MULTILINE)
    forms = re.findall(r"^[A-Z]+\(OF_\w+, \w+,\s+(\w+), (\w+), (\w+)\)", text, re.MULTILINE)
    return {*single, *(name for row in forms for name in row)}
