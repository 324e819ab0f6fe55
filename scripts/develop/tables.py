# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of documents that are made from rows in the sources: tables.py"""

import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 120


def rows(path, macro):
    """The arguments of every row of that macro, texts without their quotes."""
    found = re.findall(rf"^{macro}\((.*?)\)$", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [[text or word for text, word in re.findall(r'"([^"]*)"|(\w+)', row)] for row in found]


def table_row(*cells):
    return "| " + " | ".join(cells) + " |"


def reason_row(text, *cells):
    """The text may be too long for a line: then it is its beginning and three dots."""
    words = text.split()
    while len(table_row(text, *cells)) > COLUMNS:
        words.pop()
        text = " ".join(words) + " ..."
    return table_row(text, *cells)


def with_table(page, heading, lines):
    """The page with these lines in the first table below the heading."""
    pattern = rf"(\n#+ {heading}\n(?:(?!\|).*\n)*\|.*\n\|.*\n)((?:\|.*\n)*)"
    return re.sub(pattern, lambda found: found[1] + "".join(line + "\n" for line in lines), page, count=1)


def report_page(page):
    for heading, macro in (("Reasons", "REASON"), ("No memory is shared", "REFUSAL")):
        lines = [reason_row(*cells) for _, *cells in rows("schedules/selection/reasons.def", macro)]
        page = with_table(page, heading, lines)
    return page


def algorithms():
    """Names, auto first."""
    return [name for _, name, *_ in rows("schedules/plan/algorithm.def", "ALGORITHM")]


def settings_page(page):
    lines = [table_row(f"`{name}`", text) for _, name, _, _, text in rows("schedules/plan/algorithm.def", "ALGORITHM")]
    page = re.sub(r"(`HOPSCOTCH_ALGORITHM` \()[^)]*\)",
                  lambda found: found[1] + " ".join(f"`{name}`" for name in algorithms()) + ")", page, count=1)
    return with_table(page, "Algorithms", lines)


def man_page(page):
    """Its section SETTINGS has a paragraph for each row of settings.def."""
    source = (ROOT / "shim/base/settings.def").read_text(encoding="utf-8")
    paragraphs = ""
    row = re.compile(r'^SETTING\("(\w+)", "([^"]*)",\s*((?:"[^"]*"\s*)+),', re.MULTILINE)
    for name, values, meaning in row.findall(source):
        values = values.replace("ALGORITHMS", ", ".join(algorithms()))
        meaning = textwrap.fill("".join(re.findall(r'"([^"]*)"', meaning)), COLUMNS)
        paragraphs += f'.TP\n.BR {name} " = {values}"\n{meaning}\n'
    return re.sub(r"(?<=version\.\n)\.TP\n.*?(?=\.SH EXAMPLES)", lambda _: paragraphs, page, count=1, flags=re.DOTALL)


def schema(page):
    """A list of algorithms has all that carry, but for native where that is not possible."""
    carriers = ", ".join(f'"{name}"' for name in algorithms()[2:])
    return re.sub(r'("algorithm": \{"enum": \[(?:"native", )?)[^\]]*', lambda found: found[1] + carriers, page)


MAKERS = {"docs/report.md": report_page, "docs/report.schema.json": schema, "docs/settings.md": settings_page,
          "docs/hopscotch.7": man_page}


def changed():
    """The pages that are not as they should be, with what they should be."""
    for name, make in MAKERS.items():
        page = (ROOT / name).read_text(encoding="utf-8")
        if (made := make(page)) != page:
            yield name, made


if __name__ == "__main__":
    for path, text in changed():
        (ROOT / path).write_text(text, encoding="utf-8")
        print(path)
