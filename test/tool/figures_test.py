# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text, page and JSON of one run agree: every figure of the text and of the page is one of the JSON in its rounding,
and nothing else; and all that the JSON has and the text or the page has a place for is there."""

import json
import pathlib
import tempfile

from page import Page
from shown import (count, counts, disagreement, groups_of, percent, ratio, reasons_of, size, spread, time,
                   without_prefix)
from support import Setup

setup = Setup()
check = setup.check
GRAPHS_IN_TEXT = 6
LABEL_WIDTH = 13
BAR_WIDTH = 380
COST_OF_MESSAGE, COST_OF_BYTE = 1.5e-6, 1e-10  # seconds; the page predicts with them, and says so


def settings_of(report):
    return [f"{name}={value}" for name, value in report["settings"].items()]


def job_figures(report):
    return [count(report["ranks"]), *[count(report["nodes"])] * (report["nodes"] > 0), time(report["elapsed_s"])]


def is_verified(report):
    return report["settings"].get("HOPSCOTCH_VERIFY") == "on"


def stencil_figures(group):
    return [count(group["stencil"]["radius"]), count(group["stencil"]["neighbors"]), count(group["rounds"]),
            count(group["volume"])]


def saved(operation):
    bytes_saved = operation["bytes_saved"]
    return [size(bytes_saved), percent(bytes_saved, operation["bytes"] + bytes_saved)]


# ---- text

class Text:
    """Lines "label   text"; what stands below a text belongs to it."""

    def __init__(self, text):
        self.lines = []
        for line in filter(None, text.splitlines()):
            if line.startswith(" " * LABEL_WIDTH):
                self.lines[-1] += " " + line.strip()
            else:
                self.lines.append(line.strip())

    def take(self, label, texts=(), figures=()):
        line = self.lines.pop(0) if self.lines else "the end"
        check(line.startswith(label), f"text: no line {label!r} but", line)
        wrong = disagreement(line[len(label):], texts, figures)
        check(wrong is None, f"text: {wrong}", line)


def check_text(written, report):
    text = Text(written)
    totals, elapsed = report["totals"], report["elapsed_s"]
    text.take("hopscotch: report, version", [report["version"]])
    text.take("command", [report["command"]])
    text.take("job", [], job_figures(report))
    text.take("mpi", [report["mpi_library"]])
    text.take("settings", settings_of(report))
    if report["partial"]:
        text.take("partial", [report["partial"]])
    text.take("calls", [], counts(totals, "calls", "accelerated", "native")
              + [count(totals["failed"])] * (totals["failed"] > 0))
    if is_verified(report):
        text.take("compared", [], counts(totals, "compared", "accelerated"))
    text.take("messages", [], counts(totals, "messages", "messages_trivial")
              + [percent(totals["messages"], totals["messages_trivial"])])
    for label, times in (("time", totals["time_by_rank_s"]), ("set-up", totals["setup_by_rank_s"])):
        text.take(label, [], [*spread(times), percent(times["mean"], elapsed)])
    for reason, calls in reasons_of(report):
        text.take("native", [reason], [count(calls)])
    groups = groups_of(report)
    left_out = groups[GRAPHS_IN_TEXT:]
    for group in groups[:GRAPHS_IN_TEXT]:
        check_graph_in_text(text, group)
    if left_out:
        text.take("", [], [count(sum(group["graphs"] for group in left_out)),
                           time(sum(group["seconds"] for group in left_out))])
    text.take("what to try next:", [report["next_step"]])
    text.take("hopscotch: end of report")
    check(not text.lines, "text: more lines than figures", "\n".join(text.lines))


def check_graph_in_text(text, group):
    if group["ids"] == [0]:
        text.take("other communicators")
    else:
        text.take("graph", [group["created_by"]], [*map(count, group["ids"]), count(group["ranks"]), *group["degrees"],
                                                   *[count(group["graphs"])] * (group["graphs"] > 1)])
        text.take("created in", group["call_site"])
    if group["grid"]:
        text.take("grid", [group["shown_grid"]])
    if group["stencil"]:
        text.take("stencil", [group["stencil"]["name"]], stencil_figures(group))
    if group["declined"]:
        text.take("declined", [group["declined"]])
    if not group["operations"]:
        text.take("calls", ["none"])
        return
    text.take("function")
    for operation in group["operations"]:
        text.take(without_prefix(operation["function"]), [operation["algorithm"]],
                  [count(operation["calls"]), size(operation["bytes"]),
                   *counts(operation, "messages", "messages_trivial"), *spread(operation["time_s"]),
                   ratio(operation["time_s"]["variation"])])
    for operation in group["operations"]:
        names = [without_prefix(operation["function"]), operation["algorithm"]]
        if operation["reason"]:
            text.take(operation["algorithm"], [names[0], operation["reason"]], [count(operation["calls"])])
        if operation["failed"]:
            text.take("failed", names, [count(operation["failed"])])
        if operation["bytes_saved"]:
            text.take("saved", names, saved(operation))
        for site in operation["call_sites"]:
            text.take("called in", names + site["call_site"], [count(site["calls"]), *spread(site["time_s"])])
    for trials in group["trials"]:
        most = trials[0]["block_bytes_most"]
        native = [trial["time_s"] for trial in trials if trial["algorithm"] == "native"]
        chosen = [trial["time_s"] for trial in trials if trial["chosen"]]
        gain = [ratio(native[0] / chosen[0])] if native and chosen else []
        text.take("measured", [without_prefix(trials[0]["function"]), *(trial["algorithm"] for trial in trials)],
                  [size(most)] * (most > 0) + [time(trial["time_s"]) for trial in trials] + gain)


# ---- page

class Pieces:
    def __init__(self, html):
        self.left = Page(html).pieces

    def take(self, name, texts=(), figures=()):
        if not self.left or self.left[0].name != name:
            check(False, f"page: no {name!r} but", self.left[0].name + ": " + self.left[0].text() if self.left
                  else "the end")
            return None
        piece = self.left.pop(0)
        wrong = disagreement(piece.text(), texts, figures)
        check(wrong is None, f"page: {wrong}", f"{name}: {piece.text()}")
        return piece

    def item(self, name, texts=(), figures=()):
        self.take("dt", [name])
        self.take("dd", texts, figures)

    def drawing(self, name):
        """Its texts are looked at by the caller."""
        self.take("h3", ["(1.5 us per message, 10 GB/s)"] if "predicted" in name else [])
        piece = self.left.pop(0) if self.left and self.left[0].name == name else None
        check(piece is not None, f"page: no drawing {name!r}")
        return piece


def check_page(html, report):
    page = Pieces(html)
    totals, elapsed = report["totals"], report["elapsed_s"]
    page.take("h1")
    page.take("command", [report["command"]])
    page.take("tile", [], counts(totals, "accelerated", "calls"))
    page.take("tile", [], [percent(totals["messages"], totals["messages_trivial"])])
    page.take("tile", [], [percent(totals["time_by_rank_s"]["mean"], elapsed)])
    page.take("tile", [], [time(totals["setup_by_rank_s"]["mean"])])
    page.item("Job", [], job_figures(report))
    page.item("Version", [report["version"]])
    page.item("MPI library", [report["mpi_library"]])
    page.item("Settings", settings_of(report))
    if report["partial"]:
        page.item("Partial", [report["partial"]])
    page.item("Calls", [], counts(totals, "calls", "accelerated", "native", "failed"))
    if is_verified(report):
        page.item("Compared", [], counts(totals, "compared", "accelerated"))
    page.item("Messages", [], counts(totals, "messages", "messages_trivial"))
    page.item("Sent", [], [size(totals["bytes"])])
    page.item("Time in calls", [], spread(totals["time_by_rank_s"]))
    page.item("Set-up", [], spread(totals["setup_by_rank_s"]))
    reasons = reasons_of(report)
    if reasons:
        page.take("h2")
    for reason, calls in reasons:
        page.item(f"{calls} call", [reason])
    groups = groups_of(report)
    check_overview(page, [group for group in groups if group["operations"]])
    for group in groups:
        check_graph_in_page(page, group)
    page.take("next", [report["next_step"]])
    check(not page.left, "page: more pieces than figures", "\n".join(piece.text() for piece in page.left))


def check_drawing(drawing, labels, figures, lengths, most):
    """The texts of a chart are names with the figures between them; its bars are as long as their values say."""
    wrong = disagreement(drawing.text(), labels, figures)
    check(wrong is None, f"page: {wrong}", drawing.text())
    widths = [float(bar["width"]) for bar in drawing.bars]
    wanted = [BAR_WIDTH * length / most for length in lengths]
    check(len(widths) == len(wanted) and all(abs(a - b) < 0.1 for a, b in zip(widths, wanted)),
          f"page: bars of {drawing.name}", f"{widths}, not {wanted}")


def bar_label(group):
    if group["ids"] == [0]:
        return "other communicators"
    text = ("graph " if len(group["ids"]) == 1 else "graphs ") + ", ".join(map(str, group["ids"]))
    return text + (", " + group["stencil"]["name"] if group["stencil"] else "")


def check_overview(page, groups):
    page.take("h2")
    labels = [bar_label(group) for group in groups]
    seconds = [group["seconds"] for group in groups]
    drawing = page.drawing("time in calls by graph")
    natively = [sum(each["time_s"]["total"] for each in group["operations"] if each["algorithm"] == "native")
                for group in groups]
    parts = [part for whole, native in zip(seconds, natively) for part in (whole - native, native)]
    check_drawing(drawing, labels, map(time, seconds), parts, max(seconds))
    for bar, part in zip(drawing.bars, parts):
        wrong = disagreement(bar["title"], [], [time(part)])
        check(wrong is None, f"page: {wrong}", bar["title"])
    messages = [sum(each[name] for each in group["operations"]) for group in groups
                for name in ("messages", "messages_trivial")]
    check_drawing(page.drawing("messages by graph"), labels, map(count, messages), messages, max(messages))
    page.take("key")


def check_graph_in_page(page, group):
    if group["ids"] == [0]:
        page.take("h2", ["Other communicators"])
    else:
        page.take("h2", [], map(count, group["ids"]))
        page.item("Created by", [group["created_by"]])
        page.item("Ranks", [], [count(group["ranks"])])
        page.item("Neighbors", [], group["degrees"])
        if group["graphs"] > 1:
            page.item("Graphs like this", [], [count(group["graphs"])])
        page.item("Created in", group["call_site"])
    if group["grid"]:
        page.item("Process grid", [group["shown_grid"], group["grid"]["found"]])
    if group["stencil"]:
        page.item("Stencil", [group["stencil"]["name"]], stencil_figures(group))
    if group["declined"]:
        page.item("Declined", [group["declined"]])
    page.item("Set-up", [], spread(group["setup_s"]))
    if not group["operations"]:
        page.take("p")
        return
    if group["stencil"]:
        check_pictures(page, group)
    page.take("tr")
    for operation in group["operations"]:
        page.take("tr", [operation["function"], operation["algorithm"]],
                  [*counts(operation, "calls", "failed"), size(operation["bytes"]),
                   *counts(operation, "messages", "messages_trivial"), *spread(operation["time_s"]),
                   ratio(operation["time_s"]["variation"])])
        if operation["reason"]:
            page.take("tr", [operation["reason"]])
        if operation["bytes_saved"]:
            page.take("tr", [], saved(operation))
        for site in operation["call_sites"]:
            page.take("tr", site["call_site"], [count(site["calls"]), *spread(site["time_s"]),
                                                ratio(site["time_s"]["variation"])])
    check_trials(page, [trial for trials in group["trials"] for trial in trials], group["trials"])


def check_trials(page, trials, classes):
    if not trials:
        return
    figures = []
    names = []
    for members in classes:
        names.append(without_prefix(members[0]["function"]))
        figures += [size(members[0]["block_bytes_most"])] * (members[0]["block_bytes_most"] > 0)
        for trial in members:
            names.append(trial["algorithm"])
            figures.append(time(trial["time_s"]))
    seconds = [trial["time_s"] for trial in trials]
    drawing = page.drawing("times measured while choosing")
    check_drawing(drawing, names, figures, seconds, max(seconds))
    check([bar["class"] == "sent" for bar in drawing.bars] == [trial["chosen"] for trial in trials],
          "page: the color of what was chosen")
    page.take("tr")
    for trial in trials:
        most = trial["block_bytes_most"]
        row = page.take("tr", [trial["function"], trial["algorithm"]],
                        [size(most)] * (most > 0) + [time(trial["time_s"])])
        check(row is not None and ("yes" in row.texts) == trial["chosen"], "page: what was chosen", str(trial))


def check_pictures(page, group):
    extents = group["grid"]["dims"]
    check(len(extents) <= 2, "page: drawings of two dimensions are looked at here")
    grid = page.drawing("process grid")
    labels = ["x: ", "y: "][:len(extents)]
    wrong = disagreement(grid.text(), labels, map(count, extents))
    check(wrong is None and grid.text().count("periodic") == sum(group["grid"]["periodic"]), f"page: {wrong}",
          grid.text())
    offsets = {tuple(offset) for offset in group["stencil"]["offsets"] if any(offset)}
    cells = {tuple(map(int, bar["title"].strip("()").split(","))) for bar in page.drawing("stencil").bars
             if bar["class"].startswith("hops")}
    check(cells == offsets, "page: the stencil drawn", f"{cells}, not {offsets}")
    if group["rounds"] == 0:
        return
    check_schedule(page.drawing("messages of one process, phase by phase"), group)
    direct = sum(any(offset) for offset in group["stencil"]["offsets"])
    if group["rounds"] >= direct:  # combining cannot pay
        return
    prediction = page.drawing("predicted time of an alltoall over the size of a block")
    figures = []
    if group["volume"] > direct:
        figures = [size(int(COST_OF_MESSAGE / COST_OF_BYTE * (direct - group["rounds"]) / (group["volume"] - direct)))]
        check(disagreement(prediction.texts[-2], [], figures) is None, "page: the cut-off at its mark",
              prediction.texts[-2])
    wrong = disagreement(prediction.texts[-1], [], figures)
    check(wrong is None, f"page: {wrong}", prediction.texts[-1])


def check_schedule(drawing, group):
    """Own blocks and those in transit of every round, with their sum behind the bars."""
    bars = [bar for bar in drawing.bars if bar["title"]]
    blocks = [int(bar["title"].split()[0]) for bar in bars]
    sums = iter([str(own + forwarded) for own, forwarded in zip(blocks[::2], blocks[1::2])])
    check(len(bars) == 2 * group["rounds"] and sum(blocks) == group["volume"], "page: the schedule drawn", str(blocks))
    texts = []
    for k, name in enumerate("xy"[:len(group["grid"]["dims"])]):
        shifts = sorted({offset[k] for offset in group["stencil"]["offsets"]} - {0})
        phase = sum(text.startswith("phase") for text in texts) + 1
        texts += [f"phase {phase}, along {name}"] * bool(shifts)
        for shift in shifts:
            texts += [f"{shift:+d}", next(sums, "none")]
    check(drawing.texts == texts + ["own blocks", "blocks in transit"], "page: names of the schedule drawn",
          str(drawing.texts))


# ---- runs

def check_run(directory, name, ranks, program, status, **settings):
    base = pathlib.Path(directory, name)
    given = [word for setting in settings.items() for word in ("-s", "=".join(setting))]
    shown = setup.tool("run", "-r", f"{base}.txt,{base}.json,{base}.html", *given, *setup.launcher(ranks), *program,
                       environment=setup.crowd(ranks))
    check(shown.returncode == status, f"{name}: status {shown.returncode}", shown.stderr)
    report = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
    before = setup.failures
    check_text(base.with_suffix(".txt").read_text(encoding="utf-8"), report)
    check_page(base.with_suffix(".html").read_text(encoding="utf-8"), report)
    check(setup.failures == before, f"{name}: see above")
    return report


with tempfile.TemporaryDirectory() as scratch:
    everything = check_run(scratch, "everything", 4, [setup.paths.figures], 0,
                           HOPSCOTCH_ALGORITHM="alltoallw=combining", HOPSCOTCH_CALLSITES="call")
    operations = [operation for graph in everything["graphs"] for operation in graph["operations"]]
    for what, holds in (("failed calls", everything["totals"]["failed"] > 0),
                        ("reasons", len(reasons_of(everything)) > 0),
                        ("bytes saved", everything["totals"]["bytes_saved"] > 0),
                        ("trials", any(graph["trials"] for graph in everything["graphs"])),
                        ("call sites", any(len(operation["call_sites"]) > 1 for operation in operations)),
                        ("folded graphs", any(graph["graphs"] > 1 for graph in everything["graphs"])),
                        ("graphs that are shown as one",
                         any(len(group["ids"]) > 1 for group in groups_of(everything)))):
        check(holds, f"the run has no {what}")
    check_run(scratch, "verified", 2, [setup.paths.stencil, "-d", "2", "-i", "20"], 0, HOPSCOTCH_VERIFY="on")
    check_run(scratch, "partial", 2, [setup.paths.no_finalize, "5", "abort"], 5)
setup.finish()
