# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The form of entries of the reference: as one page and as man pages."""

import itertools
import re
import textwrap

WIDTH = 120
LICENSE = """\
.\\" SPDX-FileCopyrightText: 2026 The Hopscotch authors
.\\" SPDX-License-Identifier: BSD-3-Clause
"""
# Code in a comment: names, headers, expressions with a star, options and values in quotes stay as they are.
CODE = re.compile(r"<[\w./]+>|(?<![\w`])\*\w+|\b(?:Hop|HOP|MPI|HOPSCOTCH)_\w+(?:=\w+)?|\bHOPSCOTCH=\w+")


def signature(function, width=WIDTH - 4):
    """The declaration, broken between parameters."""
    parameters = [f"{one.type} {one.name}{'[]' if one.is_array else ''}" for one in function.parameters] or ["void"]
    begin = f"{function.result} {function.name}("
    lines = [begin]
    for place, parameter in enumerate(parameters):
        piece = parameter + (", " if place + 1 < len(parameters) else ");")
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1].strip():
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * len(begin))
        lines[-1] += piece
    return lines


def sentences(texts):
    return [text if text.endswith(".") else text + "." for text in texts]


# ---- the page


def marked(text):
    """Code as code; stars that would begin emphasis are escaped."""
    pieces, place = [], 0
    for found in CODE.finditer(text):
        pieces += [text[place:found.start()].replace("*", "\\*"), f"`{found[0]}`"]
        place = found.end()
    return "".join([*pieces, text[place:].replace("*", "\\*")])


def wrapped(text, begin="", after=""):
    return textwrap.wrap(marked(text), WIDTH, initial_indent=begin, subsequent_indent=after, break_long_words=False,
                         break_on_hyphens=False)


def paragraphs(texts):
    for text in texts:
        yield from wrapped(text[2:], "* ", "  ") if text.startswith("- ") else wrapped(text)
        yield ""


def linked(name):
    return f"[{name}](#{name.lower()})"


def entry_lines(entry):
    yield from (f"### {entry.function.name}", "")
    yield from ("    " + line for line in signature(entry.function))
    yield ""
    yield from paragraphs(entry.text)
    yield from wrapped(*sentences([entry.together]))
    yield ""
    for title, texts in (("Shapes", entry.shapes), ("Errors", entry.errors or ["None of its own"])):
        if texts:
            yield from wrapped(f"{title}: {' '.join(sentences(texts))}")
            yield ""
    yield from ("Example:", "")
    yield from ("    " + line if line else "" for line in entry.example.splitlines())
    yield ""
    if entry.see_also:
        table = "; [names that look alike](#names-that-look-alike)" if entry.looks_alike else ""
        yield from textwrap.wrap("See also: " + ", ".join(map(linked, entry.see_also)) + table + ".", WIDTH,
                                 break_on_hyphens=False)
        yield ""


def markdown(reference):
    lines = ["# Reference", "", "<!-- written by scripts/develop/reference.py from the comments of the headers -->", ""]
    lines += ["All functions of `<hopscotch.h>`. Which name of a paper each stands for: docs/interfaces.md.",
              ""]
    lines += ["## Index", ""]
    for header in reference.headers:
        names = ", ".join(linked(function.name) for function in header.functions)
        lines += wrapped(f"<{header.name}>:") + textwrap.wrap(names + ".", WIDTH, break_on_hyphens=False) + [""]
    lines += ["## Names that look alike", ""]
    for name in itertools.chain(*reference.alike):
        lines += textwrap.wrap(f"{linked(name)}: {marked(reference.entries[name].first_sentence)}.", WIDTH,
                               initial_indent="* ", subsequent_indent="  ", break_long_words=False,
                               break_on_hyphens=False)
    lines += [""]
    for header in reference.headers:
        lines += [f"## {header.title}", ""]
        lines += list(paragraphs(header.introduction.splitlines()))
        group = ""
        for function in header.functions:
            if function.group != group:
                group = function.group
                lines += list(paragraphs(group.splitlines()))
            lines += list(entry_lines(reference.entries[function.name]))
    return "\n".join(lines).rstrip("\n") + "\n"


# ---- man pages


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def block(lines):
    return [".nf", *map(escaped, lines), ".fi"]


def section(title, lines):
    return [f".SH {title}", *lines] if lines else []


def flowing(texts):
    """Paragraphs, entries of lists indented."""
    lines = []
    for text in texts:
        if text.startswith("- "):
            lines += [".IP \\(bu 2", escaped(text[2:])]
        else:
            lines += [".PP"] * bool(lines) + [escaped(text)]
    return lines


def page(title, name, sections):
    lines = [f".TH {title} 3", ".SH NAME", name]
    return LICENSE + "\n".join([*lines, *(line for one in sections for line in one)]) + "\n"


def man_page(entry, group):
    function = entry.function
    see = [f".BR {name} (3)," for name in entry.see_also] + [".BR hopscotch (3)"]
    shapes, errors = sentences(entry.shapes), sentences(entry.errors or ["None of its own"])
    return page(function.name, f"{function.name} \\- {escaped(entry.first_sentence)}", [
        section("SYNOPSIS", block(["#include <hopscotch.h>", "", *signature(function, 78)])),
        section("DESCRIPTION", flowing([*entry.text, *group, *sentences([entry.together])])),
        section("SHAPES", flowing([" ".join(shapes)] if shapes else [])),
        section("ERRORS", flowing([" ".join(errors), "What holds for every function is in hopscotch(3)."])),
        section("EXAMPLE", block(entry.example.splitlines())),
        section("SEE ALSO", see)])


def overview(reference):
    main, *others = reference.headers
    lists = []
    for header in reference.headers:
        lists += [".SS " + escaped(header.title)]
        lists += [f".BR {function.name} (3)," for function in header.functions]
        lists[-1] = lists[-1].rstrip(",")
    alike = [line for group in reference.alike for name in group
             for line in (".TP", f".BR {name} (3)", escaped(reference.entries[name].first_sentence + "."))]
    introductions = [line for header in others for line in header.introduction.splitlines()]
    return page("hopscotch", "hopscotch \\- Hopscotch called by name", [
        section("SYNOPSIS", block(["#include <hopscotch.h>"])),
        section("DESCRIPTION", flowing([*main.introduction.splitlines(), *introductions])),
        section("FUNCTIONS", lists),
        section("NAMES THAT LOOK ALIKE", alike),
        section("SEE ALSO", [".BR hopscotch (1),", ".BR hopscotch (7)"])])
