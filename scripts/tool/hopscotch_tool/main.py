# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command line of the hopscotch tool."""

import argparse
import os
import sys

from hopscotch_tool import (
    advise, arguments as read, compare, doctor, elf, files, launched, locate, mapping, measure, prediction, say,
    selftest, show, status)
from hopscotch_tool.arguments import WrongUsage, problem_of_command
from hopscotch_tool.interruption import Interrupted, catch_signals

DESCRIPTION = """Runs programs under Hopscotch, which makes the neighborhood collectives of MPI faster, and shows the
results.

  hopscotch run mpiexec -n 64 ./stencil             the program under Hopscotch; a report at the end
  hopscotch compare -- mpiexec -n 64 ./stencil      with every algorithm in turn: a table of times
  hopscotch doctor -- mpiexec -n 64 ./stencil       the reason if nothing was accelerated
  hopscotch advise mpiexec -n 64 ./stencil          collectives for its point-to-point messages
  hopscotch explain --dims 4px4px4p --stencil moore the schedule and its cost, without MPI
  hopscotch map --dims 8x8 --nodes 4                the ranks that should run on each node
  hopscotch report run.json --html -o run.html      a JSON report as text or as a page
  hopscotch settings                                every setting, its value, what it means
  hopscotch selftest -n 4                           is it right with the MPI library and launcher of this site?
  hopscotch measure -- srun -N 4 -n 256             what does it gain on this machine? In twenty minutes
"""


def setting(text):
    name, equals, value = text.partition("=")
    if not equals or not name.startswith("HOPSCOTCH"):
        raise argparse.ArgumentTypeError(f"'{say.harmless(text)}' is not HOPSCOTCH_NAME=VALUE")
    return name, value


def commands():
    """{name: its parser}"""
    group = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return group.choices


