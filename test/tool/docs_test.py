# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Links in README and docs lead somewhere, and files they name are there."""

import re

from support import ROOT, Setup

setup = Setup()
check = setup.check
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


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
setup.finish()
