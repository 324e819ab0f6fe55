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
    Excused("shim/call/mismatch_watchdog.cpp", "if (++looks % looks_per_question != 0)", "number is one more",
            "it asks for the time at other looks, as often"),
    Excused("shim/call/new_ranks.cpp", "own.resize(static_cast<std::size_t>(offsets), 1);", "number is one more",
            "MPI demands weights of all processes or of none"),
    Excused("shim/call/nonblocking_call.hpp", "if (stages && may_be_on_devices())", "and is or",
            "the search finds nothing without devices, nor in buffers of ours, and costs time only"),
    Excused("shim/call/requests.cpp", "request == nullptr || *request", "and is or",
            "MPICH gives a request wherever it says that a call has succeeded"),
    Excused("shim/call/requests.cpp", "if (searching || ++looks % looks_per_search != 0)", "and is or",
            "it searches more often, which costs time only"),
    Excused("shim/call/requests.cpp", "if (searching || ++looks % looks_per_search != 0)", "comparison is another one",
            "it searches more often, which costs time only"),
    Excused("shim/call/requests.cpp", "if (searching || ++looks % looks_per_search != 0)", "number is one more",
            "it searches at other looks, as often"),
    Excused("shim/call/requests.cpp", "add_call(entry_, sent, 0, code);", "number is one more",
            "a tick in the time of a call is less than its error"),
    Excused("shim/call/requests.cpp", "if (!complete() && yields())", "and is or",
            "a process that waits gives its core away more often, which costs time only"),
    Excused("shim/call/requests.cpp", "poll_now_and_then(looks, own_world(), 1024)", "number is one more",
            "a call that waits lets the library make progress about as often"),
    Excused("shim/call/reordering.cpp", "edges.push_back(0);", "number is one more",
            "nobody reads the number behind the edges"),
    Excused("shim/call/reordering.cpp", "hand_on_handler(comm, made);", "two arguments change places",
            "both have the handler of the communicator that they are made from"),
    Excused("shim/call/reordering.cpp", "hand_on_handler(comm, made);", "call is left out",
            "both have the handler of the communicator that they are made from"),
    Excused("shim/call/request_array.cpp", "if (count_ == 1)", "number is one more",
            "a process that waits sleeps, or gives its core away, in other calls, for a millisecond at most"),
    Excused("shim/call/request_array.cpp", "unsigned looks = 0;", "number is one more",
            "threads give way to each other a look earlier"),
    Excused("shim/call/request_array.cpp", "int flag = 0;", "number is one more",
            "the test sets it first"),
    Excused("shim/call/request_array.cpp", "if (random() % 8 != 0)", "number is one more",
            "about as many calls begin at any place"),
    Excused("shim/call/token.cpp", "int flag = 0;", "number is one more",
            "MPI_Request_get_status sets it"),
    Excused("shim/exchange/block_form.cpp", "positions_ * ((has_table_ ? sizeof(TableEntry) : 0) + largest) <= room",
            "number is one more", "blocks that just fit lie in another place, which costs time only"),
    Excused("shim/exchange/block_form.cpp", "positions_ * ((has_table_ ? sizeof(TableEntry) : 0) + largest) <= room",
            "plus is minus", "none fits, so all lie in another place, which costs time only"),
    Excused("shim/exchange/block_form.cpp", "if (plan_.lending_call_bytes == 0 || largest > plan_.buffer_bytes)",
            "and is or", "the sum of the blocks is then looked at, which says the same"),
    Excused("shim/exchange/block_form.cpp", "if (block.bytes >= least_lent) {", "comparison is another one",
            "blocks of the least size that is lent are copied, which costs time only"),
    Excused("shim/exchange/block_form.cpp", "table_bytes(positions_) + end,", "plus is minus",
            "the number tells how much memory is worth a prefetch"),
    Excused("shim/exchange/block_form.hpp", "block_bytes <= shown.room", "comparison is another one",
            "blocks that fill the room are delivered one by one, which costs time only"),
    Excused("shim/exchange/elements.cpp", "of.map->extent * (of.count - 1) : 0", "plus is minus",
            "there is more room than needed"),
    Excused("shim/exchange/elements.hpp", "std::size_t distance_ = 0;", "number is one more",
            "the constructor sets it"),
    Excused("shim/exchange/scheduled_exchange.cpp", "count({1, sent_bytes, bytes, 0});", "two arguments change places",
            "they differ in a call that has failed alone"),
    Excused("shim/exchange/shared_exchange.cpp", "header.done = own_readings_->last_done(", "plus is minus",
            "every other turn has the same place"),
    Excused("shim/exchange/shared_exchange.cpp", ".ready_for = turn + 1;", "plus is minus",
            "it looks at the neighbor's word once more"),
    Excused("shim/graph/creation_board.cpp", "if (parent == MPI_COMM_NULL || !takes_all(parent, made))",
            "two arguments change places", "the sizes of both are compared"),
    Excused("shim/graph/detection.cpp", "if (over_own_world)", "condition is negated",
            "the group stays, and is found before anybody asks for the right"),
    Excused("shim/graph/detection.hpp", "std::uint64_t key = 0;", "number is one more",
            "each detection sets it"),
    Excused("shim/graph/graph.hpp", "[completion == Completion::blocking]", "comparison is another one",
            "the two kinds change places"),
    Excused("shim/graph/grid_search.cpp", "schedules::SearchBudget making = budget.lend(2);", "number is one more",
            "the making of grids, which is short, may take another part of the time"),
    Excused("shim/graph/proposal.cpp", "MPI_Group_intersection(", "two arguments change places",
            "the number of the processes is read, not their order"),
    Excused("shim/graph/proposal.cpp", "own[Field::tag_block] = group != 0 ?", "number is one more",
            "a new group begins with its first block"),
    Excused("shim/group/group_processes.cpp", "if (nodes == nullptr && size <= most_at_once)",
            "comparison is another one", "both ways learn the same, with other messages"),
    Excused("shim/group/progress.cpp", "if (++looks % looks_per_poll != 0)", "condition is negated",
            "it lets the library work more often, which costs time only"),
    Excused("shim/group/proof.cpp", "char result = 0;", "number is one more",
            "a reduction of no values does not read it"),
    Excused("shim/selection/blocking_trials.cpp", "running->last_nanoseconds() : 0};", "number is one more",
            "nobody reads it without a running trial, which all processes have or none"),
    Excused("shim/selection/core_time.cpp", "sizeof text - 1", "plus is minus",
            "the system's line is never as long"),
    Excused("shim/selection/core_time.cpp", "long long waited = 0;", "number is one more",
            "it is used only after it has been read"),
    Excused("shim/selection/core_time.hpp", "std::int64_t thread = 0;", "number is one more",
            "core_time() sets it, and every trial begins before it ends"),
    Excused("shim/selection/core_time.hpp", "std::int64_t sleeps = 0;", "number is one more",
            "core_time() sets it"),
)


def is_excused(fault, line, excused=EXCUSED):
    """`line`: the text of the source line of the fault."""
    return any(fault.file == each.file and each.line in line and each.what in fault.what for each in excused)