def parser():
    result = read.Parser(prog="hopscotch", description=DESCRIPTION,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--version", action="store_true", help="print the version")
    commands = result.add_subparsers(dest="command", metavar="COMMAND")

    def command(name, text):
        added = commands.add_parser(name, help=text, description=text)
        added.add_argument("--version", action="store_true", help="print the version")
        return added

    run = command("run", "Run a program under Hopscotch; its exit status is that of the program.")
    run.add_argument("-s", "--set", action="append", default=[], type=setting, metavar="HOPSCOTCH_X=VALUE",
                     help="a setting (hopscotch settings lists them)")
    run.add_argument("-r", "--report", metavar="FILE", help="file of the report: .txt, .json or .html, or off")
    read.add_force(run)
    run.add_argument("program", nargs=argparse.REMAINDER, metavar="[--] program ...",
                     help="a program, or a launcher with a program; `mpiexec -n 4 hopscotch run ./program` works "
                          "as well")

    compared = command("compare", "Run a program with every algorithm in turn and print a table.")
    compare.add_arguments(compared)

    advised = command("advise", "Find collectives for the point-to-point messages of a program, with lines of MPI.")
    advise.add_arguments(advised, argparse.REMAINDER)

    explained = command("explain", "Show the schedule and its cost for a process grid and a stencil, without MPI.")
    explained.add_argument("--dims", type=read.grid, metavar="GRID",
                           help="process grid: 4x4x2; 4px4px2 is periodic in two dimensions")
    explained.add_argument("--stencil", metavar="STENCIL", default="moore",
                           help="moore, moore:R, neumann, star:R, box:N:FIRST, or offsets: '0,1;1,0;-1,-1'")
    explained.add_argument("--rank", type=read.number,
                           help="show the messages of this process (default: in the middle)")
    explained.add_argument("--json", action="store_true", help="for programs")
    explained.add_argument("--bounds", action="store_true",
                           help="the fewest rounds and blocks for each number of phases, and those that are reached")
    explained.add_argument("--selection", action="store_true",
                           help="the algorithm for each block size, under the HOPSCOTCH settings of the "
                                "environment")
    explained.add_argument("--nodes", type=read.count, metavar="N",
                           help="number of nodes that the processes fill in order (default: 1); with --network as well")
    explained.add_argument("--collective", metavar="NAME", help="alltoall, alltoallv, ... (default: all)")
    explained.add_argument("--sizes", metavar="LIST", help="block sizes, like 8,4K,1M (default: all)")
    prediction.add_arguments(explained, read)

    mapped = command("map", "Find the ranks that should run on each node, and write their order for a launcher.")
    mapping.add_arguments(mapped)

    reported = command("report", "Show a JSON report as text or as a page.")
    reported.add_argument("file", nargs="?", help="written under HOPSCOTCH_REPORT=FILE.json")
    kind = reported.add_mutually_exclusive_group()
    kind.add_argument("--text", dest="kind", action="store_const", const="text", help="for a terminal (default)")
    kind.add_argument("--html", dest="kind", action="store_const", const="html", help="one page with charts")
    reported.add_argument("-o", "--output", type=read.report_file, metavar="FILE",
                          help="output file; the ending .txt, .json or .html gives the format; a report that is there "
                               "is replaced")
    read.add_force(reported)

    examined = command("doctor", "Find the reason if nothing was accelerated.")
    examined.add_argument("--no-run", action="store_true", help="look at the program without running it")
    examined.add_argument("--timeout", type=read.seconds, metavar="SECONDS", help="end the program after this time")
    examined.add_argument("program", nargs=argparse.REMAINDER, metavar="[--] program ...",
                          help="the program, with its launcher; or a JSON report")

    command("settings", "List every setting, its present value, and its meaning.")
    tested = command("selftest", "Compare random calls byte for byte under the launcher and MPI library of this site.")
    selftest.add_arguments(tested)
    measured = command("measure", "Measure every algorithm on this machine, and write tables and a page.")
    measure.add_arguments(measured)
    return result


def with_negative_offsets(words):
    """--stencil -1,0 as one word: a value that begins with a minus is not an option here."""
    result = []
    for word in words:
        if result and result[-1] == "--stencil" and word[:1] == "-":
            result[-1] += "=" + word
        else:
            result.append(word)
    return result


def command_first(words):
    """The words behind `hopscotch`, with run before a launcher. Raises WrongUsage for a command that is not there."""
    known = [*commands(), "-h", "--help", "--version"]
    if not words or words[0] in known or words[0].startswith("-"):
        return words
    if launched.is_launcher(words[0]):
        return ["run", *words]
    raise WrongUsage(f"there is no command {words[0]}"
                     + (read.meant(words[0], known) or "; a program runs by hopscotch run"))


def program_of(words):
    return words[1:] if words[:1] == ["--"] else words


def say_what_runs(words, library, environment):
    """One line, from the first process only if a launcher has started several: the preloaded library, or the reason if
    that has no effect."""
    if environment.get("HOPSCOTCH_LOG") == "error" or not launched.is_first():
        return
    program = elf.program_in(words)
    wrong = elf.why_not(program) if program else None
    say.error(f"hopscotch run: {wrong}" if wrong else
              f"hopscotch run: preloads {library}, for {locate.family_of_library(library)}")


def check_reports(told, force):
    """Raises OSError if a file would be replaced that Hopscotch did not write. Other problems of a file are the
    library's to report: its place may be on another node."""
    for name in told.split(","):
        if not name.endswith(read.REPORT_ENDINGS) or "%" in name:
            continue
        try:
            place = files.place_of(name)
        except OSError:
            continue
        if place.is_file():
            files.check_old(name, files.is_report, force)


def run(arguments):
    words = program_of(arguments.program)
    if not words:
        raise WrongUsage("which program? hopscotch run mpiexec -n 8 ./program")
    if wrong := problem_of_command(words[0]):
        say.error(f"hopscotch run: {wrong[0]}")
        return wrong[1]
    settings = dict(arguments.set)
    if arguments.report:
        settings["HOPSCOTCH_REPORT"] = arguments.report
    check_reports(settings.get("HOPSCOTCH_REPORT", ""), arguments.force)
    try:
        library = locate.library(words)
        environment = locate.environment(words, settings, library)
        words = locate.command(words, library)
        say_what_runs(words, library, environment)
    except locate.NoLibrary as error:
        say.error(f"hopscotch run: {error}")
        environment = locate.own_environment()
    try:
        os.execvpe(words[0], words, environment)
    except OSError as error:
        say.error(f"hopscotch run: {words[0]}: {error.strerror}")
        return status.of_start(error)


def answer_of(arguments, commands):
    """The exit status. Raises what main knows."""
    words = program_of(getattr(arguments, "program", []))
    if arguments.version:
        return show.version()
    if arguments.command == "run":
        return run(arguments)
    say.check_output()
    say.open_closed_streams()
    if arguments.command is None:
        commands.print_help()
        return status.WRONG_USAGE
    return {"compare": lambda: compare.compare(arguments, words), "advise": lambda: advise.advise(arguments, words),
            "explain": lambda: show.explain(arguments), "map": lambda: mapping.map_ranks(arguments),
            "report": lambda: show.report(arguments), "doctor": lambda: doctor.doctor(arguments, words),
            "settings": show.settings, "selftest": lambda: selftest.selftest(arguments, words),
            "measure": lambda: measure.measure(arguments, words)}[arguments.command]()


def finished():
    """The exit status of the command line."""
    commands = parser()
    try:
        words = command_first(sys.argv[1:])
    except WrongUsage as error:
        say.error(f"hopscotch: {error} (more: hopscotch --help)")
        return status.WRONG_USAGE
    try:
        arguments = commands.parse_args(with_negative_offsets(words))
    except SystemExit as ended:  # --help, or wrong usage
        return ended.code or status.DONE
    try:
        return answer_of(arguments, commands)
    except locate.Missing as error:
        say.error(f"hopscotch: {error}")
        return status.CANNOT
    except WrongUsage as error:
        say.error(f"hopscotch {arguments.command}: {error}")
        return status.WRONG_USAGE
    except OSError as error:
        say.error(f"hopscotch: {error.filename or 'the output'}: {error.strerror or error}")
        return status.CANNOT


def main():
    """The exit status. All output is written then, or one line has said why not."""
    catch_signals()
    try:
        return finished()
    except say.Unwritable as error:
        if str(error):
            say.error(f"hopscotch: standard output cannot be written: {error}")
        return status.CANNOT
    except Interrupted as error:
        say.error(f"hopscotch: interrupted by {error}")
        return error.status
    finally:
        say.abandon_buffers()
