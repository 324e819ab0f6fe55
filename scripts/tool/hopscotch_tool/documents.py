# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the JSON files that Hopscotch writes: a file of another kind than was asked for is refused with its name, and
with the command that shows it."""

import dataclasses
import json
import pathlib

from hopscotch_tool.arguments import WrongUsage


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """A kind of file."""
    what: str  # with its article
    marks: dict  # members with these values
    members: tuple  # members with any value
    shown_by: str  # the command that shows it

    def fits(self, found):
        return (all(name in found and found[name] == value for name, value in self.marks.items())
                and all(name in found for name in self.members))


ADVICE = Kind("advice of hopscotch advise", {"schema": 1, "kind": "advice"}, (), "hopscotch advise {path}")
MEASUREMENT = Kind("a measurement of hopscotch measure", {"schema": 1, "kind": "hopscotch measurement"}, (),
                   "hopscotch measure --compare {path} OTHER.json, and the measure.html beside it")
REPORT = Kind("a JSON report of Hopscotch", {"schema": 1}, ("graphs",), "hopscotch report {path}")
# The first that fits is the kind of a file.
KINDS = (ADVICE, MEASUREMENT, REPORT,
         Kind("a table of hopscotch compare --json", {}, ("baseline", "algorithms"),
              "any reader of JSON; -k keeps the reports that it is made of"),
         Kind("a comparison of two reports by hopscotch compare --json", {}, ("reports", "facts", "choices"),
              "any reader of JSON"),
         Kind("a schedule of hopscotch explain --json", {}, ("dims", "stencil", "alltoall", "allgather"),
              "hopscotch explain without --json"),
         Kind("a tuning file, which HOPSCOTCH_TUNING names", {}, ("hopscotch_tuning", "trials"),
              "any reader of JSON; the library reads it"),
         Kind("a schema of JSON files", {}, ("$schema",), "any reader of JSON"))


def read(path, wanted):
    """The object in a file of the kind that is wanted. Raises WrongUsage."""
    plain = wanted.what.removeprefix("a ")
    try:
        found = json.loads(pathlib.Path(path).read_bytes())
    except OSError as error:
        raise WrongUsage(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise WrongUsage(f"{path} is no JSON, or not all of {wanted.what}") from None
    kind = next((kind for kind in KINDS if isinstance(found, dict) and kind.fits(found)), None)
    if kind is wanted:
        return found
    if kind is None:
        raise WrongUsage(f"{path} is no {plain}")
    raise WrongUsage(f"{path} is {kind.what}, no {plain}; shown by: {kind.shown_by.format(path=path)}")


def report(path):
    """The JSON report in a file. Raises WrongUsage."""
    return read(path, REPORT)
