# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands that show something: all of it comes from the code of the library, through hopscotch-explain."""

import functools
import json
import os

from hopscotch_tool import documents, files, locate, prediction, say, status
from hopscotch_tool.arguments import WrongUsage


def version_text():
    """Of the library. Raises locate.Missing."""
    shown = locate.explain("--version", capture=True)
    if shown.returncode != 0:
        raise locate.Missing("hopscotch-explain --version failed: " + shown.stderr.strip())
    return shown.stdout.strip()


def version():
    say.line(f"hopscotch {version_text()}")
    return 0


def explain(arguments):
    if arguments.network:
        return prediction.explain(arguments)
    for name, option in prediction.ONLY_HERE.items():
        if getattr(arguments, name) not in (None, False):
            raise WrongUsage(f"{option} goes with --network")
    if not arguments.dims:
        raise WrongUsage("which process grid? --dims 4px4px4p")
    if arguments.selection:
        return selection(arguments)
    for option in ("nodes", "collective", "sizes"):
        if getattr(arguments, option) is not None:
            raise WrongUsage(f"--{option} goes with --selection")
    if arguments.bounds and (arguments.rank is not None or arguments.json):
        raise WrongUsage("--rank and --json do not go with --bounds")
    if arguments.bounds:
        return locate.explain("bounds", arguments.dims, arguments.stencil)
    options = [] if arguments.rank is None else ["--rank", str(arguments.rank)]
    return locate.explain("schedule", arguments.dims, arguments.stencil, *options,
                          *(["--json"] if arguments.json else []))


def selection(arguments):
    if arguments.rank is not None or arguments.json:
        raise WrongUsage("--rank and --json do not go with --selection")
    if arguments.bounds:
        raise WrongUsage("--bounds does not go with --selection")
    options = [word for option in ("nodes", "collective", "sizes") if getattr(arguments, option) is not None
               for word in (f"--{option}", str(getattr(arguments, option)))]
    return locate.explain("selection", arguments.dims, arguments.stencil, *options)


def report(arguments):
    if not arguments.file:
        raise WrongUsage("which report? A run under HOPSCOTCH_REPORT=FILE.json writes one")
    documents.report(arguments.file)
    wanted = {".html": "html", ".json": "json"}.get(os.path.splitext(arguments.output or "")[1], "text")
    if arguments.output and arguments.kind not in (None, wanted):
        raise WrongUsage(f"--{arguments.kind} does not go with -o {arguments.output}")
    if arguments.output and os.path.realpath(arguments.output) == os.path.realpath(arguments.file):
        raise WrongUsage(f"-o {arguments.output} is the report itself")
    asked = ("report", arguments.file, arguments.kind or wanted)
    if not arguments.output:
        return locate.explain(*asked)
    files.check(arguments.output, files.is_report, arguments.force)
    answer, content = locate.explained(*asked)
    if answer == status.DONE:
        files.write(arguments.output, content)
    return answer


@functools.cache
def told_by_library():
    """The settings from hopscotch-explain. Raises locate.Missing."""
    shown = locate.explain("settings", capture=True)
    if shown.returncode != 0:
        raise locate.Missing("hopscotch-explain settings failed: " + shown.stderr.strip())
    try:
        return json.loads(shown.stdout)
    except ValueError:
        raise locate.Missing(f"{locate.explain_program()} is not hopscotch-explain") from None


def algorithms():
    """Their names: native first, auto last. Raises locate.Missing."""
    automatic, *others = told_by_library()["algorithms"]
    return [*others, automatic]


def reasons_without_remedy():
    """Texts of reasons for native calls that nobody needs to do something about. Raises locate.Missing."""
    return tuple(told_by_library()["reasons_without_remedy"])


def known_settings():
    """(entries of the table: name, meaning, values, default; differences from the default, errors, warnings)"""
    told = told_by_library()
    return told["help"], told["changed"], told["errors"], told["warnings"]


def file_of_defaults():
    """The site's file that gives settings; empty if there is none. Raises locate.Missing."""
    return told_by_library()["file"]


def settings():
    entries, changed, errors, warnings = known_settings()
    file = file_of_defaults()
    for entry in entries:
        name = entry["name"]
        value = changed.get(name, entry["default"])
        origin = "set" if os.environ.get(name) else f"from {file}" if name in changed else "default"
        for text in (f"{name} = {value}  ({origin})", f"    {entry['meaning']}", f"    Values: {entry['values']}"):
            say.line(text)
    for text in errors + warnings:
        say.error(text)
    return 1 if errors else 0
