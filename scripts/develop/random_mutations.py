# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Faults made by rule from the sources themselves: for scripts/develop/mutate --random."""

import pathlib
import random
import re

from mutation_list import Mutation

SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-",
           "-": "+"}

NO_ORDER = r"(?!\S*\bb\b\S*; \})"  # equal elements may be sorted in any order

# (name, pattern of the text that is replaced, its replacement). Patterns see lines without comments and strings.
RULES = (
    ("a condition is negated", re.compile(r"\bif \((?P<old>[^;{}]+)\)(?=( \{)?$)"), lambda old: f"!({old})"),
    ("a comparison is another one", re.compile(r" (?P<old><=?|>=?|==|!=) (?=\S)" + NO_ORDER), SWAPPED.get),
    ("and is or, or is and", re.compile(r" (?P<old>&&|\|\|) "), SWAPPED.get),
    ("plus is minus, or minus is plus", re.compile(r"(?<=[\w)\]]) (?P<old>[+-]) "), SWAPPED.get),
    ("a call is left out", re.compile(r"^ +(?P<old>(?!return\b|delete\b|throw\b)[A-Za-z_][\w:.>\[\]-]*\([^{}]*\);)$"),
     lambda old: "{}"),
    ("a number is one more", re.compile(r"(?<![\w.])(?P<old>\d+)(?![\w.])"), lambda old: str(int(old) + 1)),
    # It makes no difference to std::min, std::max and std::swap.
    ("two arguments change places",
     re.compile(r"(?<=[(,])(?<!\bmin\()(?<!\bmax\()(?<!\bswap\()(?P<old> ?\w+, \w+)(?=[,)])"),
     lambda old: " " * old.startswith(" ") + ", ".join(reversed(old.strip().split(", ")))),
)
LEFT_OUT = re.compile(r"^\s*(#|//|static_assert|namespace|template|using |extern )"
                      r"|\b(reserve|prefetch\w*|shrink_to_fit|log|__builtin_expect)\(|gnu::|alignas\(")


def without_words(line):
    """Comments, strings and characters become others, and std::min<int>( becomes min(; places in the line stay."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda found: "@" * len(found[0]), line)
    line = re.sub(r"\b(min|max)(<[\w:]+>)\(", lambda found: " " * len(found[2]) + f"{found[1]}(", line)
    return re.sub(r"\s*//.*", "", line)


def faults_of_line(line):
    """(description, mutated line) of each fault that a rule makes in it."""
    if LEFT_OUT.search(line):
        return
    for what, pattern, replacement in RULES:
        for found in pattern.finditer(without_words(line)):
            begin, end = found.span("old")
            yield what, line[:begin] + replacement(line[begin:end]) + line[end:]


def with_surroundings(lines, at):
    """(first, last): the fewest lines around one that occur once in the file."""
    text = "\n".join(lines)
    for around in range(len(lines)):
        first, last = max(0, at - around), min(len(lines), at + around + 1)
        if text.count("\n".join(lines[first:last])) == 1:
            return first, last
    return 0, len(lines)


def faults_of_file(root, name):
    lines = (root / name).read_text(encoding="utf-8").split("\n")
    for at, line in enumerate(lines):
        for what, changed in faults_of_line(line):
            first, last = with_surroundings(lines, at)
            yield Mutation(name, f"line {at + 1}, {what}", "\n".join(lines[first:last]),
                           "\n".join(lines[first:at] + [changed] + lines[at + 1:last]), ())


def sources(root, places):
    """The names of these files, and of the .cpp in these folders: a fault in a header means to compile for minutes."""
    for place in places:
        path = root / place
        found = [path] if path.is_file() else sorted(path.rglob("*.cpp"))
        if not found:
            raise SystemExit(f"mutate: {place}: no such file, and no folder with C++ sources")
        yield from (str(file.relative_to(root)) for file in found)


def random_faults(root, places, seed):
    """Endless, in an order that the seed gives; each rule is as probable as each other one. No fault comes twice."""
    by_rule = {}
    for name in sources(pathlib.Path(root), places):
        for fault in faults_of_file(root, name):
            by_rule.setdefault(fault.what.split(", ", 1)[1], []).append(fault)
    generator = random.Random(seed)
    for faults in by_rule.values():
        generator.shuffle(faults)
    while by_rule:
        rule = generator.choice(sorted(by_rule))
        yield by_rule[rule].pop()
        if not by_rule[rule]:
            del by_rule[rule]
