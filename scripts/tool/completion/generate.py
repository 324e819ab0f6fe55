# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the completions of bash and zsh for the hopscotch command, from its parsers: generate.py BASH_FILE ZSH_FILE"""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True

from hopscotch_tool.main import parser  # noqa: E402  the path has to be known first

REPORT = "report"
PROGRAM = "program"
# The kind of an argument's value, by its name in the parser, else by its name in the help.
KINDS_BY_NAME = {"algorithms": "algorithms", "set": "setting", "program": PROGRAM, "file": REPORT, "hosts": "file"}
KINDS_BY_HELP = {"FILE": "file", "DIRECTORY": "directory"}
# Words that the parsers take as texts, since more than these may be written.
ROWS = HERE.parents[2] / "schedules/plan/algorithm.def"
ALGORITHMS = re.findall(r'^ALGORITHM\(\w+, "(\w+)"', ROWS.read_text(encoding="utf-8"), re.MULTILINE)
NETWORKS = ["fat-tree", "fat-tree:", "dragonfly", "dragonfly:", "torus"]
ALLOCATIONS = ["block", "fragmented:"]
STENCILS = ["moore", "neumann", "moore:", "star:", "box:"]


def is_option(action):
    return bool(action.option_strings)


def takes_value(action):
    return is_option(action) and action.nargs is None


def kind(action):
    """One of the kinds above, the words there are, or an empty list: something that nobody can guess."""
    if action.choices:
        return list(action.choices)
    by_name = {"stencil": STENCILS, "network": NETWORKS, "allocation": ALLOCATIONS}
    if action.dest in by_name:
        return by_name[action.dest]
    return KINDS_BY_NAME.get(action.dest) or KINDS_BY_HELP.get(action.metavar) or []


def options(command):
    return [action for action in command._actions if is_option(action)]  # argparse has no public name for them


def positional(command):
    """The kind of argument behind the options: PROGRAM, REPORT, or None."""
    return next((kind(action) for action in command._actions if not is_option(action)), None)


def subcommands():
    """(name, help, parser) of each."""
    group = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return [(choice.dest, choice.help, group.choices[choice.dest]) for choice in group._choices_actions]


def filled(name, **lists):
    """The template with these lists: lines where @NAME@ is a line, else words."""
    text = (HERE / name).read_text(encoding="utf-8")
    for key, values in lists.items():
        text = text.replace(f"@{key}@\n", "\n".join(values) + "\n").replace(f"@{key}@", " ".join(values))
    return text


def bash():
    first = [string for action in options(parser()) for string in action.option_strings]
    names = [name for name, _, _ in subcommands()]
    commands = [f"        '') words='{' '.join([*names, *first])}' valued='' behind='' ;;"]
    values = []
    for name, _, command in subcommands():
        strings = [string for action in options(command) for string in action.option_strings]
        valued = [string for action in options(command) if takes_value(action) for string in action.option_strings]
        commands += [f"        {name})", f"            words='{' '.join(strings)}'",
                     f"            valued=' {' '.join(valued)} ' behind='{positional(command) or ''}' ;;"]
        for action in filter(takes_value, options(command)):
            what = kind(action)
            if what:
                found = f"kind={what}" if isinstance(what, str) else f"kind=words words='{' '.join(what)}'"
                values.append(f"        {'|'.join(f'{name},{string}' for string in action.option_strings)}) {found} ;;")
    return filled("hopscotch.bash.in", COMMANDS=commands, VALUES=values, ALGORITHMS=ALGORITHMS)


def quoted(text):
    """For single quotes of the shell."""
    return text.replace("'", "'\\''")


def explained(text):
    """For the help in a specification of _arguments."""
    return quoted("".join("\\" + character if character in "[]:\\" else character for character in text))


def zsh_value(action):
    """The completion of a value."""
    what = kind(action)
    if isinstance(what, str):
        return f"_hopscotch_{what}"
    return f"({' '.join(word.replace(':', chr(92) + ':') for word in what)})" if what else " "


def help_of(action, command):
    return command._get_formatter()._expand_help(action) if action.help else ""


def zsh_option(action, command):
    """A specification of _arguments, quoted."""
    strings = action.option_strings
    repeated = isinstance(action, argparse._AppendAction)
    others = "*" if repeated else f"({' '.join(strings)})" if len(strings) > 1 else ""
    names = [string + ("=" if string.startswith("--") else "+") * takes_value(action) for string in strings]
    name = names[0] if len(names) == 1 else "'{" + ",".join(names) + "}'"
    value = f":{explained(action.metavar or action.dest)}:{zsh_value(action)}" if takes_value(action) else ""
    return f"'{others}{name}[{explained(help_of(action, command))}]{value}'"


def zsh():
    commands, cases = [], []
    for name, text, command in subcommands():
        commands.append(f"        '{name}:{explained(text)}'")
        behind = positional(command)
        words = [zsh_option(action, command) for action in options(command)]
        if behind == PROGRAM:
            words = ['-A "-*"', *words, f"'*:::program: _hopscotch_program {name}'"]
        elif behind:
            words.append(f"'::report:_hopscotch_{behind}'")
        cases.append(" \\\n                    ".join([f"                ({name}) _arguments -s -S", *words]) + " ;;")
    first = [f"        {zsh_option(action, parser())} \\" for action in options(parser())]
    return filled("hopscotch.zsh.in", COMMANDS=commands, CASES=cases, OPTIONS=first, ALGORITHMS=ALGORITHMS)


def main():
    for path, text in zip(sys.argv[1:], (bash(), zsh())):
        pathlib.Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
