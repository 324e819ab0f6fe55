# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Faults of fault_map.py that no test can notice, each with its reason: the program does the same with it.

A place is known by the text of its line, so the list holds as lines move. tool_switched_faults finds the places.
"""

from typing import NamedTuple


class Excused(NamedTuple):
    file: str
    line: str  # a part of the source line
    what: str  # a part of the fault's description
    why: str


EXCUSED = (
    Excused("shim/call/attachment.cpp", "schedules::number_of(*asked) : 0)", "number is one more",
            "it stays another number than that of any request"),
    Excused("shim/call/requests.cpp", "request == nullptr || *request", "and is or",
            "MPICH gives a request wherever it says that a call has succeeded"),
    Excused("shim/call/requests.cpp", "if (searching || ++looks % looks_per_search != 0)", "and is or",
            "it searches more often, which costs time only"),
    Excused("shim/call/requests.cpp", "poll_now_and_then(looks, own_world(), 1024)", "number is one more",
            "a call that waits lets the library make progress about as often"),
    Excused("shim/call/reordering.cpp", "hand_on_handler(comm, made);", "two arguments change places",
            "both have the handler of the communicator that they are made from"),
    Excused("shim/call/request_array.cpp", "thread_local std::uint32_t random = 0;", "number is one more",
            "the random numbers begin with another one"),
)


def is_excused(fault, line, excused=EXCUSED):
    """`line`: the text of the source line of the fault."""
    return any(fault.file == each.file and each.line in line and each.what in fault.what for each in excused)
