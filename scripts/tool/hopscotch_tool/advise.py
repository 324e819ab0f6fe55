# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What could the point-to-point messages of a program be? Runs it under a library of its own, and shows what that
saw."""

from hopscotch_tool import advice_lines, advice_text, documents, files, locate, process_group, say, status
from hopscotch_tool.arguments import WrongUsage, add_force, json_file, problem_of_command

VARIABLE = "HOPSCOTCH_ADVICE"


def add_arguments(parser, program):
    parser.add_argument("--language", choices=advice_lines.LANGUAGES, default="c",
                        help="of the lines of MPI that are shown (default: c)")
    parser.add_argument("--strict", action="store_true",
                        help="list the messages, on communicators with a topology, to or from processes that are no "
                             "neighbors there")
    parser.add_argument("-o", "--output", dest="advice", type=json_file, metavar="FILE", default="advice.json",
                        help="where the advice goes as JSON (default: advice.json)")
    add_force(parser)
    parser.add_argument("program", nargs=program, metavar="[--] program ...",
                        help="the program, with its launcher; or a JSON file of advice")


def show_strays(advice):
    """Prints the messages that leave the topology; 0 if there are none."""
    for line in advice_text.strays(advice):
        say.line(line)
    return status.NO if advice.get("off_topology") else status.DONE


def show(advice, arguments):
    """Prints it; 0 where something can be gained."""
    if arguments.strict:
        return show_strays(advice)
    language = arguments.language
    for line in advice_text.lines(advice):
        say.line(line)
    better = [exchange for exchange in advice["exchanges"] if exchange["prediction"]]
    for exchange in better[:1]:
        say.line("")
        say.line(f"lines for {exchange['function']}, in {advice_lines.NAMES[language]}:")
        say.line("")
        for line in advice_lines.lines(exchange, language):
            say.line("    " + line if line else "")
    return status.DONE if better else status.NO


def advise(arguments, words):
    """Raises WrongUsage, locate.Missing."""
    if len(words) == 1 and words[0].endswith(".json"):
        return show(documents.read(words[0], documents.ADVICE), arguments)
    if not words:
        raise WrongUsage("which program? hopscotch advise mpiexec -n 8 ./program")
    if wrong := problem_of_command(words[0]):
        say.error(f"hopscotch advise: {wrong[0]}")
        return wrong[1]
    files.check_old(arguments.advice, files.is_advice, arguments.force)
    with files.Beside(arguments.advice) as beside:
        library = locate.advise_library(words)
        environment = locate.environment(words, {VARIABLE: str(beside.path)}, library)
        words = locate.command(words, library)
        try:
            code, _, _ = process_group.run(words, None, stdin=None, stdout=None, stderr=None, env=environment)
        except OSError as error:
            say.error(f"hopscotch advise: {words[0]}: {error.strerror}")
            return status.of_start(error)
        if not beside.path.read_bytes():
            beside.prove()
            say.error("hopscotch advise: there is no advice: the library did not reach the processes, or the program "
                      "ended without MPI_Finalize")
            return status.of_program(code) or status.NO
        beside.keep()
    answer = show(documents.read(arguments.advice, documents.ADVICE), arguments)
    return status.of_program(code) or answer
