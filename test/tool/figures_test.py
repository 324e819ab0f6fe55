# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text, page and JSON of one run agree: text and page show the texts of the JSON, each beside its figure, and these are
the figures rounded. The output of the page's script is checked if node is installed."""

import json
import math
import pathlib
import tempfile

from made_pages import MadePages
from page import Page, shown as shown_by_script
from support import check, setup

GRAPHS_IN_TEXT = 6
BAR_WIDTH = 50  # percent
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COUNTERS = ("calls", "bytes", "payload_bytes", "messages", "messages_trivial")


# ---- JSON

def is_rounded(text, value):
    """True if the text begins with the value, rounded as shown."""
    digits, unit = text.split()[:2]
    step = UNITS[unit] * 10.0 ** -len(digits.partition(".")[2])
    return abs(float(digits) * UNITS[unit] - value) <= step * 0.5 + 1e-9 * abs(value)


def spread_texts(times):
    """Total, mean, min and max."""
    words = times["text"].translate(str.maketrans("", "", "[]<>")).split()
    return [" ".join(words[i:i + 2]) for i in range(0, len(words), 2)]


def check_roundings(members):
    """Checks all records in it: a member NAME_text is the text of NAME."""
    if isinstance(members, list):
        for member in members:
            check_roundings(member)
    if not isinstance(members, dict):
        return
    figures = [(text, members[name[:-5]]) for name, text in members.items()
               if name.endswith("_text") and isinstance(members.get(name[:-5]), (int, float)) and members[name[:-5]]]
    if "variation" in members:
        figures += zip(spread_texts(members), (members[name] for name in ("total", "mean", "min", "max")))
    for text, value in figures:
        check(is_rounded(text, value), f"JSON: {text} is not {value}", str(members))
    for member in members.values():
        check_roundings(member)


def shown_graphs(report):
    """Each group, with the record of its graphs."""
    graphs = {graph["id"]: graph for graph in report["graphs"]}
    return [(group, group["sum"] or graphs[group["ids"][0]]) for group in report["groups"]]


def check_groups(report):
    graphs = {graph["id"]: graph for graph in report["graphs"]}
    check(sorted(id for group in report["groups"] for id in group["ids"]) == sorted(graphs), "JSON: graphs in groups")
    times = [group["time_s"] for group in report["groups"]]
    check(times == sorted(times, reverse=True), "JSON: the group with most time is the first", str(times))
    for group, shown in shown_graphs(report):
        alike = [graphs[id]["operations"] for id in group["ids"]]
        check((group["sum"] is None) == (len(alike) == 1), "JSON: the sum of several graphs", str(group))
        for name in COUNTERS:
            wanted = sum(operation[name] for operations in alike for operation in operations)
            check(wanted == group[name] == sum(operation[name] for operation in shown["operations"]),
                  f"JSON: {name} of a group", str(group))
        check(math.isclose(group["time_s"], sum(operation["time_s"]["total"] for operations in alike
                                                for operation in operations), abs_tol=1e-12), "JSON: time of a group")


# ---- text

def check_text(written, report):
    """Everything with a text in the JSON stands in the text report, in this order."""
    natives = [line for line in report["lines"] if line[0] in ("doubtful", "native")]
    wanted = ["hopscotch: report, version " + report["version"], "command " + report["command"],
              *map(" ".join, report["lines"][:len(report["lines"]) - len(natives)]),
              "bottom line " + report["bottom_line"], *map(" ".join, natives)]
    for group, graph in shown_graphs(report)[:GRAPHS_IN_TEXT]:
        wanted += [group["title"], *map(" ".join, group["lines"])]
        for operation in graph["operations"]:
            total, mean, least, most = spread_texts(operation["time_s"])
            wanted.append(" ".join([str(operation["calls"]), operation["per_call_text"],
                                    operation["payload_bytes_text"], operation["bytes_text"],
                                    str(operation["messages"]), str(operation["messages_trivial"]),
                                    f"[{total}] <{mean}> {least} {most}"]))
        for operation in graph["operations"]:
            wanted += [operation["reason"] or "", *(text for _, text in operation["lines"]),
                       *(site["time_s"]["text"] for site in operation["call_sites"])]
        trials = sorted(graph["trials"], key=lambda trial: (trial["function"], trial["block_bytes_most"]))
        wanted += [f"{trial['algorithm']} {trial['time_s_text']}" for trial in trials]
    wanted += ["what to try next: " + report["next_step"], "hopscotch: end of report"]
    left = " ".join(written.split())
    for text in filter(None, wanted):
        before, found, left = left.partition(" ".join(text.split()))
        check(found == " ".join(text.split()), f"text: no {text!r} in", before)


# ---- page

