# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Links in README and docs lead somewhere, files they name are there, and docs/report.md has every reason and every
member of a report."""

import json
import re

from support import ROOT, Setup

setup = Setup()
check = setup.check
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name) if name else page
            check(path.exists(), f"{page.name}: link to {target}")
            if path.exists() and anchor:
                check(anchor in anchors(path.read_text(encoding="utf-8")), f"{page.name}: no heading {target}")
        for path in re.findall(r"`((?:docs|include|schedules|scripts|shim|test)/[\w./-]+)", text):
            check((ROOT / path).exists() or list(ROOT.glob(path + ".*")), f"{page.name}: there is no {path}")


# Where reasons come from, and how the sources write them.
REASON_SOURCES = ("schedules/selection/agreement.cpp", "schedules/selection/selection_rules.cpp",
                  "schedules/selection/trial.hpp", "shim/call/*.[ch]pp", "shim/graph/*.cpp",
                  "shim/memory/memory_file.cpp", "shim/papers/*.cpp", "shim/report/summary.cpp", "shim/selection/*.cpp")
TEXT = r'((?:\s*"(?:[^"\\\n]|\\.)*")+)'
REASON = re.compile(r"(?:\bnatively\(|\bby\(Algorithm::\w+,|\bwithout_memory\(\w+,|"
                    r"\b(?:mark_as_native|passed_on|\w+_entry)\([^\";]*,|(?:\breason|unusable|declined) =|"
                    r"\bconstexpr (?:const char|std::string_view) \w+(?:\[\])? =|\breason\.empty\(\) \?)" + TEXT)
FUNCTION = re.compile(r"^std::string_view (?:\w+_reason|in_words)\(.*?^}", re.MULTILINE | re.DOTALL)


def reasons_of(source):
    text = source.read_text(encoding="utf-8")
    found = REASON.findall(text)
    for body in FUNCTION.findall(text):
        found += re.findall(r"\breturn" + TEXT, body)
    joined = {"".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literal)) for literal in found}
    return {reason for reason in joined if " " in reason or "=" in reason}


def check_reasons():
    """A row holds a reason, or its beginning and three dots."""
    reasons = set().union(*(reasons_of(source) for pattern in REASON_SOURCES for source in ROOT.glob(pattern)))
    page = (ROOT / "docs/report.md").read_text(encoding="utf-8")
    chapter = page.partition("## Reasons\n")[2].partition("\n## ")[0]
    rows = [row for row in re.findall(r"^\| ([^|]*?) \|", chapter, re.MULTILINE) if row != "reason"]
    check(len(reasons) > 20, "reasons are found in the sources", reasons)

    def tells(row, reason):
        return reason.startswith(row[:-4]) if row.endswith(" ...") else reason == row

    for reason in sorted(reasons):
        check(sum(tells(row, reason) for row in rows) == 1, f"docs/report.md: one row for the reason '{reason}'")
    for row in rows:
        check(any(tells(row, reason) for reason in reasons), f"docs/report.md: no source has the reason '{row}'")


def members_of(schema):
    if isinstance(schema, list):
        return set().union(*map(members_of, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})).union(*map(members_of, schema.values()))


def check_members():
    schema = json.loads((ROOT / "docs/report.schema.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs/report.md").read_text(encoding="utf-8").partition("## JSON\n")[2]
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", page))))
    members = members_of(schema)
    check(members <= told, "docs/report.md tells every member of the JSON", members - told)


check_links()
check_reasons()
check_members()
setup.finish()
