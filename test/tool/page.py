# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a report, taken apart: what it shows, one piece after the other."""

from html.parser import HTMLParser

PIECES = {"h1", "h2", "h3", "p", "dt", "dd", "tr", "svg"}


class Piece:
    """An element of the page: its text; of a table row the cells, of a drawing also its rectangles."""

    def __init__(self, name, attributes):
        self.name = attributes.get("class") or attributes.get("aria-label") or name
        self.texts = []  # of what is inside, one by one
        self.bars = []  # attributes of rectangles, and "title"

    def text(self):
        return " | ".join(self.texts)


class Page(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.pieces = []
        self.inside = []  # elements around what comes next
        self.feed(html[html.index("<body>"):html.index("</html>")])

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in PIECES or attributes.get("class") == "tile":
            self.pieces.append(Piece(tag, attributes))
        if tag == "rect":
            self.pieces[-1].bars.append({**attributes, "title": ""})
        self.inside.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        self.inside.pop()

    def handle_data(self, data):
        if not data.strip():
            return
        if self.inside[-1] == "title":
            self.pieces[-1].bars[-1]["title"] = data
        else:
            self.pieces[-1].texts.append(data)