class Pieces:
    def __init__(self, pieces):
        self.left = pieces

    def take(self, name, texts=None):
        """The next piece, with just these texts."""
        if not self.left or self.left[0].name != name:
            check(False, f"page: no {name!r} but", self.left[0].name + ": " + self.left[0].text() if self.left
                  else "the end")
            return None
        piece = self.left.pop(0)
        check(texts is None or piece.texts == list(texts), f"page: not {texts} in {name}", piece.text())
        return piece

    def items(self, lines):
        for label, text in lines:
            self.take("dt", [label])
            self.take("dd", [text])

    def drawing(self, name):
        """Its texts are looked at by the caller."""
        self.take("h3")
        piece = self.left.pop(0) if self.left and self.left[0].name == name else None
        check(piece is not None, f"page: no drawing {name!r}")
        return piece

    def bars(self, piece, parts, most):
        """Bars are as long as their values say."""
        widths = [float(bar["style"].removeprefix("width: ").removesuffix("%")) for bar in piece.bars]
        wanted = [BAR_WIDTH * part / most if most else 0.0 for part in parts]
        check(len(widths) == len(wanted) and all(abs(a - b) < 0.01 for a, b in zip(widths, wanted)),
              "page: bars", f"{widths}, not {wanted}")


def check_page(path, text, document):
    """The page holds text and document, without any markup in them; its script shows the texts."""
    html = path.read_text(encoding="utf-8")
    page = Page(html)
    check(page.problem is None, f"page: tags do not match: {page.problem}")
    check(page.texts["pre"] == [text], "page: the text in it", str(page.texts["pre"]))
    check(len(page.texts["script"]) == 2, "page: scripts")
    check(json.loads(page.texts["script"][0]) == json.loads(document), "page: the document in it")
    check(not [pair for pair in page.attributes if pair[0] in ("src", "href") or pair[0].startswith("on")],
          "page: it loads nothing")
    shown = shown_by_script(path)
    if shown is None:
        print("skipped: what the script of the page shows is not looked at (apt-get install nodejs)")
        return
    check(shown["hidden"] and shown["sorts"], "page: text is hidden, columns sort their rows")
    check_shown(Pieces(shown["pieces"]), json.loads(document))


def check_tiles(page, report):
    totals, told = report["totals"], report["gain"]
    page.take("tile " + {"faster": "", "slower": "warn"}.get(told["verdict"], "unknown"))
    level = "bad" if totals["failed"] else "warn" if 2 * totals["accelerated"] < totals["calls"] else ""
    carried = page.take(f"tile {level}")
    check(carried is not None and carried.texts[0] == f"{totals['accelerated']} of {totals['calls']}",
          "page: calls carried")
    share = totals["time_by_rank_s"]["mean"] / report["elapsed_s"]
    page.take("tile warn" if share > 0.5 else "tile ", [
        totals["time_share_text"],
        "of the run in these calls; the busiest rank " + spread_texts(totals["time_by_rank_s"])[3]])
    needed = told["pays_from_calls"] or 0
    setup_times = totals["setup_by_rank_s"]
    late = needed > totals["calls"] if needed else setup_times["mean"] > totals["time_by_rank_s"]["mean"]
    paid = page.take("tile warn" if late else "tile ")
    check(paid is not None and paid.texts[0] == spread_texts(setup_times)[1], "page: set-up")


def check_shown(page, report):
    totals = report["totals"]
    page.take("h1")
    page.take("command", [report["command"]])
    check_tiles(page, report)
    page.take("next", ["Bottom line:", report["bottom_line"]])
    page.take("next", ["What to try next:", report["next_step"]])
    page.items([("version", report["version"]), *report["lines"], ("payload", totals["payload_bytes_text"]),
                *[("saved", totals["bytes_saved_text"])] * (totals["bytes_saved"] > 0), ("sent", totals["bytes_text"])])
    groups = shown_graphs(report)
    check_overview(page, [group for group, _ in groups if group["calls"]])
    for group, graph in groups:
        check_graph_in_page(page, group, graph)
    check(not page.left, "page: more pieces than texts", "\n".join(piece.text() for piece in page.left))


def check_overview(page, groups):
    page.take("h2")
    page.take("tr")
    most_messages = max(max(group["messages"], group["messages_trivial"]) for group in groups)
    most_seconds = max(group["time_s"] for group in groups)
    places = set()
    for group in groups:
        place = page.left[0].texts[0]
        places.add(place)
        native = group["native_time_s"]
        row = page.take("tr", [place, str(group["calls"]), group["payload_bytes_text"], group["bytes_text"],
                               str(group["messages"]), str(group["messages_trivial"]), group["time_s_text"],
                               *[f"{group['native_time_s_text']} of it natively"] * (native > 0)])
        if row is not None:
            messages, times = row.bars[:2], row.bars[2:]
            row.bars = messages
            page.bars(row, [group["messages"], group["messages_trivial"]], most_messages)
            row.bars = times
            page.bars(row, [group["time_s"] - native, native], most_seconds)
    check(len(places) == len(groups), "page: graphs have different names", str(places))


