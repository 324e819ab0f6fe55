# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads and checks the arguments of all commands, a function for each kind: what is wrong is named with its reason."""

import json
import os
import pathlib
import shutil

from hopscotch_tool import status


class WrongUsage(Exception):
    """The text says what is wrong."""


def report(path):
    """The JSON report in a file. Raises WrongUsage."""
    try:
        found = json.loads(pathlib.Path(path).read_bytes())
    except OSError as error:
        raise WrongUsage(f"{path}: {error.strerror}") from None
    except ValueError:
        raise WrongUsage(f"{path} is no JSON, or not all of a report") from None
    if not isinstance(found, dict) or found.get("schema") != 1:
        raise WrongUsage(f"{path} is no JSON report of Hopscotch")
    return found


def problem_of_command(word):
    """(what is wrong, exit status) of the first word of a command line; None where it can be started."""
    if shutil.which(word):
        return None
    path = pathlib.Path(word)
    try:
        if path.is_dir():
            return f"{word}: Is a directory", status.NOT_EXECUTABLE
        if "/" in word and path.exists():
            return f"{word}: Permission denied", status.NOT_EXECUTABLE
        reason = "No such file or directory" if "/" in word else "there is no such program in PATH"
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    return f"{word}: {reason}", status.NOT_FOUND
