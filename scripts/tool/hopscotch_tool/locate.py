# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the library and the program behind the tool: named by the environment, beside the tool, or in a build."""

import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

from hopscotch_tool import elf, launched, say, status

OWN_SYMBOL = "Hop_counters"  # every library to preload exports it, and no other library
OWN_VARIABLES = ("HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN", "HOPSCOTCH_TOOL")


# Prints the files of mpi4py's extension, without loading them.
MPI4PY = ("import importlib.util, pathlib; found = importlib.util.find_spec('mpi4py'); "
          "[print(path) for place in (found.submodule_search_locations if found else []) "
          "for path in sorted(pathlib.Path(place).glob('MPI*.so'))]")


class Missing(Exception):
    """Something the tool needs is not there; the text gives a remedy."""


class NoLibrary(Missing):
    """The program's family of MPI libraries is known, and the library of ours for it is not here."""


def tool_directory():
    return pathlib.Path(sys.argv[0]).resolve().parent


def first_file(variable, patterns):
    told = os.environ.get(variable)
    if told:
        path = pathlib.Path(told)
        if not path.is_file():
            raise Missing(f"{variable} says {told}, but there is no such file")
        return path.resolve()
    here = tool_directory()
    for pattern in patterns:
        base, rest = here, pattern
        while rest.startswith("../"):
            base, rest = base.parent, rest[3:]
        found = sorted(path for path in base.glob(rest) if path.is_file())
        if found:
            return found[0].resolve()
    return None


def not_there(text):
    """The error for a part that was not found: in a source tree it is not built yet."""
    built = (tool_directory().parent / "meson.build").is_file()
    return Missing("Hopscotch is not built: meson setup build && meson compile -C build" if built else text)


def why_missing(path, option=""):
    """The reason that a part of Hopscotch is not there, and a remedy: it belongs to `path`, the library or a program,
    and the build needs this option."""
    build = next((str(parent) for parent in path.parents if (parent / "build.ninja").is_file()), None)
    if build is None:
        return (f"not installed with {path}" + (f": install a build with {option}" if option else
                                                ": install the build again, as a whole"))
    return "not built: " + (f"meson configure {build} {option}; " if option else "") + f"meson compile -C {build}"


LIBRARIES = {elf.MPICH: "libhopscotch.so", elf.OPEN_MPI: "libhopscotch_openmpi.so",
             elf.STANDARD_ABI: "libhopscotch_abi.so"}
OPTIONS = {elf.MPICH: "mpich", elf.OPEN_MPI: "openmpi", elf.STANDARD_ABI: "abi"}


def family_of_library(path):
    """The MPI family a library of ours is for, by its name."""
    name = pathlib.Path(path).name
    return next((family for family, library_name in LIBRARIES.items() if name.startswith(library_name)), elf.MPICH)


def how_to_get(family):
    """The remedy for a program that uses this family."""
    option = OPTIONS[family]
    directory = "build" if family == elf.MPICH else f"build-{option}"
    return f"{LIBRARIES[family]} is needed: meson setup {directory} -Dmpi={option}; meson compile -C {directory}"


def family_guessed(words, program):
    """The MPI family of a program that is not linked to MPI itself, but may load it or start a program that does: that
    of the launcher, else that of Python's mpi4py; None if neither tells."""
    if family := launched.family_of_launcher(words):
        return family
    if program is None or not re.match(r"python[0-9.]*$", program.name):
        return None
    shown = subprocess.run([str(program), "-c", MPI4PY], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, errors="replace", check=False).stdout
    return next(filter(None, (elf.mpi_family(elf.libraries(path)) for path in shown.splitlines())), None)


@functools.cache
def check_library(path):
    """Raises Missing if the library that the user has named is another one."""
    told = os.environ.get("HOPSCOTCH_LIBRARY")
    try:
        if not elf.defines(path, OWN_SYMBOL):
            raise Missing(f"HOPSCOTCH_LIBRARY says {told}, but that is no library of Hopscotch to preload")
    except elf.NotElf as error:
        raise Missing(f"HOPSCOTCH_LIBRARY says {told}, but {error}") from None
    except OSError as error:
        raise Missing(f"HOPSCOTCH_LIBRARY says {told}: {error.strerror}") from None


def library(words=()):
    """The library for the program of a command line; otherwise for the family that is guessed, for MPICH, or the one
    there is. Raises Missing."""
    program = elf.program_in(words)
    needed = elf.libraries(program) if program else ()
    wanted = elf.mpi_family(needed)
    guessed = LIBRARIES.get(None if wanted or os.environ.get("HOPSCOTCH_LIBRARY") else family_guessed(words, program))
    for name in [LIBRARIES[wanted]] if wanted else sorted(LIBRARIES.values(), key=lambda one: one != guessed):
        path = first_file("HOPSCOTCH_LIBRARY", (
            name, f"../lib/{name}*", f"../lib64/{name}*", f"../lib/*/{name}*", f"../lib/*/hopscotch/{name}*",
            f"../build/shim/{name}.0", f"../build*/shim/{name}.0"))
        if path is not None:
            if os.environ.get("HOPSCOTCH_LIBRARY"):
                check_library(path)
            return path
    if wanted:
        name = next(name for name in needed if elf.mpi_family([name]) == wanted)
        raise NoLibrary(f"{program} uses {wanted} ({name}): all its calls pass straight through. {how_to_get(wanted)}")
    raise not_there(f"libhopscotch.so is not beside {tool_directory()}, nor in ../lib*; "
                    "HOPSCOTCH_LIBRARY can say where it is")