def times_row(times):
    return [*spread_texts(times), f"{times['variation']:.2f}"]


def check_graph_in_page(page, group, graph):
    summary = page.take("summary")
    check(summary is not None and summary.texts[1] == group["title"], "page: title of a graph", group["title"])
    page.items([*[("created in", " < ".join(graph["call_site"]))] * bool(graph["call_site"]), *group["lines"],
                ("set-up", graph["setup_s"]["text"])])
    if not graph["operations"]:
        page.take("p")
        return
    if graph["stencil"]:
        check_pictures(page, graph)
    page.take("tr")
    for operation in graph["operations"]:
        page.take("tr", [operation["function"], *filter(None, [operation["reason"]]),
                         *(f"{label}: {text}" for label, text in operation["lines"]), operation["algorithm"],
                         str(operation["calls"]), operation["per_call_text"], str(operation["failed"]),
                         operation["payload_bytes_text"], operation["bytes_text"], str(operation["messages"]),
                         str(operation["messages_trivial"]), *times_row(operation["time_s"])])
    check_durations(page, graph)
    sites = [(operation, site) for operation in graph["operations"] for site in operation["call_sites"]]
    check_table(page, [[" < ".join(site["call_site"]), operation["function"], operation["algorithm"],
                        str(site["calls"]), *times_row(site["time_s"])] for operation, site in sites])
    rows = check_table(page, [[trial["function"], trial["block_bytes_most_text"], trial["algorithm"],
                               *["yes"] * trial["chosen"], trial["time_s_text"]] for trial in graph["trials"]])
    longest = max((trial["time_s"] for trial in graph["trials"]), default=0.0)
    for row, trial in zip(rows, graph["trials"]):
        check(row.bars[0]["class"] == ("sent" if trial["chosen"] else "trivial"), "page: color of what was chosen")
        page.bars(row, [trial["time_s"]], longest)
    check_table(page, [[alone["function"], alone["algorithm"], alone["block_bytes_text"], str(alone["exchanges"]),
                        alone["time_s_text"], alone["native_time_s_text"]] for alone in graph["alone"]])


def check_durations(page, graph):
    """A drawing for each function with blocking calls: its columns have their numbers and heights."""
    functions = {}
    for operation in graph["operations"]:
        for each in operation["durations"]:
            wanted = functions.setdefault(operation["function"], {})
            key = (operation["algorithm"] == "native", each["time_s_most_text"])
            wanted[key] = wanted.get(key, 0) + each["calls"]
    if functions:
        page.take("h3", ["Blocking calls by their duration, of all ranks; gray: native"])
    for function, wanted in functions.items():
        drawing = page.drawing(f"durations of {function}")
        found = {}
        for column in drawing.bars if drawing else []:
            calls, text = column["title"].split(": up to ")
            found["native" in calls, text] = (int(calls.split()[0]), float(column["height"]))
        check({key: calls for key, (calls, _) in found.items()} == wanted, f"page: durations of {function}", str(found))
        most = max(sum(wanted.get((native, text), 0) for native in (False, True)) for _, text in wanted)
        check(all(math.isclose(height, 100 * calls / most) for calls, height in found.values()),
              f"page: columns of {function}", str(found))
        check(drawing is not None and drawing.texts[0] == str(most), f"page: the highest column of {function}")


def check_table(page, rows):
    """The rows found, below a title and heads; nothing if there are none."""
    if rows:
        page.take("h3")
        page.take("tr")
    return list(filter(None, [page.take("tr", row) for row in rows]))


