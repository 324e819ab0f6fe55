# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every function of mpi.h that takes a request is wrapped, or known not to concern us.

request_functions_test.py COMPILE_COMMANDS: compile_commands.json of a build, which has the place of mpi.h

A function that makes a request is known by its name; its request is the MPI library's. All others get requests that may
be ours: a new one that is neither wrapped nor listed here fails.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/develop"))
from intercepted import intercepted  # noqa: E402

# Functions that make a request of the library's own, with or without large counts.
MAKERS = re.compile(r"I(?!nfo)\w+|(Comm|File|Stream)_i\w+|(Buffer|Session|Comm)_iflush\w*|\w+_init|"
                    r"R(put|get|accumulate|get_accumulate)|(Isend|Irecv)_enqueue|Grequest_(start|class_allocate)")

# Reasons why the others may see requests of Hopscotch without a wrapper.
NOT_CONCERNED = {
    "Grequest_complete": "completes what the program has started with MPI_Grequest_start",
    "Parrived": "a partitioned request, which ours never is: the library says so",
    "Pready": "a partitioned request",
    "Pready_range": "a partitioned request",
    "Pready_list": "a partitioned request",
    "Pbuf_prepare": "a partitioned request",
    "Pbuf_prepareall": "partitioned requests",
    "Request_c2f": "turns a handle into another form",
    "Request_f2c": "turns a handle into another form",
    "Request_toint": "turns a handle into another form",
    "Request_fromint": "turns a handle into another form",
    "Request_is_complete": "only looks, and a token is incomplete until the operation is complete",
    "Continue": "looks at tokens as at all requests",
    "Continueall": "looks at tokens as at all requests",
    "Continue_init": "makes a request",
    "Wait_enqueue": "makes the library's MPI_Wait run later, and that brings a token to its end",
    "Waitall_enqueue": "makes the library's MPI_Waitall run later",
    "Start_enqueue": "a partitioned or other request of a stream",
    "Startall_enqueue": "partitioned or other requests of a stream",
    "Pready_enqueue": "a partitioned request",
    "Parrived_enqueue": "a partitioned request",
}


def functions(text):
    """The names without prefix of all that take a request."""
    found = re.findall(r"\bP?MPIX?_(\w+)\s*\(([^;{}()]*)\)\s*(?:__attribute__[^;]*)?[;{]", text, re.DOTALL)
    return {name for name, parameters in found if re.search(r"\bMPI_Request\b", parameters)}


def main():
    commands = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    of_program = next(entry for entry in commands if entry["file"].endswith("preload/calls/nonblocking.c"))
    words = shlex.split(of_program["command"])
    words = words[:min(words.index(word) for word in ("-o", "-MD", "-MQ") if word in words)]
    command = [*words, "-w", "-E", "-x", "c", "-"]
    result = subprocess.run(command, input="#include <mpi.h>\n", cwd=of_program["directory"], check=True,
                            stdout=subprocess.PIPE, text=True)
    names = functions(result.stdout)
    known = {name.removeprefix("MPI_") for name in intercepted()} | NOT_CONCERNED.keys()
    errors = [f"{name} takes a request: wrap it, or say in NOT_CONCERNED why not" for name in sorted(names)
              if name not in known and not MAKERS.fullmatch(re.sub(r"_c$", "", name))]
    print("\n".join(errors))
    print(f"{len(names)} functions with requests, {len(errors)} of them unknown")
    return 1 if errors or len(names) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
