# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of documents that are made from rows in the sources: tables.py"""

import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/tool"))
from hopscotch_tool.measuring import figures  # noqa: E402  the path has to be known first

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
    """A list of algorithms has all that carry, except for native in places that exclude it."""
    carriers = ", ".join(f'"{name}"' for name in algorithms()[2:])
    return re.sub(r'("algorithm": \{"enum": \[(?:"native", )?)[^\]]*', lambda found: found[1] + carriers, page)


def record_row(path):
    """A line of the table of measurements."""
    document = json.loads(path.read_text(encoding="utf-8"))
    machine, cases = document["machine"], document["cases"]
    gains = [figures.best_gain(case)[1] for case in cases]
    first = next(case for case in cases if case["neighbors"] == 26 and case["ints"] == 100)
    way, gain = figures.best_gain(first)
    auto = figures.way_in(first, "auto")
    spread = f" ({auto['ratio_low']:.1f}-{auto['ratio_high']:.1f})" if auto else f" ({way})"
    networks = sorted(document["networks"], key=lambda network: network["where"])  # between nodes first
    message = f"{1e6 * networks[0]['half_round_trip_s']['median']:.2f} us" if networks else ""
    each = f"{machine['nodes']:.0f} x {machine['ranks'] / machine['nodes']:.0f}"
    library = "simulated" if document["simulated"] else machine["mpi_name"]
    return table_row(f"[{machine['processor']}](records/{path.name})", library, each, f"{gain:.1f}{spread}",
                     f"{figures.geometric_mean(gains):.1f}", f"{min(gains):.2f}", message, document["date"][:10])


def records_page(page):
    """Measured ones first."""
    def order(path):
        return path.name.startswith("simulated"), path.name
    paths = sorted((ROOT / "docs/records").glob("*.json"), key=order)
    return with_table(page, "The records", list(map(record_row, paths)))


def own_records():
    """Those of this project's machine, by the number of processes: docs/records/own-PROCESSES.json."""
    paths = sorted((ROOT / "docs/records").glob("own-*.json"), key=lambda path: int(path.stem.partition("-")[2]))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def performance_page(page):
    """The first table, of alltoall back to back in microseconds, once there are records of this machine."""
    lines = []
    for case in (case for document in own_records() for case in document["cases"]):
        is_shown = case["dimensions"] == 3 and case["values"] > 1 and case["on"] == "all"
        if not is_shown or case["function"] != "alltoall" or case["mode"] != "together":
            continue
        ways = [figures.way_in(case, name) for name in ("native", "plain", "merged", "combining", "auto")]
        times = [way["median_us"] for way in ways]
        lines.append(table_row(str(case["processes"]), case["stencil"], str(case["ints"]),
                               *(f"{time:.0f}" if time >= 10 else f"{time:.2f}" for time in times),
                               f"{times[0] / times[-1]:.1f}", f"{times[1] / times[-1]:.1f}"))
    heading = re.escape("How long does a call take, back to back?")
    return with_table(page, heading, sorted(lines, key=row_order)) if lines else page


def row_order(line):
    """By processes, stencil, ints."""
    processes, stencil, ints = [cell.strip() for cell in line.split("|")[1:4]]
    return int(processes), stencil, int(ints)


MAKERS = {"docs/performance.md": performance_page,
          "docs/records.md": records_page, "docs/report.md": report_page, "docs/report.schema.json": schema,
          "docs/settings.md": settings_page, "docs/hopscotch.7": man_page}


def changed():
    """The pages that differ from the sources, with their right text."""
    for name, make in MAKERS.items():
        page = (ROOT / name).read_text(encoding="utf-8")
        if (made := make(page)) != page:
            yield name, made


if __name__ == "__main__":
    for path, text in changed():
        (ROOT / path).write_text(text, encoding="utf-8")
        print(path)