def targets_of(group):
    """The places of the neighbors of the process in the middle of a periodic grid; the last is that process."""
    extents = group["grid"]["dims"]
    check(all(group["grid"]["wraps"]) and len(extents) <= 2, "page: two periodic dimensions are looked at here")
    return [tuple((extent // 2 + shift) % extent for extent, shift in zip(extents, offset))
            for offset in [*group["stencil"]["offsets"], [0] * len(extents)]]


def check_pictures(page, group):
    extents = group["grid"]["dims"]
    *targets, middle = targets_of(group)
    others = {target: targets.count(target) for target in targets if target != middle}
    grid = page.drawing("process grid")
    cells = {tuple(map(int, bar["title"].split(")")[0].strip("(").split(","))): bar for bar in grid.bars}
    check(len(cells) == math.prod(extents) and cells[middle]["class"] == "origin", "page: the grid drawn")
    check(all(f": {others.get(cell, 0)} neighbor" in bar["title"] for cell, bar in cells.items() if cell != middle),
          "page: neighbors in the grid", str(cells))
    page.take("p", ["; ".join(f"{name}: {extent}" + ", periodic" * periodic for name, extent, periodic
                              in zip("xy", extents, group["grid"]["periodic"]))])
    most = max(others.values(), default=0)
    fold = [len(others), *[most] * (most > 1), *[targets.count(middle)] * (middle in targets)]
    note = page.take("p")
    figures = [int(word) for word in note.text().split() if word.isdigit()] if note else []
    check(figures == [len(targets), *(fold if others else [])], "page: how neighbors fold", str(figures))
    offsets = {tuple(offset) for offset in group["stencil"]["offsets"] if any(offset)}
    drawn = {tuple(map(int, bar["title"].strip("()").split(","))) for bar in page.drawing("stencil").bars
             if bar["class"].startswith("hops")}
    check(drawn == offsets, "page: the stencil drawn", f"{drawn}, not {offsets}")
    page.take("p")
    if group["rounds"] > 0:
        check_schedule(page.drawing("messages of one process, phase by phase"), group)
        page.take("p")


def check_schedule(drawing, group):
    """Own blocks and those in transit of every round, with their sum behind the bars."""
    blocks = [int(bar["title"].split()[0]) for bar in drawing.bars]
    sums = iter([str(own + forwarded) for own, forwarded in zip(blocks[::2], blocks[1::2])])
    check(len(blocks) == 2 * group["rounds"] and sum(blocks) == group["volume"], "page: the schedule drawn",
          str(blocks))
    texts = []
    for k, name in enumerate("xy"[:len(group["grid"]["dims"])]):
        shifts = sorted({offset[k] for offset in group["stencil"]["offsets"]} - {0})
        phase = sum(text.startswith("phase") for text in texts) + 1
        texts += [f"phase {phase}, along {name}"] * bool(shifts)
        for shift in shifts:
            texts += [f"{shift:+d}", next(sums, "none")]
    check(drawing.texts == texts, "page: names of the schedule drawn", str(drawing.texts))


# ---- runs

def check_run(directory, name, ranks, program, status, **settings):
    base = pathlib.Path(directory, name)
    given = [word for setting in settings.items() for word in ("-s", "=".join(setting))]
    shown = setup.tool("run", "-r", f"{base}.txt,{base}.json,{base}.html", *given, *setup.launcher(ranks), *program,
                       environment=setup.crowd(ranks))
    check(shown.returncode == status, f"{name}: status {shown.returncode}", shown.stderr)
    document = base.with_suffix(".json").read_text(encoding="utf-8")
    text = base.with_suffix(".txt").read_text(encoding="utf-8")
    report = json.loads(document)
    before = setup.failures
    check_roundings(report)
    check_groups(report)
    check_text(text, report)
    check_page(base.with_suffix(".html"), text, document)
    check(setup.failures == before, f"{name}: see above")
    return report


with tempfile.TemporaryDirectory() as scratch:
    everything = check_run(scratch, "everything", 4, [setup.paths.figures], 0,
                           HOPSCOTCH_ALGORITHM="alltoallw=combining", HOPSCOTCH_CALLSITES="call")
    operations = [operation for graph in everything["graphs"] for operation in graph["operations"]]
    for graph in everything["graphs"]:
        for operation in graph["operations"]:
            timed = sum(each["calls"] for each in operation["durations"])
            untimed = graph["id"] == 0 or "_I" in operation["function"] or operation["function"].endswith("_init")
            check(timed == (0 if untimed else operation["process_calls"]), "JSON: every blocking call has a duration",
                  str(operation))
    for what, holds in (("failed calls", everything["totals"]["failed"] > 0),
                        ("reasons", any(operation["reason"] for operation in operations)),
                        ("several sizes of blocks", any(len(operation["block_sizes"]) > 1 for operation in operations)),
                        ("durations of native calls and others",
                         {operation["algorithm"] == "native" for operation in operations if operation["durations"]}
                         == {False, True}),
                        ("bytes saved", everything["totals"]["bytes_saved"] > 0),
                        ("trials", any(graph["trials"] for graph in everything["graphs"])),
                        ("call sites", any(len(operation["call_sites"]) > 1 for operation in operations)),
                        ("folded graphs", any(graph["graphs"] > 1 for graph in everything["graphs"])),
                        ("graphs that are shown as one",
                         any(group["sum"] for group in everything["groups"]))):
        check(holds, f"the run has no {what}")
    MadePages(setup, scratch, everything).check_all()
    check_run(scratch, "verified", 2, [setup.paths.stencil, "-d", "2", "-i", "20"], 0, HOPSCOTCH_VERIFY="on")
    check_run(scratch, "partial", 2, [setup.paths.no_finalize, "5", "abort"], 5)
setup.finish()
