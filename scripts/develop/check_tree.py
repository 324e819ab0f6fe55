# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the rules of docs/contributing.md that a machine can check: layers, documentation, sizes of files and lines,
licenses, places of mutations, the version."""

import fnmatch
import graphlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "benchmarks"))

from chosen_tests import is_listed  # noqa: E402  the path has to be known first
from headers import read_headers  # noqa: E402
from intercepted import intercepted  # noqa: E402
from mutation_list import MUTATIONS  # noqa: E402
from version import version_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = (".c", ".h", ".cpp", ".hpp", ".f", ".f90", ".F90", ".py", ".sh", ".def")
BUILT_BY_HAND = ("test/fuzz/entry.cpp",)  # by scripts/develop/fuzz
SOURCES = (".c", ".cpp", ".f", ".f90", ".F90")  # of programs
MOST_LINES = 500
MOST_COLUMNS = 120
# clang-format breaks lines of C and C++, but for their strings. The others: pictures and data.
LINES_NOT_COUNTED = ("*.[ch]", "*.[ch]pp", "docs/figures/*", "docs/records/*", "test/fuzz/corpus/*")
# The parts of the tree; anything beside them is a build or a file of an editor.
FOLDERS = ("schedules", "shim", "include", "test", "scripts", "docs", ".ci", ".github")
TOP_FILES = ("README.md", "meson.build", "meson_options.txt", ".clang-format", ".gitattributes", ".gitignore")
# At the beginning of every source, after the line for the interpreter: `#!/bin/bash`. The tool `reuse` would take
# SPDX with a plain colon for lines about this file.
LICENSE = re.compile(r"(?:(?:#!|#%|#compdef |<\?xml).*\n)?\W*SPDX-FileCopyrightText[:] \d{4} The Hopscotch authors\n"
                     r"\W*SPDX-License-Identifier[:] BSD-3-Clause\b")

# The rooms of each folder, lowest first: a file includes or imports from its own room and from those before it.
ROOMS = {
    "schedules": ("grid", "plan", "irregular", "nodes", "mapping", "network", "memory", "message", "selection"),
    "shim": ("base", "device", "mpi", "group", "blocks", "report", "memory", "exchange", "graph", "selection", "call",
             "sparse", "gather", "interpose", "hop", "advise"),
    "scripts": ("tool", "benchmarks", "simulation", "packaging", "develop"),
}
# Files outside of rooms: the commands that a person types.
COMMANDS = ("setup", "demo", "test", "device_test", "benchmark", "simulate", "matrix", "pre_commit", "hopscotch")
OUTSIDE_ROOMS = {"schedules": ("meson.build",), "shim": ("meson.build",), "scripts": ("meson.build", *COMMANDS)}

# A type's definition outside of others.
TYPE = re.compile(r"^(?:class|struct|enum class|union) (?:alignas\(\w+\) )?(\w+)(?: final)?(?: :[^;]*)?\s*{",
                  re.MULTILINE)

# Identifiers with a meaning that only their authors knew. docs/architecture.md has the words that took their place.
RETIRED = re.compile(r"\b(?:Around|Beside|Completing|Links|Meeting|Planner|Staying|Told|carried_(?:at|call|on_device|"
                     r"request)|carry_(?:later|now|on|out|plan)|is_untouched|known_|links_of|most_packed|note_passed|"
                     r"passed_on|passing_entry)\b")

# Sources that know the versions of Catch2. All others take from it what is alike in versions 2 and 3: no headers, no
# name of its namespace but Session, no global names of version 2, no macros of version 3, and no macros for which
# version 3 needs a header that test/catch.hpp does not include.
OF_CATCH2 = ("test/catch.hpp", "test/case_listener.hpp")
OF_ONE_CATCH2 = re.compile(r"<catch2/[^>]*>|\bCatch::(?!Session\b)\w+|\b(?:Approx|ANON_TEST_CASE|CATCH_CONFIG_MAIN|"
                           r"SKIP|STATIC_CHECK(?:_FALSE)?|TEST_CASE_PERSISTENT_FIXTURE|TEMPLATE_\w*TEST_CASE\w*|"
                           r"BENCHMARK(?:_ADVANCED)?|(?:CHECK|REQUIRE)_THROWS_MATCHES)\b")

# Allowed beginnings of quoted includes in a directory. Tests may include everything.
LAYERS = {
    "schedules": ("schedules/",),
    "shim": ("shim/", "schedules/", "include/"),
    "include": ("include/",),
}


def files_but(patterns):
    """All files of the tree with paths below ROOT that match none of the patterns."""
    paths = [path.relative_to(ROOT) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
             if path.is_file() and path.suffix != ".pyc"]
    for path in [*paths, *map(pathlib.Path, TOP_FILES)]:
        if not any(fnmatch.fnmatch(str(path), pattern) for pattern in patterns):
            yield path


def code_files():
    for top in ("schedules", "shim", "include", "test", "scripts"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.is_file() and (path.suffix in CODE or top == "scripts" and "." not in path.name):
                yield path


def includes(top):
    """(path, number of the line, text in quotes or angle brackets) of every include below a folder."""
    for path in sorted((ROOT / top).rglob("*")):
        if path.suffix in (".c", ".h", ".cpp", ".hpp", ".def"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := re.match(r'\s*#\s*include\s*("[^"]*"|<[^>]*>)', line):
                    yield path.relative_to(ROOT), number, found[1]


def include_errors():
    for top, allowed in LAYERS.items():
        for path, number, included in includes(top):
            if included[0] == '"' and not included[1:].startswith(allowed):
                yield f"{path}:{number}: {top}/ may not include {included}"
            if top == "schedules" and included.startswith("<mpi"):
                yield f"{path}:{number}: schedules/ may not know MPI"


def python_files():
    for path in sorted((ROOT / "scripts").rglob("*")):
        if path.is_file() and path.suffix in ("", ".py") and (
                path.suffix or path.read_text(encoding="utf-8").startswith("#!/usr/bin/env python3")):
            yield path.relative_to(ROOT)


def imports():
    """(path, number of the line, path of the module) of every import of a module of scripts/. Python looks for a room's
    modules in its folder."""
    modules = {".".join(path.with_suffix("").parts[2:]): path for path in python_files() if path.suffix}
    for path in python_files():
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            if found := re.match(r"\s*(?:from ([\w.]+) )?import ([\w., ]+)", line):
                package = found[1]
                for name in re.findall(r"[\w.]+", found[2]):
                    module = modules.get(f"{package}.{name}" if package else name) or modules.get(package)
                    if module:
                        yield path, number, module


def arrows(top):
    """(path, number of the line, path below ROOT) of the files that every file below a folder includes in quotes or
    imports."""
    for path, number, included in includes(top):
        name = included[1:-1]
        if included[0] == '"':
            yield path, number, path.parent / name if (ROOT / path.parent / name).is_file() else pathlib.Path(name)
    if top == "scripts":
        yield from imports()


def room_errors():
    for top, rooms in ROOMS.items():
        for path in sorted((ROOT / top).rglob("*")):
            place = path.relative_to(ROOT / top)
            if path.is_file() and path.suffix != ".pyc" and place.parts[0] not in (*rooms, *OUTSIDE_ROOMS[top]):
                yield f"{top}/{place}: stands in no room; the rooms are {', '.join(rooms)}"
        for path, number, other in arrows(top):
            room = path.parts[1]
            used = other.parts[1] if other.parts[0] == top else room
            if room in rooms and (used not in rooms or rooms.index(used) > rooms.index(room)):
                yield f"{path}:{number}: {room}/ may not use {used}, which comes after it"


def component_includes():
    """The other components that each component uses; a component is a header with the source of its name, or a
    module."""
    others = {}
    for top in ROOMS:
        for path, _, other in arrows(top):
            component, used = str(path.with_suffix("")), str(other.with_suffix(""))
            if used != component:
                others.setdefault(component, set()).add(used)
    return others


def cycle_errors():
    try:
        tuple(graphlib.TopologicalSorter(component_includes()).static_order())
    except graphlib.CycleError as error:
        yield "components use each other: " + " <- ".join(error.args[1])


def type_errors():
    """One name, one meaning: types, by the place of their definition. A debugger sees them all."""
    defined = {}
    for top in ("schedules", "shim"):
        for path in sorted((ROOT / top).rglob("*.[ch]pp")):
            text = path.read_text(encoding="utf-8")
            for name in TYPE.findall(text):
                defined.setdefault(name, []).append(str(path.relative_to(ROOT)))
    for name, places in defined.items():
        if len(places) > 1:
            yield f"{name} is defined in {' and in '.join(places)}"


def retired_errors():
    for path in sorted(path for top in ("schedules", "shim") for path in (ROOT / top).rglob("*.[ch]pp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := RETIRED.search(re.sub(r'"(?:[^"\\]|\\.)*"', "", line).partition("//")[0]):
                yield f"{path.relative_to(ROOT)}:{number}: {found[0]} is a retired name"


def pasted_errors():
    """Names that macros paste together are found by no text search, but for the P before a name of MPI."""
    for path in sorted(path for path in (ROOT / "shim").rglob("*") if path.suffix in CODE):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "##" in line.replace("P##name", "").partition("//")[0]:
                yield f"{path.relative_to(ROOT)}:{number}: spell the whole name; ## hides it"


def length_errors():
    for path in code_files():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            yield f"{path.relative_to(ROOT)}: {lines} lines; look for the seam ({MOST_LINES} at most)"


def width_errors():
    for path in files_but(LINES_NOT_COUNTED):
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > MOST_COLUMNS:
                yield f"{path}:{number}: {len(line)} columns; break the line ({MOST_COLUMNS} at most)"


def license_errors():
    """Files listed in .reuse/dep5 need no lines of their own."""
    dep5 = (ROOT / ".reuse/dep5").read_text(encoding="utf-8")
    listed = re.search(r"^Files:(.*?)^\w", dep5, re.MULTILINE | re.DOTALL)[1].split()
    for path in files_but(listed):
        if not LICENSE.match((ROOT / path).read_text(encoding="utf-8")):
            yield f"{path}: does not begin with the two SPDX lines that other sources begin with"


def meson_errors():
    """A source of a test that no meson.build names is neither built nor run. The guests' lists its folder."""
    others = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "test").rglob("meson.build"))
    for path in sorted((ROOT / "test").rglob("*")):
        folder = next(folder for folder in path.parents if (folder / "meson.build").is_file())
        if path.suffix not in SOURCES or folder == ROOT / "test/guest" or f"/{path.name}'" in others:
            continue
        text = (folder / "meson.build").read_text(encoding="utf-8")
        place = path.relative_to(folder)
        if not (re.search(rf"'(?:{place}|{place.stem})'", text) or is_listed(place, text) or
                str(path.relative_to(ROOT)) in BUILT_BY_HAND):
            yield f"{path.relative_to(ROOT)}: {folder.relative_to(ROOT)}/meson.build does not name it"


