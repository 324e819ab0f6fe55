# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures Hopscotch on this machine within a time; writes JSON, text and a page, also of what came before an early
end."""

import argparse
import datetime
import os
import pathlib
import shlex
import sys
import tarfile
import time

from hopscotch_tool import arguments as read, documents, files as places, locate, say, selftest, show, status
from hopscotch_tool.arguments import WrongUsage, problem_of_command
from hopscotch_tool.interruption import Interrupted
from hopscotch_tool.measuring import figures, model, page, parts, record, text, verdict

MINUTES, QUICK_MINUTES = 20.0, 3.0
FILES = ("measure.json", "measure.txt", "measure.html")
ARCHIVE = "measure.tar.gz"
NO_DIRECTORY = (".json", ".txt", ".html", ".gz")  # the user means a file


def add_arguments(parser):
    parser.add_argument("-t", "--minutes", type=read.minutes, metavar="MINUTES",
                        help=f"time for all of it (default: {MINUTES:g}, with --quick {QUICK_MINUTES:g})")
    parser.add_argument("--quick", action="store_true", help="fewer samples of each figure")
    parser.add_argument("-o", "--output", metavar="DIRECTORY",
                        help="where the files go (default: a new one, measure-DATE)")
    read.add_force(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--compare", action="store_true", help="set two measurements side by side: A.json B.json")
    what.add_argument("--record", action="store_true",
                      help="show measure.json without names of hosts and users, and ask whether to write that")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="[--] launcher ...",
                        help="what starts the processes: srun -N 4 -n 256")


def read_measurement(path):
    """Raises WrongUsage."""
    return documents.read(path, documents.MEASUREMENT)


def new_document(command, seconds, quick, version):
    settings = {name: value for name, value in os.environ.items()
                if name.startswith("HOPSCOTCH_") and name not in (*locate.OWN_VARIABLES, *parts.NOT_MEASURED)}
    return {**documents.MEASUREMENT.marks, "version": version,
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "launcher": command, "settings": settings, "quick": quick, "simulated": False,
            "budget_s": seconds, "elapsed_s": 0.0, "complete": False, "why_partial": "it is not done yet",
            "verdict": "nothing was measured", "geometric_mean": 0.0, "warnings": [], "machine": {}, "networks": [],
            "model": None, "cases": [], "not_best": [], "creation": [], "start": [], "selftest": None, "osu": [],
            "left_out": [], "failures": []}


class Files:
    """Those of one measurement, which are replaced as a whole as it goes on."""

    def __init__(self, directory, document, force):
        """An earlier measurement may be replaced: its measure.json says that the others are of it, too. Raises
        OSError."""
        self.directory = pathlib.Path(directory)
        self.document = document
        self.begin = time.monotonic()
        places.prepare_directory(self.directory)
        places.check_old(self.directory / FILES[0], places.is_measurement, force)
        is_ours = (lambda _: True) if (self.directory / FILES[0]).exists() else places.is_unknown
        for name in (*FILES[1:], ARCHIVE):
            places.check_old(self.directory / name, is_ours, force)

    def write(self, name, content):
        """Whole, or as it was. Raises OSError."""
        places.write(self.directory / name, content)

    def write_json(self):
        """What is known by now. Raises OSError."""
        self.document["elapsed_s"] = round(time.monotonic() - self.begin, 1)
        verdict.judge(self.document)
        self.write(FILES[0], figures.as_json(self.document))

    def finish(self):
        """All files. Raises OSError."""
        if self.document["machine"]:
            model.add_predictions(self.document)
        self.write_json()
        self.write(FILES[1], "\n".join(map(say.harmless, text.lines(self.document))) + "\n")
        self.write(FILES[2], page.page(self.document))
        with places.Beside(self.directory / ARCHIVE) as beside:
            with tarfile.open(beside.path, "w:gz") as archive:
                for name in FILES:
                    archive.add(self.directory / name, arcname=f"measure/{name}")
            beside.keep()


def finish(files, document, why):
    """Writes and says what there is; 0, or the exit status if the files cannot be written."""
    document.update(complete=why is None, why_partial=why)
    answer = 0
    try:
        files.finish()
    except OSError as error:
        document.update(complete=False, why_partial=f"the files could not be written: {error.strerror}")
        say.error(f"hopscotch measure: {error.filename or files.directory}: {error.strerror}; the text follows here")
        answer = status.CANNOT
    for line in text.lines(document):
        say.line(line)
    if answer == 0:
        say.line(f"written: {', '.join(str(files.directory / name) for name in (*FILES, ARCHIVE))}")
    return answer


def measure_on(command, arguments):
    """Raises WrongUsage, locate.Missing, OSError."""
    library = locate.library(command)
    seconds = 60 * (arguments.minutes or (QUICK_MINUTES if arguments.quick else MINUTES))
    effort = parts.Effort(seconds, samples=5, of_way=0.02, runs=2) if arguments.quick else parts.Effort(seconds)
    document = new_document(command, seconds, arguments.quick, show.version_text())
    stamp = time.strftime("%Y%m%d-%H%M%S")
    files = Files(arguments.output or f"measure-{stamp}", document, arguments.force)
    measurement = parts.Measurement(command, library, effort, document,
                                    lambda case, left: say.line(text.progress_line(case, left)), files.write_json)
    files.write_json()
    say.line(f"library      {library}")
    say.line(f"launcher     {shlex.join(command)}")
    say.line(f"time         {seconds / 60:g} minutes; what has no time is left out, the last of each list first")
    say.line(text.progress_heads())
    why, answer = None, 0
    try:
        parts.measure_all(measurement)
    except parts.Failed as error:
        why, answer = str(error), error.status
        say.error(f"hopscotch measure: {error}")
    except Interrupted as error:
        why, answer = f"interrupted by {error}", error.status
        say.error(f"hopscotch measure: {why}")
    except say.Unwritable as error:
        why, answer = f"standard output cannot be written: {str(error) or 'its reader left'}", status.CANNOT
    except OSError as error:
        why, answer = f"{error.filename or command[0]}: {error.strerror}", status.CANNOT
        say.error(f"hopscotch measure: {why}")
    if why is None and document["failures"]:
        failure = document["failures"][0]
        why, answer = f"{failure['part']}: {failure['text']}", 1
    return finish(files, document, why) or answer


def write_record(arguments, paths):
    """Shows a record, and writes it when that is agreed to."""
    if len(paths) != 1:
        raise WrongUsage("which measurement? hopscotch measure --record -o docs/records/NAME.json measure.json")
    document = read_measurement(paths[0])
    if arguments.output:
        try:
            read.json_file(arguments.output)
        except argparse.ArgumentTypeError as error:
            raise WrongUsage(f"-o {error}") from None
        if os.path.realpath(arguments.output) == os.path.realpath(paths[0]):
            raise WrongUsage(f"-o {arguments.output} is the measurement itself")
        places.check(arguments.output, places.is_measurement, arguments.force)
    shown = figures.as_json(record.without_names(document))
    say.whole(shown)
    if not arguments.output:
        return 0
    say.error(f"This is all that would be written to {arguments.output}. Write it? (yes)")
    if sys.stdin is None or sys.stdin.readline().strip().lower() not in ("y", "yes"):
        say.error("hopscotch measure: nothing was written")
        return status.NO
    places.write(arguments.output, shown)
    return 0


def measure(arguments, words):
    """Raises WrongUsage, locate.Missing, OSError."""
    if arguments.record:
        return write_record(arguments, words)
    if arguments.compare:
        if len(words) != 2:
            raise WrongUsage("which two? hopscotch measure --compare A.json B.json")
        for line in text.comparison(*map(read_measurement, words), words):
            say.line(line)
        return 0
    command = selftest.launcher(words, locate.family_of_library(locate.library(words)), None)
    if arguments.output and arguments.output.endswith(NO_DIRECTORY):
        raise WrongUsage(f"-o {arguments.output}: the files go into a directory, whose name has no such ending")
    if wrong := problem_of_command(command[0]):
        say.error(f"hopscotch measure: {wrong[0]}")
        return wrong[1]
    return measure_on(command, arguments)
