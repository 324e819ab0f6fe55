# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of reports that no test has a machine for: made of the report of a run, and checked if node is installed."""

import itertools
import json
import pathlib

from page import shown as shown_by_script

SCHEDULE = "messages of one process, phase by phase"
DRAWINGS = ("process grid", "stencil", SCHEDULE)


def grid_of(graph, extents, periodic, radius):
    """The graph as one with the neighbors of a whole box, on a process grid."""
    offsets = [list(offset) for offset in itertools.product(range(-radius, radius + 1), repeat=len(extents))
               if any(offset)]
    volume = sum(sum(shift != 0 for shift in offset) for offset in offsets)
    return {**graph, "grid": {"dims": extents, "periodic": [periodic] * len(extents),
                             "wraps": [periodic] * len(extents), "found": "hint"},
            "stencil": {"name": "moore", "radius": radius, "neighbors": len(offsets), "offsets": offsets},
            "rounds": 2 * radius * len(extents), "volume": volume, "isomorphic": True}


class MadePages:
    """The graph of the report with most operations."""

    def __init__(self, setup, directory, report):
        self.setup = setup
        self.check = setup.check
        self.document = pathlib.Path(directory, "made.json")
        self.report = report
        self.graph = max(report["graphs"], key=lambda each: len(each["operations"]))

    def page(self, graphs, **members):
        """The contents of the page of the report with these graphs."""
        page = self.document.with_suffix(".html")
        made = [{**graph, "id": i + 1} for i, graph in enumerate(graphs)]
        report = {name: value for name, value in self.report.items() if name != "groups"}  # like those of an older
                                                                                           # version
        self.document.write_text(json.dumps({**report, **members, "graphs": made}), encoding="utf-8")
        written = self.setup.tool("report", self.document, "-o", page)
        self.check(written.returncode == 0, "a page of a report that was made up", written.stderr)
        return shown_by_script(page)

    def check_thousand_graphs(self, many):
        self.check(many["milliseconds"] < 2000, "page: a thousand graphs are shown in time", many["milliseconds"])
        self.check(["The first 30 of 1000.", "show all"] in [piece.texts for piece in many["pieces"]],
                   "page: a thousand graphs are no thousand rows")

    def check_verdicts(self):
        """The saved time looks no better than the verdict."""
        self.page([self.graph])
        page = self.document.with_suffix(".html")
        html = page.read_text(encoding="utf-8")
        for verdict, level in (("faster", ""), ("slower", "warn"), ("no difference", "unknown"),
                               ("not compared", "unknown")):
            before, begin, rest = html.partition('id="report">')
            document, end, after = rest.partition("</script>")
            members = json.loads(document)
            compared = verdict != "not compared"
            members["gain"].update(verdict=verdict, compared_calls=4 if compared else 0, text="TEXT")
            page.write_text(before + begin + json.dumps(members) + end + after, encoding="utf-8")
            tile = next(piece for piece in shown_by_script(page)["pieces"] if piece.name.startswith("tile"))
            self.check(tile.name == f"tile {level}" and tile.texts[0] == (verdict if compared else "not measured")
                       and "TEXT" in tile.text(),
                       f"page: what was saved where the verdict is {verdict}", f"{tile.name}: {tile.text()}")

    def check_alone(self):
        """If no trial compared calls, an exchange by itself stands for them."""
        operation = {**self.graph["operations"][0], "algorithm": "shared", "payload_bytes": 7}
        alone = {"function": operation["function"], "algorithm": "shared", "block_bytes": 64, "exchanges": 50,
                 "time_s": 1.21e-5, "native_time_s": 4.1e-5}
        pieces = self.page([{**self.graph, "operations": [operation], "trials": [], "alone": [alone]}])["pieces"]
        tile = next(piece for piece in pieces if piece.name.startswith("tile"))
        self.check("12.1" in tile.text() and "41.0" in tile.text() and "overlap" in tile.text(),
                   "page: an exchange by itself", tile.text())
        self.check(any(piece.name == "tr" and "12.1" in piece.text() for piece in pieces),
                   "page: the row of an exchange by itself")

    def check_drawings(self, extents, periodic, radius, number):
        made = grid_of(self.graph, extents, periodic, radius)
        pieces = self.page([made])["pieces"]
        drawings = {piece.name: piece for piece in pieces if piece.name in DRAWINGS}
        self.check(len(drawings) == number, f"page: drawings of {extents}", str(list(drawings)))
        blocks = [int(bar["title"].split()[0]) for bar in drawings[SCHEDULE].bars]
        self.check(len(blocks) == 2 * made["rounds"] and sum(blocks) == made["volume"],
                   f"page: messages in the grid {extents}", str(blocks))

    def check_all(self):
        many = self.page([{**self.graph, "call_site": [f"make_{i} (halo.c:{i})"]} for i in range(1000)])
        if many is None:
            return
        self.check_thousand_graphs(many)
        self.check_verdicts()
        self.check_alone()
        for extents, periodic, radius, number in (([7], True, 2, 3), ([5, 6], False, 1, 3), ([4, 4, 5], True, 1, 3),
                                                  ([9, 9, 20], False, 3, 3), ([3, 3, 3, 3], True, 1, 1),
                                                  ([20], True, 7, 2)):
            self.check_drawings(extents, periodic, radius, number)
        for bare in ({"grid": None, "stencil": None, "isomorphic": False}, {"call_site": []},
                     {"stencil": {"name": "custom", "radius": 9, "neighbors": 2000, "offsets": None}}):
            self.check(self.page([{**self.graph, **bare}])["hidden"], f"page: a graph that lacks {list(bare)}")
        self.check(self.page([])["hidden"], "page: no graph")
        nowhere = self.page([{**self.graph, "call_site": []}], settings={"HOPSCOTCH_CALLSITES": "off"})
        self.check(any("was not looked for" in piece.text() for piece in nowhere["pieces"]),
                   "page: a place that was not looked for")
