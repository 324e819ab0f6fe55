# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the faults of random_mutations.py into a source, to choose one at run time (fault.hpp): for fault_map.py.

A fault has a number, a file, a line and a description. No line moves, so that the compiler's messages name the lines of
the original. Faults in declarations, preprocessor lines and pure virtual functions have no such form and are left out.
"""

import re
from typing import NamedTuple

from random_mutations import LEFT_OUT, RULES, without_words

SPACE = "hopscotch_faults::"
NAMES = {"<": ("<", "Less"), "<=": ("<", "LessEqual"), ">": ("<", "Greater"), ">=": ("<", "GreaterEqual"),
         "==": ("==", "Equal"), "!=": ("==", "Unequal"), "+": ("+", "Plus"), "-": ("+", "Minus")}
LOGIC = re.compile(r"(?<=\s)(&&|\|\|)(?=\s)")
DECLARES = re.compile(r"\((const |explicit |[\w:]+(<[^()]*>)?[&*]* [&*]?\w+[,)])")
DECLARED = re.compile(r"(const )?[\w:<>]+[&*]? (const )?[*&]?\w+ = ")
PURE = re.compile(r"\)[\w\s]*= 0;")
OPENING, CLOSING = "([{", ")]}"
LAMBDA = "[&]() -> bool { return static_cast<bool>("


class Fault(NamedTuple):
    number: int
    file: str
    line: int
    what: str


class Edit(NamedTuple):
    """A part of the text is replaced; of edits at the same place those of a lower rank stand further to the left."""
    begin: int
    end: int
    rank: int
    text: str


def is_boundary(text, at):
    """True for what stands between expressions: , ; ? and a : or = that is no part of a longer operator."""
    sign = text[at]
    if sign == ":":
        return text[at - 1] != ":" and text[at + 1:at + 2] != ":"
    if sign == "=":
        return text[at - 1] not in "=!<>" and text[at + 1:at + 2] != "="
    return sign in ",;?"


def extent(text, at):
    """(begin, end) of the logical expression around an operator, without blanks at its ends."""
    depth, begin = 0, at
    while begin > 0:
        sign = text[begin - 1]
        depth += (sign in CLOSING) - (sign in OPENING)
        if depth < 0 or depth == 0 and (is_boundary(text, begin - 1) or sign == "}" or
                                        text.endswith("return ", 0, begin)):
            break
        begin -= 1
    depth, end = 0, at
    while end < len(text):
        depth += (text[end] in OPENING) - (text[end] in CLOSING)
        if depth < 0 or depth == 0 and is_boundary(text, end):
            break
        end += 1
    inside = text[begin:end]
    return begin + len(inside) - len(inside.lstrip()), end - len(inside) + len(inside.rstrip())


def at_top(text, begin, end):
    """The operators && and || between two places that stand in no parentheses there."""
    for found in LOGIC.finditer(text, begin, end):
        before = text[begin:found.start()]
        if sum(before.count(sign) for sign in OPENING) == sum(before.count(sign) for sign in CLOSING):
            yield found


class Writer:
    """The faults of a text, numbered from `first` on."""

    def __init__(self, file, text, first, refused=()):
        self._file = file
        self._refused = refused  # lines on which the compiler takes no such fault
        self._next = first
        self._text = text
        lines = text.split("\n")
        self._lines = ["" if LEFT_OUT.search(line) or PURE.search(line) else without_words(line) for line in lines]
        self._clean = "\n".join(clean.ljust(len(line)) for clean, line in zip(self._lines, lines))
        self.faults = []
        self.left_out = 0 # with no form that the compiler takes
        self._edits = []

    def written(self):
        """The text with all its faults."""
        seen = set()
        offset = 0
        for number, (clean, line) in enumerate(zip(self._lines, self._text.split("\n")), 1):
            for what, pattern, _ in reversed(RULES): # arguments that change places are no numbers
                for found in pattern.finditer(clean):
                    if number in self._refused:
                        self.left_out += 1
                    else:
                        begin, end = (offset + place for place in found.span("old"))
                        self._add(what, number, begin, end, seen)
            offset += len(line) + 1
        text = self._text
        for edit in sorted(self._edits, key=lambda edit: (edit.begin, edit.rank), reverse=True):
            text = text[:edit.begin] + edit.text + text[edit.end:]
        return text

    def _new(self, line, what):
        self.faults.append(Fault(self._next, self._file, line, what))
        self._next += 1
        return self.faults[-1].number

    def _number(self, line, old):
        number = self._new(line, f"a number is one more ({old})")
        return f"({old} + {SPACE}made({number}))"

    def _add(self, what, line, begin, end, seen):
        old = self._clean[begin:end]
        if what == "a condition is negated":
            if DECLARED.match(old):
                return
            number = self._new(line, what)
            self._around(begin, end, 0, f"{SPACE}made({number}) != static_cast<bool>(", ")")
        elif old in NAMES:
            around, name = NAMES[old]
            number = self._new(line, f"{what} ({old})")
            self._edits.append(Edit(begin, end, 5, f"{around} {SPACE}{name}{{{number}}} {around}"))
        elif what == "and is or, or is and":
            self._add_logic(what, begin, seen)
        elif what == "a call is left out":
            before = (without_words(text).rstrip() for text in reversed(self._text.split("\n")[:line - 1]))
            ended = next(filter(None, before), ";").endswith((";", "{", "}", ")", "else", ":"))
            if DECLARES.search(old) or not ended:
                return # a declaration, or the rest of a statement
            number = self._new(line, what)
            self._around(begin, end - 1, 1, f"{SPACE}made({number}) ? static_cast<void>(0) : static_cast<void>(", ")")
        elif what == "a number is one more":
            if self._text[begin - 1] not in "'\"" and not any(edit.begin <= begin < edit.end for edit in self._edits):
                self._edits.append(Edit(begin, end, 5, self._number(line, old)))
        else:
            self._add_swap(what, line, begin, end)

    def _add_swap(self, what, line, begin, end):
        first, second = self._clean[begin:end].strip().split(", ")
        if first == second:
            return
        number = self._new(line, what)
        first, second = (self._number(line, word) if word.isdigit() else word for word in (first, second))
        blank = " " * self._clean[begin:end].startswith(" ")
        self._edits.append(Edit(begin, end, 5, f"{blank}{SPACE}either({number}, {first}, {second}), "
                                f"{SPACE}either({number}, {second}, {first})"))

    def _add_logic(self, what, at, seen):
        begin, end = extent(self._clean, at)
        if begin in seen:
            return
        seen.add(begin)
        operators = list(at_top(self._clean, begin, end))
        lines = [self._clean.count("\n", 0, found.start()) + 1 for found in operators]
        first, last = (self._clean.count("\n", 0, place) + 1 for place in (begin, end))
        if any(first <= line <= last for line in self._refused):
            self.left_out += sum(line not in self._refused for line in lines)
            return
        numbers = [self._new(line, what) for line in lines]
        signs = "".join(found[0][0] for found in operators)
        for found in operators:
            self._edits.append(Edit(*found.span(), 5, "); }, " + LAMBDA))
        self._around(begin, end, 2, f'{SPACE}logic({numbers[0]}, "{signs}", {LAMBDA}', "); })")

    def _around(self, begin, end, rank, before, after):
        """Insertions: what stands further outside has a lower rank, so its end comes later."""
        self._edits.append(Edit(begin, begin, rank, before))
        self._edits.append(Edit(end, end, -rank, after))