def front_library(words=()):
    """The library to open for programs that look MPI up by a handle, and a remedy if it is not there. Raises
    Missing."""
    path = library(words)
    front = path.with_name(path.name.split(".so")[0] + "_front.so")
    return f"{front}" if front.is_file() else f"{front} ({why_missing(front)})"


def advise_library(words=()):
    """What hopscotch advise preloads. Raises Missing."""
    path = library(words)
    name = path.name.split(".so")[0] + "_advise.so"
    found = sorted([*path.parent.glob(name + "*"), *(path.parent / "advise").glob(name + ".0")])
    if not found:
        raise Missing(f"{path.parent / name}: {why_missing(path)}")
    return found[0]


def programs_beside(path, names, folder):
    """The programs that selftest or measure run with this library of ours; in a build they are in a folder of it.
    Raises Missing."""
    own = pathlib.Path(path).name.split(".so")[0]
    for directory in (tool_directory().parent / "libexec" / "hopscotch" / own, path.parent.parent / folder):
        programs = [directory / name for name in names]
        if all(program.is_file() for program in programs):
            return programs
    raise Missing(f"{' '.join(names)}: {why_missing(path, '-Dtests=enabled')}")


def explain_program():
    """hopscotch-explain. Raises Missing."""
    path = first_file("HOPSCOTCH_EXPLAIN", (
        "hopscotch-explain", "../libexec/hopscotch/hopscotch-explain", "../lib*/hopscotch/hopscotch-explain",
        "../lib/*/hopscotch/hopscotch-explain", "../build/scripts/tool/hopscotch-explain",
        "../build*/scripts/tool/hopscotch-explain"))
    if path is None:
        raise not_there(f"the program hopscotch-explain is not installed with {tool_directory()}/hopscotch")
    return path


def model_program():
    """hopscotch-model, which is installed with hopscotch-explain. Raises Missing."""
    beside = explain_program().parent
    for path in (beside / "hopscotch-model", beside.parent / "simulation" / "hopscotch-model"):
        if path.is_file():
            return path
    raise Missing(f"{beside / 'hopscotch-model'}: {why_missing(beside)}")


def environment_of_explain():
    """The environment of programs under the library: they find a file of defaults beside the library."""
    with contextlib.suppress(Missing):
        beside = library().parent / "hopscotch.conf"
        if beside.is_file():
            return {"HOPSCOTCH_CONFIG": str(beside), **{name: value for name, value in os.environ.items() if value}}
    return None


def explained(*arguments):
    """Runs hopscotch-explain, whose errors stand on stderr then. (exit status, bytes of its output)"""
    done = subprocess.run([str(explain_program()), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=False, env=environment_of_explain())
    return status.of_program(done.returncode), done.stdout


def explain(*arguments, capture=False):
    """Runs hopscotch-explain and prints its output; its exit status, or with capture the completed process."""
    if capture:
        return subprocess.run([str(explain_program()), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, env=environment_of_explain())
    answer, content = explained(*arguments)
    say.whole(content)
    return answer


def own_environment():
    """The tool's environment without the variables that only the tool reads."""
    return {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}


def command(words, path):
    """The command line with Hopscotch in front of the preloads that it gives a launcher or env by itself (-genv
    LD_PRELOAD x.so, -x LD_PRELOAD=x.so, --export=ALL,LD_PRELOAD=x.so): these take the place of the environment's."""
    path = str(path)
    program = elf.program_in(words)
    result = []
    for place, word in enumerate(words):
        if program is not None and shutil.which(word) == str(program):
            return result + words[place:]
        if path not in word and re.fullmatch("-{1,2}g?env", words[max(place - 2, 0)]) and result[-1:] == ["LD_PRELOAD"]:
            word = f"{path}:{word}"
        elif path not in word:
            word = re.sub(r"(^|[,=])LD_PRELOAD=", rf"\1LD_PRELOAD={path}:", word)
        result.append(word)
    return result


def environment(words, settings=None, path=None):
    """The environment of a command line that is to run under Hopscotch: existing preloads stay."""
    result = own_environment()
    path = str(path or library(words))
    if any(character in path for character in ": "):
        raise Missing(f"{path} cannot be preloaded: there is a blank or a colon in its name")
    others = [entry for entry in result.get("LD_PRELOAD", "").replace(" ", ":").split(":") if entry and entry != path]
    result["LD_PRELOAD"] = ":".join([path, *others])
    # The runtime of AddressSanitizer ends a program if it is not the first library. Ours defines nothing that it
    # replaces. That runtime in front of ours would come into launchers as well, and end those that leak memory with an
    # error.
    result["ASAN_OPTIONS"] = ":".join(filter(None, ["verify_asan_link_order=0", result.get("ASAN_OPTIONS")]))
    result.update(settings or {})
    return result
