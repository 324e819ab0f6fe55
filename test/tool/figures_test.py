# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text, page and JSON of one run agree: every figure of the text and of the page is one of the JSON in its rounding,
and nothing else; and all that the JSON has and the text or the page has a place for is there. What the script of the
page shows is looked at where node is there."""

import json
import math
import pathlib
import tempfile

from gains import alone_figures, gain_of, saved_figures
from made_pages import MadePages
from page import Page, shown as shown_by_script
from shown import (algorithms_in_rows, balance, block_sizes, count, counts, disagreement, edge_figures, groups_of,
                   job_figures, per_call, percent, ratio, reasons_of, saved, settings_of, size, spread, stencil_figures,
                   time, without_prefix)
from support import Setup

setup = Setup()
check = setup.check
GRAPHS_IN_TEXT = 6
HOSTS_IN_TEXT = 4
LABEL_WIDTH = 13
WAYS_TO_FIND = {"parent": "Cartesian communicator", "hint": "as given", "recorded": "MPI_Dims_create",
                "inferred": "inferred"}
BAR_WIDTH = 50  # percent


def verified(totals):
    return counts(totals, "compared", "differences")


def is_verified(report):
    return report["settings"].get("HOPSCOTCH_VERIFY") == "on"


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


def ids_of(report):
    """What the batch system calls the job, as far as it is known."""
    return [report[name] for name in ("job_id", "step_id", "array_task") if report[name]]


def check_text(written, report):
    text = Text(written)
    totals, elapsed = report["totals"], report["elapsed_s"]
    text.take("hopscotch: report, version", [report["version"]])
    text.take("command", [report["command"]])
    text.take("job", [report["launcher"]], job_figures(report))
    text.take("date", [report["date"], *report["hosts"][:HOSTS_IN_TEXT], *ids_of(report)],
              [count(len(report["hosts"]) - HOSTS_IN_TEXT)] * (len(report["hosts"]) > HOSTS_IN_TEXT))
    text.take("mpi", [report["mpi_library"]])
    check(report["mpi_library_text"].startswith(report["mpi_library"].split()[0]), "JSON: what the library says")
    text.take("settings", settings_of(report))
    if report["partial"]:
        text.take("partial", [report["partial"]])
    if report["one_copy"]:
        text.take("large blocks", [], limits_of(report["one_copy"]))
    text.take("calls", [], counts(totals, "calls", "accelerated", "native")
              + [count(totals["failed"])] * (totals["failed"] > 0))
    if is_verified(report):
        text.take("verified", [], verified(totals))
    text.take("messages", [], counts(totals, "messages", "messages_trivial")
              + [percent(totals["messages"], totals["messages_trivial"])])
    for label, times in (("time", totals["time_by_rank_s"]), ("set-up", totals["setup_by_rank_s"])):
        text.take(label, [], [*spread(times), percent(times["mean"], elapsed)])
        if label == "time":
            for name, texts, figures in balance(report):
                text.take(name.lower(), texts, figures)
    text.take("bottom line", [report["bottom_line"]])
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


def limits_of(one_copy):
    return [size(one_copy["block_bytes"])] + [size(one_copy["call_bytes"])] * (one_copy["call_bytes"] > 0)


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
    if group["edges_between_nodes"]:
        text.take("off node", [], edge_figures(group["edges_between_nodes"]))
    if group["reorder"]:
        text.take("ranks", [group["reorder"]])
    if not group["operations"]:
        text.take("calls", ["none"])
        return
    text.take("function")
    algorithms = algorithms_in_rows(group["operations"])
    for operation, algorithm in zip(group["operations"], algorithms):
        text.take(without_prefix(operation["function"]), [algorithm],
                  [count(operation["calls"]), per_call(operation), size(operation["payload_bytes"]),
                   size(operation["bytes"]), *counts(operation, "messages", "messages_trivial"),
                   *spread(operation["time_s"]),
                   ratio(operation["time_s"]["variation"])])
    for operation, algorithm in zip(group["operations"], algorithms):
        names = [without_prefix(operation["function"]), algorithm]
        if operation["reason"]:
            text.take(algorithm, [names[0], operation["reason"]], [count(operation["calls"])])
        if operation["failed"]:
            text.take("failed", names, [count(operation["failed"])])
        if operation["bytes_saved"]:
            text.take("saved", names, saved(operation))
        if block_sizes(operation):
            text.take("blocks", names, block_sizes(operation))
        for site in operation["call_sites"]:
            text.take("called in", names + site["call_site"], [count(site["calls"]), *spread(site["time_s"])])
    for trials in sorted(group["trials"], key=lambda tried: (tried[0]["function"], tried[0]["block_bytes_most"])):
        most = trials[0]["block_bytes_most"]
        native = [trial["time_s"] for trial in trials if trial["algorithm"] == "native"]
        chosen = [trial["time_s"] for trial in trials if trial["chosen"]]
        gain = [ratio(native[0] / chosen[0])] if native and chosen else []
        text.take("measured", [without_prefix(trials[0]["function"]), *(trial["algorithm"] for trial in trials)],
                  [size(most)] * (most > 0) + [time(trial["time_s"]) for trial in trials] + gain)


# ---- page

class Pieces:
    def __init__(self, pieces):
        self.left = pieces

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

    def tile(self, level, figures):
        self.take(f"tile {level}", [], figures)

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
    """The page holds text and document, nothing of which is markup; its script shows the figures."""
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
        print("node is not there: what the script of the page shows is not looked at")
        return
    check(shown["hidden"] and shown["sorts"], "page: text is hidden, columns sort their rows")
    check_shown(Pieces(shown["pieces"]), json.loads(document))


def check_parts(report, saved_by_calls, cost_of_trials):
    """The bottom line has what the members of the gain say, each rounded."""
    told, line = report["gain"], report["bottom_line"]
    setup = report["totals"]["setup_by_rank_s"]["max"]
    check(math.isclose(told["calls_s"], saved_by_calls, abs_tol=1e-12)
          and math.isclose(told["trials_s"], cost_of_trials, abs_tol=1e-12) and told["setup_s"] == setup,
          "JSON: calls_s, trials_s, setup_s", str(told))
    parts = [abs(saved_by_calls)] * (saved_by_calls != 0) + [setup] + [cost_of_trials] * (cost_of_trials > 0)
    wrong = disagreement(line.split(":")[0], [], map(time, parts))
    check(wrong is None, f"bottom line: {wrong}", line)


def check_verdict(told, least, most, calls, totals):
    setup = totals["setup_by_rank_s"]["max"]
    verdict = ("not compared" if calls == 0 else "faster" if least > setup else "slower" if most < setup
               else "no difference")
    check(told["verdict"] == verdict, f"JSON: the verdict is not {verdict!r}", str(told))
    check(told["saved_s"] is None if calls == 0 else math.isclose(told["saved_s"], (least + most) / 2 - setup,
                                                                  abs_tol=1e-12), "JSON: saved_s", str(told))
    check(math.isclose(told["compared_share"], calls / max(totals["calls"], 1)), "JSON: compared_share", str(told))


def check_tiles(page, report):
    totals, elapsed = report["totals"], report["elapsed_s"]
    least, most, calls, saved_by_calls, cost_of_trials = gain_of(report)
    told = report["gain"]
    check(told["compared_calls"] == calls and math.isclose(told["least_s"], least, abs_tol=1e-12)
          and math.isclose(told["most_s"], most, abs_tol=1e-12), "JSON: another gain than its trials say", str(told))
    check_verdict(told, least, most, calls, totals)
    if calls:
        check_parts(report, saved_by_calls, cost_of_trials)
    setup = totals["setup_by_rank_s"]
    page.tile({"faster": "", "slower": "warn"}.get(told["verdict"], "unknown"),
              saved_figures(told["verdict"], least, most, setup["max"]) + [count(calls), count(totals["calls"])]
              if calls else alone_figures(report))
    page.tile("bad" if totals["failed"] else "warn" if 2 * totals["accelerated"] < totals["calls"] else "",
              counts(totals, "accelerated", "calls") + [count(totals["failed"])] * (totals["failed"] > 0))
    share = totals["time_by_rank_s"]["mean"] / elapsed
    page.tile("warn" if share > 0.5 else "", [percent(totals["time_by_rank_s"]["mean"], elapsed),
                                              time(totals["time_by_rank_s"]["max"])])
    needed = told["pays_from_calls"] or 0
    check((needed > 0) == (calls > 0 and saved_by_calls > 0), "JSON: pays_from_calls", str(told))
    late = needed > totals["calls"] if needed else setup["mean"] > totals["time_by_rank_s"]["mean"]
    page.tile("warn" if late else "", [time(setup["mean"])] + [count(needed)] * (needed > 0))


def check_shown(page, report):
    totals = report["totals"]
    page.take("h1")
    page.take("command", [report["command"]])
    check_tiles(page, report)
    page.take("next", [report["bottom_line"]])
    page.take("next", [report["next_step"]])
    page.item("Job", [], job_figures(report))
    page.item("Date", [report["date"]])
    if report["job_id"]:
        page.item("Job number", [report["job_id"]])
    if report["step_id"]:
        page.item("Step", [report["step_id"]])
    if report["array_task"]:
        page.item("Task of the array", [report["array_task"]])
    page.item("Started by", [report["launcher"]])
    page.item("Hosts", report["hosts"])
    page.item("Version", [report["version"]])
    page.item("MPI library", [report["mpi_library"]])
    page.item("Settings", settings_of(report))
    if report["partial"]:
        page.item("Partial", [report["partial"]])
    if report["one_copy"]:
        page.item("Large blocks", [], limits_of(report["one_copy"]))
    if is_verified(report):
        page.item("Verified", [], verified(totals))
    page.item("Messages", [], counts(totals, "messages", "messages_trivial")
              + [percent(totals["messages"], totals["messages_trivial"])])
    page.item("Payload", [], [size(totals["payload_bytes"])] + (saved(totals) if totals["bytes_saved"] else []))
    page.item("Sent", [], [size(totals["bytes"])])
    page.item("Time in calls", [], spread(totals["time_by_rank_s"]))
    for line in balance(report):
        page.item(*line)
    page.item("Set-up", [], spread(totals["setup_by_rank_s"]))
    for reason, calls in reasons_of(report):
        page.item("Native", [reason], [count(calls)])
    groups = groups_of(report)
    check_overview(page, [group for group in groups if group["operations"]])
    for group in groups:
        check_graph_in_page(page, group)
    check(not page.left, "page: more pieces than figures", "\n".join(piece.text() for piece in page.left))


def check_overview(page, groups):
    page.take("h2")
    page.take("tr")
    names = ("calls", "bytes", "payload_bytes", "messages", "messages_trivial")
    totals = [{name: sum(each[name] for each in group["operations"]) for name in names} for group in groups]
    most_messages = max(max(total["messages"], total["messages_trivial"]) for total in totals)
    most_seconds = max(group["seconds"] for group in groups)
    places = set()
    for group, total in zip(groups, totals):
        native = sum(each["time_s"]["total"] for each in group["operations"] if each["algorithm"] == "native")
        place = page.left[0].texts[0]
        places.add(place)
        check(" < ".join(group["call_site"]).startswith(place.split(", graph")[0]) or group["ids"] == [0],
              "page: name of a graph", place)
        row = page.take("tr", [place], [count(total["calls"]), size(total["payload_bytes"]), size(total["bytes"]),
                                        *counts(total, "messages", "messages_trivial"), time(group["seconds"]),
                                        *[time(native)] * (native > 0)])
        if row is not None:
            messages, times = row.bars[:2], row.bars[2:]
            row.bars = messages
            page.bars(row, [total["messages"], total["messages_trivial"]], most_messages)
            row.bars = times
            page.bars(row, [group["seconds"] - native, native], most_seconds)
    check(len(places) == len(groups), "page: graphs have different names", str(places))


def check_graph_in_page(page, group):
    title = page.left[0].texts[0] if page.left else ""
    page.take("summary", [title], map(count, [] if group["ids"] == [0] else group["ids"]))
    if group["ids"] != [0]:
        page.item("Created by", [group["created_by"]])
        page.item("Created in", group["call_site"])
        page.item("Ranks", [], [count(group["ranks"])])
        page.item("Neighbors", [], group["degrees"])
        if group["graphs"] > 1:
            page.item("Graphs like this", [], [count(group["graphs"])])
    if group["grid"]:
        page.item("Process grid", [group["shown_grid"], WAYS_TO_FIND[group["grid"]["found"]]])
    if group["stencil"]:
        page.item("Stencil", [group["stencil"]["name"]], stencil_figures(group))
    if group["declined"]:
        page.item("Declined", [group["declined"]])
    if group["edges_between_nodes"]:
        page.item("Edges between nodes", [], edge_figures(group["edges_between_nodes"], most=True))
    if group["reorder"]:
        page.item("Order of ranks", [group["reorder"]])
    page.item("Set-up", [], spread(group["setup_s"]))
    if not group["operations"]:
        page.take("p")
        return
    if group["stencil"]:
        check_pictures(page, group)
    page.take("tr")
    for operation in group["operations"]:
        reason = [operation["reason"]] if operation["reason"] else []
        page.take("tr", [operation["function"], *reason, operation["algorithm"]],
                  (saved(operation) if operation["bytes_saved"] else []) + block_sizes(operation)
                  + [count(operation["calls"]), per_call(operation), count(operation["failed"]),
                     size(operation["payload_bytes"]), size(operation["bytes"]),
                     *counts(operation, "messages", "messages_trivial"), *spread(operation["time_s"]),
                     ratio(operation["time_s"]["variation"])])
    sites = [(operation, site) for operation in group["operations"] for site in operation["call_sites"]]
    if sites:
        page.take("h3")
        page.take("tr")
    for operation, site in sites:
        page.take("tr", [*site["call_site"], operation["function"], operation["algorithm"]],
                  [count(site["calls"]), *spread(site["time_s"]), ratio(site["time_s"]["variation"])])
    check_trials(page, [trial for trials in group["trials"] for trial in trials])
    if group["alone"]:
        page.take("h3")
        page.take("tr")
    for alone in group["alone"]:
        page.take("tr", [alone["function"], alone["algorithm"]],
                  [size(alone["block_bytes"]), count(alone["exchanges"]), time(alone["time_s"]),
                   time(alone["native_time_s"])])


def check_trials(page, trials):
    if not trials:
        return
    page.take("h3")
    page.take("tr")
    longest = max(trial["time_s"] for trial in trials)
    for trial in trials:
        most = trial["block_bytes_most"]
        row = page.take("tr", [trial["function"], trial["algorithm"]],
                        [size(most)] * (most > 0) + [time(trial["time_s"])])
        if row is not None:
            check(("yes" in row.texts) == trial["chosen"], "page: what was chosen", str(trial))
            check(row.bars[0]["class"] == ("sent" if trial["chosen"] else "trivial"), "page: color of what was chosen")
            page.bars(row, [trial["time_s"]], longest)


def targets_of(group):
    """Where the neighbors of the process in the middle of a periodic grid are; the last is that process."""
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
    note = page.take("p", [f"{name}: " for name in "xy"[:len(extents)]], map(count, extents))
    check(note is not None and note.text().count("periodic") == sum(group["grid"]["periodic"]),
          "page: which dimensions are periodic")
    most = max(others.values(), default=0)
    fold = [count(len(others)), *[count(most)] * (most > 1), *[count(targets.count(middle))] * (middle in targets)]
    page.take("p", [], [count(len(targets)), *(fold if others else [])])
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
    check_text(text, report)
    check_page(base.with_suffix(".html"), text, document)
    check(setup.failures == before, f"{name}: see above")
    return report


with tempfile.TemporaryDirectory() as scratch:
    everything = check_run(scratch, "everything", 4, [setup.paths.figures], 0,
                           HOPSCOTCH_ALGORITHM="alltoallw=combining", HOPSCOTCH_CALLSITES="call")
    operations = [operation for graph in everything["graphs"] for operation in graph["operations"]]
    for what, holds in (("failed calls", everything["totals"]["failed"] > 0),
                        ("reasons", len(reasons_of(everything)) > 0),
                        ("several sizes of blocks", any(map(block_sizes, operations))),
                        ("bytes saved", everything["totals"]["bytes_saved"] > 0),
                        ("trials", any(graph["trials"] for graph in everything["graphs"])),
                        ("call sites", any(len(operation["call_sites"]) > 1 for operation in operations)),
                        ("folded graphs", any(graph["graphs"] > 1 for graph in everything["graphs"])),
                        ("graphs that are shown as one",
                         any(len(group["ids"]) > 1 for group in groups_of(everything)))):
        check(holds, f"the run has no {what}")
    MadePages(setup, scratch, everything).check_all()
    check_run(scratch, "verified", 2, [setup.paths.stencil, "-d", "2", "-i", "20"], 0, HOPSCOTCH_VERIFY="on")
    check_run(scratch, "partial", 2, [setup.paths.no_finalize, "5", "abort"], 5)
setup.finish()
