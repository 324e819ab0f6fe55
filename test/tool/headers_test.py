# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/develop/headers.py gives all declarations of the headers, with their comments, and refuses anything that it
does not understand."""

import pathlib
import subprocess
import tempfile

from support import check, setup
from headers import HeaderError, Parameter, read_header, read_headers

headers = read_headers()
functions = {function.name: function for header in headers for function in header.functions}

listing = subprocess.run(["nm", "--dynamic", "--defined-only", setup.paths.library], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
names = {line.split()[-1].split("@")[0] for line in listing.splitlines()}
names = {name for name in names if name.startswith("Hop_")}
check(names == set(functions), "the headers declare what the library exports", names ^ set(functions))
for header in headers:
    check(header.title and header.introduction.startswith(header.title), f"{header.name} has a title", header)
for function in functions.values():
    check(function.comment or function.group, f"{function.name} has a comment")

gather, subgraph, test = functions["Hop_Gatherv"], functions["Hop_Comm_subgraph"], functions["Hop_Cart_test"]
check(gather.comment == functions["Hop_Gather"].comment != "", "a function shares the comment before it", gather)
check(gather.group.startswith("The collectives on a communicator"), "a function has the comment of its group", gather)
check(subgraph.group == "", "a group ends with an empty line", subgraph)
check("*flag; *d and" in test.comment, "the star of a pointer stays", test)
check(gather.parameters[5:7] == (Parameter("const int", "displs", True), Parameter("MPI_Datatype", "recvtype")),
      "parameters", gather)
check(functions["Hop_version"].result == "const char*", "the type of a result")
counters = headers[0].structures[0]
check(counters.members[0] == Parameter("unsigned long long", "calls", False, "accelerated + native"),
      "members have their comments", counters)

REFUSED = ("int Hop_odd(int (*function)(void));", "int Hop_odd(int);", "int odd(int a);",
           "int Hop_odd(int a, int b[4]);")
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "odd.h"
    for line in REFUSED:
        path.write_text(f"/* Odd: things.\n */\n/** Comment. */\n{line}\n", encoding="utf-8")
        try:
            read_header(path, "odd.h")
            check(False, f"{line} is refused")
        except HeaderError as error:
            check(str(error) == f"odd.h:4: not understood: {line}", f"{line} is refused by name", error)
setup.finish()
