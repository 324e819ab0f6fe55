# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the collectives of the C headers as members of C++ classes, below include/hopscotch.

They stand in the tree, since programs are compiled with this folder's include/ as it is; the test `reference` fails if
they are not as this program writes them.

Each function whose last parameters are the communicator; it and a request; or it, an info and a request becomes a
member with the other parameters: Hop_Ibcast is Ibcast, Hop_Icart_alltoall is Ialltoall, Hop_Cart_alltoall Alltoall.
"""

import pathlib
import re
import textwrap

from headers import read_headers

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include/hopscotch"

# (class, the class with the collectives, its base, the header of that, another constructor) for each C header.
CLASSES = {
    "hopscotch/cartesian.h": (
        "Neighborhood_collectives", "a Neighborhood", "Cartcomm", "hopscotch/topological.hpp",
        "    Neighborhood_collectives(MPI_Comm comm, Unchecked) : Cartcomm(comm, unchecked) {}\n"),
    "hopscotch/orthogonal.h": ("Orthogonal_forms", "an Orthogonalcomm", "Comm", "hopscotch/comm.hpp", ""),
}
COLUMNS = 120
# (last types, result, function of Comm that makes the call) of each form.
FORMS = ((["MPI_Comm", "MPI_Info", "MPI_Request*"], "MPI_Request", "prepare"),
         (["MPI_Comm", "MPI_Request*"], "MPI_Request", "begin"),
         (["MPI_Comm"], "void", "call"))
TEXT = """\
// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Written by scripts/develop/members.py from <{header}>.
#ifndef HOPSCOTCH_{guard}_HPP
#define HOPSCOTCH_{guard}_HPP

#include <{base_header}>

namespace hopscotch
{{

/// The collectives of {user}. All members are collective. A request that one returns is the caller's to
/// complete, and a persistent one to start and to free.
class {name} : public {base}
{{
  public:
{members}

  protected:
    explicit {name}(MPI_Comm comm) : {base}(comm) {{}}
{constructor}}};

}} // namespace hopscotch

#endif
"""


def form_of(function):
    """The row of FORMS of a function, or None."""
    types = [parameter.type for parameter in function.parameters]
    return next((form for form in FORMS if types[-len(form[0]):] == form[0]), None)


def name_of(function):
    """Without Hop_ and Cart_, in the capitals of MPI."""
    found = re.fullmatch(r"Hop_(?:(I)cart_|Cart_)?(\w+)", function.name)
    return found[1] + found[2] if found[1] else found[2][0].upper() + found[2][1:]


def listed(begin, words, end):
    """The entries with commas, in lines that begin behind `begin`."""
    whole = ", ".join(entry.replace(" ", "~") for entry in words) + end.replace(" ", "~")
    lines = textwrap.wrap(whole, COLUMNS - len(begin), break_long_words=False, break_on_hyphens=False)
    return begin + ("\n" + " " * len(begin)).join(lines).replace("~", " ")


def member(function):
    last, result, action = form_of(function)
    own = function.parameters[:-len(last)]
    info = [parameter for parameter in function.parameters[-len(last):] if parameter.type == "MPI_Info"]
    parameters = [f"{each.type} {each.name}{'[]' * each.is_array}" for each in [*own, *info]]
    given = [function.name, *(each.name for each in [*info, *own])]
    call = "" if result == "void" else "return "
    head = listed(f"    {result} {name_of(function)}(", parameters, ") const")
    body = listed(f"        {call}{action}(", given, ");")
    in_one_line = f"{head} {{ {body.strip()} }}"
    if "\n" not in head + body and len(in_one_line) <= COLUMNS:
        return f"    /// {function.name}.\n{in_one_line}"
    return "\n".join([f"    /// {function.name}.", head, "    {", body, "    }"])


def generated(header):
    """The functions of a header that become members of a generated class."""
    return [function for function in header.functions if header.name in CLASSES and form_of(function)]


def text_of(header):
    name, user, base, base_header, constructor = CLASSES[header.name]
    return TEXT.format(header=header.name, guard=name.upper(), base_header=base_header, user=user, name=name, base=base,
                       constructor=constructor, members="\n\n".join(map(member, generated(header))))


def changed():
    """The path and new text of each header that is not as it would be written."""
    for header in read_headers():
        if header.name in CLASSES:
            path, text = INCLUDE / (CLASSES[header.name][0].lower() + ".hpp"), text_of(header)
            if path.read_text(encoding="utf-8") != text:
                yield path, text


if __name__ == "__main__":
    for path, text in changed():
        path.write_text(text, encoding="utf-8")
