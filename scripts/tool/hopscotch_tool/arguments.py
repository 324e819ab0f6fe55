# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads and checks the arguments of all commands, a function for each kind: errors are named with their reason."""

import argparse
import difflib
import math
import os
import pathlib
import re
import shutil
import sys

from hopscotch_tool import say, status

MOST_PROCESSES = 1 << 24  # of a process grid, see explain_main.cpp
REPORT_ENDINGS = (".txt", ".json", ".html")
LIST_ENDINGS = ("", ".txt", ".list", ".hosts", ".ranks")


class WrongUsage(Exception):
    """The text names the error."""


class Parser(argparse.ArgumentParser):
    """Names the error in one line, with the command whose help tells more."""

    def error(self, message):
        say.error(f"{self.prog}: {message.removeprefix('argument ')} (more: {self.prog} --help)")
        sys.exit(status.WRONG_USAGE)

    def _print_message(self, message, file=None):
        say.whole(message)

    def parse_known_args(self, args=None, namespace=None):
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            known = [string for action in self._actions for string in action.option_strings]
            self.error(f"there is no option {unknown[0]}{meant(unknown[0], known)}" if unknown[0].startswith("-") else
                       f"{unknown[0]} is one argument too many")
        return found, unknown


def meant(word, known):
    """A question after a similar known word, or nothing."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.7)
    return f"; did you mean {near[0]}?" if near else ""


def whole(least, text):
    """A whole number. Raises ArgumentTypeError."""
    number = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of {least} or more")
    return number


def count(text):
    """A number: 1 or more."""
    return whole(1, text)


def number(text):
    """A rank, or a seed: 0 or more."""
    return whole(0, text)


def time_in(unit, text):
    """A time above 0."""
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not (time > 0 and math.isfinite(time)):
        raise argparse.ArgumentTypeError(f"'{text}' is no time in {unit} above 0")
    return time


def seconds(text):
    """A time above 0."""
    return time_in("seconds", text)


def minutes(text):
    """A time above 0."""
    return time_in("minutes", text)


def grid(text):
    """A process grid; the library reports further errors."""
    extents = re.findall(r"[0-9]+", text) if re.fullmatch(r"[0-9]+p?(x[0-9]+p?)*", text.lower()) else []
    if math.prod(map(int, extents)) > MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} has more than {MOST_PROCESSES} processes")
    return text


def ending(text, endings):
    """The name of a file that this command may write."""
    if not text.endswith(endings):
        raise argparse.ArgumentTypeError(f"{text} ends in none of {', '.join(endings)}" if len(endings) > 1 else
                                         f"{text} does not end in {endings[0]}")
    return text


def report_file(text):
    """A file for a report: its ending gives the format."""
    return ending(text, REPORT_ENDINGS)


def json_file(text):
    """A file for JSON."""
    return ending(text, (".json", ))


def list_file(text):
    """A file for a list of hosts or ranks."""
    suffix = pathlib.Path(text).suffix
    if text == "-" or suffix not in LIST_ENDINGS:
        raise argparse.ArgumentTypeError(f"{text} is no name for a list: its ending is none, or one of "
                                         f"{', '.join(filter(None, LIST_ENDINGS))}")
    return text


def add_force(parser):
    parser.add_argument("--force", action="store_true", help="replace files that Hopscotch did not write, too")


def problem_of_command(word):
    """(error, exit status) of the first word of a command line; None if it can be started."""
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
