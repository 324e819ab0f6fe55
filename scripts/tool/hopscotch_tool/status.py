# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The exit statuses of the tool; docs/tool.md has the same table."""

DONE = 0
NO = 1  # the answer: nothing was accelerated, a result was wrong, a value is not allowed
WRONG_USAGE = 2  # an option, an argument, or a file to read
CANNOT = 3  # a part of Hopscotch is not there, an output cannot be written
TIMED_OUT = 124
NOT_EXECUTABLE = 126
NOT_FOUND = 127


def of_start(error):
    """The status of a command that the system did not start: an OSError."""
    return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE


def of_program(returncode):
    """The status of a program that ended so: a signal in the form of a shell."""
    return returncode if returncode >= 0 else 128 - returncode
