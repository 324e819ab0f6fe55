# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a header with C++ classes from a template: members.py FOLDER_OF_HEADERS_MODULE TEMPLATE OUTPUT

A line `@NAME...@` stands for one member for each of these functions. It has the function's arguments without the
communicator, which is the object's, and returns what the last one points to, if that is a communicator or request."""

import pathlib
import re
import sys
import textwrap

sys.path.insert(0, sys.argv[1])
from headers import read_headers  # noqa: E402

RETURNED = {"MPI_Comm*": "MPI_COMM_NULL", "MPI_Request*": "MPI_REQUEST_NULL"}


def member_name(name):
    stem = re.sub(r"^Hop_(I?)(?:cart_|Cart_|Comm_)?", r"\1", name)
    return stem[0].upper() + stem[1:]


def continued(begin, texts, end, depth):
    """`begin`, then the texts with commas, broken where they are long."""
    return textwrap.wrap(begin + ", ".join(texts) + end, 120, initial_indent=" " * depth,
                         subsequent_indent=" " * (depth + 4), break_long_words=False, break_on_hyphens=False)


def member(function):
    own = next(each for each in function.parameters if each.type == "MPI_Comm")
    last = function.parameters[-1]
    returned = last.type if last.type in RETURNED else None
    taken = [f"{each.type} {each.name}{'[]' * each.is_array}" for each in function.parameters
             if each is not own and not (returned and each is last)]
    passed = ["mpi_comm()" if each is own else f"&{each.name}" if returned and each is last else each.name
              for each in function.parameters]
    yield f"    /// {function.name}."
    yield from continued(f"{returned[:-1] if returned else 'void'} {member_name(function.name)}(", taken, ") const", 4)
    yield "    {"
    if returned:
        yield f"        {returned[:-1]} {last.name} = {RETURNED[returned]};"
    yield from continued(f"Error::check({function.name}(", passed, "));", 8)
    if returned:
        yield f"        return {last.name};"
    yield "    }\n"


def main():
    functions = {function.name: function for header in read_headers() for function in header.functions}
    template = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")

    def members(found):
        return "\n".join(line for name in found[1].split() for line in member(functions[name])) + "\n"

    pathlib.Path(sys.argv[3]).write_text(re.sub(r"^@([^@]*)@\n", members, template, flags=re.MULTILINE), "utf-8")


if __name__ == "__main__":
    main()
