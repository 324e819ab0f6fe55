# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the installed headers: the Hop_ functions, constants and structures they declare, with their comments. For
files generated from them.

    for header in read_headers():
        for function in header.functions:
            print(header.name, function.result, function.name, [parameter.name for parameter in function.parameters])

It knows the style of our own headers only; anything else there is an error that names file and line."""

import pathlib
import re
from dataclasses import dataclass, field

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
MAIN = "hopscotch.h"

NAME = r"[A-Za-z]\w*"
TYPE = rf"(?:const )?(?:unsigned long long|{NAME})(?: ?\*)*"
FUNCTION = re.compile(rf"({TYPE}) ?(Hop_\w+)\(([^()]*)\);")
DECLARATION = re.compile(rf"({TYPE}) ?\b({NAME})(\[\])?")
STRUCTURE = re.compile(r"typedef struct (Hop_\w+) \{(.*?)\} \1;", re.DOTALL)
MEMBER = re.compile(r"([^;*]+);\s*(/\*\*<.*?\*/)", re.DOTALL)
CONSTANT = re.compile(r"#define (HOP_\w+) (\S+)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Parts that a program does not see: guards, other definitions, the frame for C++.
FRAME = re.compile(r'#(?:ifndef|ifdef|endif|include|define)\b[^\n]*|extern "C" \{|\}')


class HeaderError(Exception):
    """Something in a header that is not understood; names its place."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function, or a member of a structure, which has a comment."""
    type: str  # without the brackets of an array: "const int", "MPI_Comm*"
    name: str
    is_array: bool = False
    comment: str = ""


@dataclass(frozen=True)
class Function:
    name: str
    result: str  # its type
    parameters: tuple
    comment: str  # in front of it, or of the function before it; may be empty in a group
    group: str  # the comment in front of its group of functions; empty outside of groups
    header: "Header" = field(repr=False, compare=False)


@dataclass(frozen=True)
class Constant:
    name: str
    value: str
    comment: str


@dataclass(frozen=True)
class Structure:
    name: str
    members: tuple  # each a Parameter
    comment: str


@dataclass(eq=False)
class Header:
    name: str  # the path in an include line: "hopscotch/cartesian.h"
    title: str  # its subject: its introduction up to the first colon or full stop
    introduction: str
    functions: list = field(default_factory=list)
    constants: list = field(default_factory=list)
    structures: list = field(default_factory=list)


def read_headers(include=INCLUDE):
    """hopscotch.h and the headers it includes, in its order. Throws: HeaderError."""
    text = (include / MAIN).read_text(encoding="utf-8")
    names = [MAIN, *re.findall(r"^#include <(hopscotch/\w+\.h)>$", text, re.MULTILINE)]
    return [read_header(include / name, name) for name in names]


def read_header(path, name):
    """One of them. Throws: HeaderError."""
    reader = Reader(path.read_text(encoding="utf-8"), name)
    reader.read()
    return reader.header


def plain(comment):
    """The text of a comment: one line per paragraph or entry of a list."""
    text = re.sub(r"^/\*\*?<?|\*/$|SPDX-.*", "", comment)
    text = re.sub(r"\n *\* ?", "\n", text).strip()
    text = re.sub(r"\n(?=- )", "\n\n", text)
    return "\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))


class Reader:
    """Goes through the text of a header from one piece to the next."""

    def __init__(self, text, name):
        self.text = text
        self.place = 0
        self.comment = self.group = ""
        opening = COMMENT.match(text)
        if opening is None:
            self.header = Header(name, "", "")
            self.fail()
        introduction = plain(opening[0])
        self.header = Header(name, re.split(r"[:.](?:\s|$)", introduction, maxsplit=1)[0], introduction)
        self.place = opening.end()
        self.ends_group = False

    def fail(self):
        line = self.text.count("\n", 0, self.place) + 1
        raise HeaderError(f"{self.header.name}:{line}: not understood: {self.text[self.place:].split(chr(10), 1)[0]}")

    def read(self):
        self.skip_space()
        pieces = ((COMMENT, self.take_comment), (FUNCTION, self.take_function), (STRUCTURE, self.take_structure),
                  (CONSTANT, self.take_constant), (FRAME, lambda found: None))
        while self.place < len(self.text):
            for pattern, take in pieces:
                found = pattern.match(self.text, self.place)
                if found:
                    take(found)
                    self.place = found.end()
                    break
            else:
                self.fail()
            self.skip_space()

    def skip_space(self):
        space = re.compile(r"\s*").match(self.text, self.place)
        # A group ends with the empty line behind its functions.
        if space[0].count("\n") > 1 and self.ends_group:
            self.group = self.comment = ""
            self.ends_group = False
        self.place = space.end()

    def take_comment(self, found):
        if found[0].startswith("/**"):
            self.comment = plain(found[0])
        else:
            self.group, self.comment = plain(found[0]), ""
            self.ends_group = False

    def take_function(self, found):
        parameters = () if found[3] == "void" else tuple(self.declaration(text) for text in found[3].split(","))
        if not self.comment and not self.group:
            self.fail()
        self.header.functions.append(Function(found[2], found[1], parameters, self.comment, self.group, self.header))
        self.ends_group = bool(self.group)

    def take_structure(self, found):
        members = [self.declaration(text, plain(comment)) for text, comment in MEMBER.findall(found[2])]
        if len(members) != found[2].count(";"):
            self.fail()
        self.header.structures.append(Structure(found[1], tuple(members), self.comment))
        self.comment = ""

    def take_constant(self, found):
        self.header.constants.append(Constant(found[1], found[2], self.comment))

    def declaration(self, text, comment=""):
        found = DECLARATION.fullmatch(" ".join(text.split()))
        if found is None:
            self.fail()
        return Parameter(found[1].replace(" *", "*"), found[2], found[3] is not None, comment)
