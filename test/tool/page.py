# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a report, taken apart: its contents, and, if node is installed, the output of its script."""

import json
import pathlib
import shutil
import subprocess
from html.parser import HTMLParser

from support import PATIENCE

VOID = {"meta"}
PIECES = {"h1", "h2", "h3", "p", "dt", "dd", "tr", "svg", "summary"}


class Page(HTMLParser):
    """Elements of the page as it is written; its tags must match."""

    def __init__(self, html):
        super().__init__()
        self.texts = {}  # texts inside elements of one name, one after the other
        self.attributes = []  # attributes of all elements
        self.inside = []
        self.problem = None
        self.feed(html)
        self.close()
        if self.inside:
            self.problem = f"{self.inside} are open at the end"

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in VOID:
            self.inside.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        if not self.inside or self.inside.pop() != tag:
            self.problem = self.problem or f"</{tag}> at line {self.getpos()[0]}"

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside[-1]][-1] += data


class Piece:
    """An element that the script has made: its texts one by one; of a table row those of the cells; bars and cells of
    drawings are attributes and "title"."""

    def __init__(self, name, attributes):
        self.name = attributes.get("class") or attributes.get("aria-label") or name
        self.texts = []
        self.bars = []

    def text(self):
        return " | ".join(self.texts)


def pieces_of(element, pieces):
    name, attributes, children = element
    if name in PIECES or attributes.get("class", "").startswith("tile"):
        if attributes.get("class") != "tiles":
            pieces.append(Piece(name, attributes))
    if name in ("rect", "i"):
        title = children[0][2][0] if children else ""
        pieces[-1].bars.append({**attributes, "title": title})
        return pieces
    for child in children:
        if isinstance(child, list):
            pieces_of(child, pieces)
        elif child.strip():
            pieces[-1].texts.append(child.strip())
    return pieces


def shown(path):
    """The output of the script: {"milliseconds", "hidden", "sorts", "pieces"}; None without node."""
    if shutil.which("node") is None:
        return None
    script = pathlib.Path(__file__).with_name("page_script.js")
    made = subprocess.run(["node", str(script), str(path)], stdout=subprocess.PIPE, text=True, check=True,
                          timeout=PATIENCE)
    result = json.loads(made.stdout)
    result["pieces"] = pieces_of(result["page"], [])
    return result
