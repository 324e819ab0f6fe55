# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the functions for the names of a paper: entries.py HEADER [OUR_SOURCE] > SOURCE

HEADER is a header of ours with the names as macros, "#define Cart_alltoall Hop_Cart_alltoall": for each there is a
function that hands its arguments on. Names that OUR_SOURCE defines, whose arguments are not just handed on, and the
block of MPI's own names are left out."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/develop"))

from headers import read_headers  # noqa: E402

BEGINNING = """\
/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Written by {} from {}. */
#include <hopscotch.h>"""
ON_REQUEST = re.compile(r"^#ifdef HOPSCOTCH_ORTHOGONAL_NAMES$.*?^#endif$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"^#define (\w+) (Hop_\w+)$", re.MULTILINE)


def entry(name, function):
    declarations = ", ".join(f"{parameter.type} {parameter.name}{'[]' if parameter.is_array else ''}"
                             for parameter in function.parameters)
    arguments = ", ".join(parameter.name for parameter in function.parameters)
    return (f"\n{function.result} {name}({declarations})\n"
            f"{{\n    return {function.name}({arguments});\n}}\n")


def main():
    header = pathlib.Path(sys.argv[1])
    by_hand = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8") if len(sys.argv) > 2 else ""
    functions = {function.name: function for one in read_headers() for function in one.functions}
    print(BEGINNING.format(pathlib.Path(__file__).name, header.name))
    for name, ours in NAME.findall(ON_REQUEST.sub("", header.read_text(encoding="utf-8"))):
        if not re.search(rf"\b{name}\(", by_hand):
            print(entry(name, functions[ours]), end="")


if __name__ == "__main__":
    main()