def catch2_errors():
    for path in sorted((ROOT / "test").rglob("*.[ch]pp")):
        text = path.read_text(encoding="utf-8")
        if str(path.relative_to(ROOT)) in OF_CATCH2 or not re.search(r'#include ["<](?:test/catch\.|catch2/)', text):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if found := OF_ONE_CATCH2.search(line.partition("//")[0]):
                yield (f"{path.relative_to(ROOT)}:{number}: only one version of Catch2 has {found[0]} like this; "
                       "test/catch.hpp names what both have")


def counter_errors():
    fields = (ROOT / "shim/report/statistics.hpp").read_text(encoding="utf-8").partition("counter_fields[] = {")[2]
    names = re.findall(r'{"(\w+)", &Counters::', fields)
    for page, quote in ("docs/report.md", "`"), ("docs/report.schema.json", '"'):
        text = (ROOT / page).read_text(encoding="utf-8")
        yield from (f"{page} does not mention the counter {name}" for name in names
                    if f"{quote}{name}{quote}" not in text)


def documentation_errors():
    functions = (ROOT / "docs/functions.md").read_text(encoding="utf-8")
    for name in sorted(intercepted()):
        if not re.search(rf"\b{name}\b", functions):
            yield f"docs/functions.md does not mention {name}, which the library intercepts"
    interfaces = (ROOT / "docs/interfaces.md").read_text(encoding="utf-8")
    classes = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "include").rglob("*.hpp"))
    for header in read_headers():
        for function in header.functions:
            if not re.search(rf"`{function.name.removesuffix('_init')}`", interfaces):
                yield f"docs/interfaces.md does not mention {function.name} of {header.name}"
            if not re.search(rf"\b{function.name}\(|\({function.name}[,)]", classes):
                yield f"no class of include/hopscotch/*.hpp calls {function.name} of {header.name}"
    settings = "".join((ROOT / "shim/base" / name).read_text(encoding="utf-8")
                       for name in ("settings.def", "settings.cpp"))
    known = set(re.findall(r'"(HOPSCOTCH(?:_[A-Z_]+)?)"', settings))
    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    mentioned = set(re.findall(r"`(HOPSCOTCH(?:_[A-Z_]+)?)\b", page))
    yield from (f"docs/settings.md does not mention {name} of shim/base/settings.def"
                for name in sorted(known - mentioned))
    yield from (f"docs/settings.md mentions {name}, which shim/base/settings.def does not know"
                for name in sorted(mentioned - known))


