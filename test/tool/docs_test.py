# SPDX-License-Identifier: BSD-3-Clause
"""Links in README and docs lead somewhere; commands marked with <!-- runs --> run as printed."""

import os
import pathlib
import re
import subprocess
import tempfile

from support import ROOT, Setup

setup = Setup()
check = setup.check
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def marked_commands(text):
    """Blocks of indented lines after the mark."""
    for block in re.findall(r"^<!-- runs -->\n\n((?:    .*\n|\n(?=    ))+)", text, re.MULTILINE):
        yield "\n".join(line[4:] for line in block.splitlines())


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

with tempfile.TemporaryDirectory() as directory:
    build = pathlib.Path(setup.paths.library).resolve().parent.parent
    for name, target in (("scripts", ROOT / "scripts"), ("test", ROOT / "test"), ("build", build)):
        pathlib.Path(directory, name).symlink_to(target)
    number = 0
    for page in PAGES:
        for commands in marked_commands(page.read_text(encoding="utf-8")):
            number += 1
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=directory, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=100,
                                  check=False, env={**os.environ, **setup.crowd(99)})
            check(done.returncode == 0, f"{page.name}: status {done.returncode} of\n{commands}", done.stdout)
    check(number >= 5, f"only {number} blocks of commands are marked as runnable")
setup.finish()
