# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every function, setting, info key and option of the tool that a user is given is named in a test."""

import pathlib
import re
import subprocess

from support import ROOT, setup
import generate
from exports_test import declared
from intercepted import intercepted

LISTS = {"completion_test.py", "differing_test.py", "named_test.py"}  # they name everything and test little of it

texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in (ROOT / "test").rglob("*")
         if path.suffix in {".c", ".cpp", ".h", ".hpp", ".py", ".f", ".f90", ".F90", ".inc", ".build", ".txt"}
         and path.name not in LISTS}
words = set(re.findall(r"\w+", "\n".join(texts.values())))
tool_words = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", "\n".join(
    text for path, text in texts.items() if path.parent.name in {"tool", "advise"} and path.name != "support.py")))


def made_by_macros():
    """The names that the programs which use ## refer to."""
    shown = subprocess.run(["nm", "--undefined-only", *setup.paths.programs], stdout=subprocess.PIPE, text=True,
                           check=True)
    return {word.split("@")[0] for word in shown.stdout.split()}


def made_by_launch():
    """The names that form_name() of test/preload/common/launch.c makes from those in transfers.c, for the programs that
    run all forms."""
    names = re.findall(r'"MPI_Neighbor_([a-z]+)(_c)?"', texts[ROOT / "test/preload/common/transfers.c"])
    return {f"MPI_{form.replace('*', what)}{large}" for what, large in names
            for form in ("Neighbor_*", "Ineighbor_*", "Neighbor_*_init")}


def check(kind, given, named, at_least):
    given = set(given)
    setup.check(len(given) >= at_least, f"{kind}: {len(given)} were found", sorted(given))
    setup.check(given <= named, f"{kind}: no test names", sorted(given - named))


check("functions", intercepted() | declared(ROOT / "include/hopscotch.h"),
      words | made_by_macros() | made_by_launch(), 250)
check("settings", re.findall(r"^HOPSCOTCH\w*", setup.tool("settings").stdout, re.MULTILINE), words, 18)
KEYS = re.findall(r'InfoKey \w+\{"(\w+)"\}', (ROOT / "shim/mpi/info_value.hpp").read_text(encoding="utf-8"))
check("info keys", KEYS, words, 5)
check("info keys", KEYS, set(re.findall(r"\w+", " ".join(
    pathlib.Path(ROOT, page).read_text(encoding="utf-8") for page in ("docs/settings.md", "docs/interfaces.md")))), 5)
for command, _, parser in generate.subcommands():
    check(f"options of {command}", [string for action in generate.options(parser) for string in action.option_strings],
          tool_words, 2)
setup.finish()