def mutation_errors():
    """A mutation with a place that is gone, or no longer the only one, would be made nowhere or in a wrong place."""
    for mutation in MUTATIONS:
        path = ROOT / mutation.file
        times = path.read_text(encoding="utf-8").count(mutation.old) if path.is_file() else 0
        if times != 1:
            yield f"scripts/develop/mutation_list.py: the text of '{mutation.what}' is {times} times in {mutation.file}"


def version_errors():
    """meson.build has the version; other files have to follow."""
    version = version_of(ROOT)
    major, minor, patch = version.split(".")
    followers = {"README.md": f"\nVersion {version} ", "docs/CITATION.cff": f"version: {version}\n",
                 "docs/hopscotch.1": f'"Hopscotch {version}"', "docs/hopscotch.7": f'"Hopscotch {version}"',
                 "docs/changelog.md": f"\n## {version}\n",
                 "docs/contributing.md": f"git tag -a v{version}`",
                 "include/hopscotch.h": f"VERSION_MAJOR {major}\n#define HOPSCOTCH_VERSION_MINOR {minor}\n"
                                        f"#define HOPSCOTCH_VERSION_PATCH {patch}\n",
                 "scripts/demo": f"libhopscotch.so.{version}\n",
                 "scripts/packaging/debian/changelog": f"hopscotch ({version}) ",
                 "scripts/packaging/spack/package.py": f'version("{version}")',
                 f"scripts/packaging/easybuild/Hopscotch-{version}-gompi-2023b.eb": f'version = "{version}"'}
    for name, text in followers.items():
        path = ROOT / name
        if not path.is_file() or text not in path.read_text(encoding="utf-8"):
            yield f"{name}: {text.strip()!r} is missing (the version of meson.build)"


def main():
    errors = [*include_errors(), *room_errors(), *cycle_errors(), *type_errors(), *retired_errors(), *pasted_errors(),
              *length_errors(), *width_errors(), *license_errors(), *meson_errors(), *catch2_errors(),
              *counter_errors(), *documentation_errors(), *mutation_errors(), *version_errors()]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
