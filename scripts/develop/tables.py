# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of documents that are made from rows in the sources: tables.py"""

import functools
import json
import pathlib
import re
import sys
import textwrap

import gains

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/tool"))
from hopscotch_tool import main  # noqa: E402  the path has to be known first
from hopscotch_tool.measuring import figures  # noqa: E402

COLUMNS = 120
FUNCTIONS_OF_CORES = ["alltoall", "allgather", "alltoallv", "ialltoallv", "alltoallv_init"]


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
        if not words:
            raise ValueError(f"no room for a word of the reason: {cells}")
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


def in_roff(text):
    return text.replace("-", "\\-").replace("'", "\\(aq")


def option_lines(action):
    """The paragraph of an option: its names and value, its help."""
    value = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else action.dest.upper())
    names = in_roff(", ".join(action.option_strings))
    head = f".B {names}" if action.nargs == 0 else f'.BI "{names} " {in_roff(value)}'
    return [".TP", head, *textwrap.wrap(in_roff(action.help), COLUMNS)]


def command_page(page):
    """Its section OPTIONS has those of each command, as its parser knows them."""
    lines = []
    for name, command in main.commands().items():
        own = [action for action in command._actions if action.option_strings  # argparse has no public name for them
               and action.dest not in ("help", "version")]
        lines += [f".SS {name}"] * bool(own) + [line for action in own for line in option_lines(action)]
    made = "".join(line + "\n" for line in lines)
    return re.sub(r"(?<=\.SH OPTIONS\n).*?(?=\.SH )", lambda _: made, page, count=1, flags=re.DOTALL)


def counters():
    """The names of the counters, in the order of the report."""
    source = (ROOT / "shim/report/statistics.hpp").read_text(encoding="utf-8")
    return re.findall(r'{"(\w+)", &Counters::', source.partition("counter_fields[] = {")[2])


def written_members(function, variable="at"):
    """The members that a function of document.cpp writes into one record, in their order. `function`: its name, and
    the type of what it writes if there are several. `variable`: `in` for the record inside of another one."""
    source = (ROOT / "shim/report/document.cpp").read_text(encoding="utf-8")
    name, _, kind = function.partition(" ")
    body = re.search(rf"^static void {name}\(Members& at, [^)]*{re.escape(kind)}[^)]*\)\n{{\n(.*?)^}}\n", source,
                     re.MULTILINE | re.DOTALL)[1]
    found = []
    token = re.compile(rf'\b{variable}(?:\.(?:shown|inside|list))?\(\s*"(\w+)"|'
                       rf'\b{variable}(?:\.shown)?\((counter\.name)|'
                       rf'\w+_member\({variable}, "(\w+)"|\b(\w+_members?)\({variable}, [^"]|'
                       rf"\bfields\({variable}, report\.(job)\)")
    for member, counter, by_name, other, job in token.findall(body):
        if member or by_name:
            found.append(member or by_name)
        elif counter:
            found += counters()
        else:
            found += written_members("fields JobRecord" if job else other)
    return list(dict.fromkeys(found))


# The functions that write the objects of the schema, by the line that begins the object.
WRITERS = {"": ("fields Report",), '    "totals": {': ("totals_member", "in"), '    "group": {': ("fields GraphGroup",),
           '    "process": {': ("process_member", "in"), '    "graph": {': ("fields GraphSummary",),
           '    "operation": {': ("fields OperationSummary",), '    "trial": {': ("fields TrialRecord",),
           '    "alone": {': ("fields AloneRecord",)}
NOT_REQUIRED = ("array_task", "shares_cores", "step_id")  # reports of 0.1.0 are valid, too


def with_required(page, begin, names):
    """The schema with these names as the required ones of the object whose first line is `begin`."""
    at = page.index(begin + "\n")
    indent = re.compile(r"\s*").match(begin)[0] + "  "
    found = re.compile(rf'^{indent}"required": \[[^\]]*\]', re.MULTILINE).search(page, at)
    quoted = [f'"{name}"' for name in names if name not in NOT_REQUIRED]
    text = f'{indent}"required": [{", ".join(quoted)}]'
    if len(text) >= COLUMNS:
        lines = textwrap.fill(", ".join(quoted), COLUMNS, initial_indent=indent + "  ", subsequent_indent=indent + "  ")
        text = f'{indent}"required": [\n{lines}\n{indent}]'
    return page[:found.start()] + text + page[found.end():]


def schema(page):
    """A list of algorithms has all that carry, except for native in places that exclude it. An object requires the
    members that document.cpp writes."""
    for begin, writer in WRITERS.items():
        page = with_required(page, begin, written_members(*writer))
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
    processor = re.sub(r"\((R|TM)\)| Processor", "", machine["processor"])
    return table_row(f"[{processor}](records/{path.name})", library, each, f"{gain:.1f}{spread}",
                     f"{figures.geometric_mean(gains):.1f}", f"{min(gains):.2f}", message, document["date"][:10])


def records_page(page):
    """Measured ones first."""
    def order(path):
        name, _, processes = path.stem.partition("-")
        return name == "simulated", name, int(processes) if processes.isdigit() else 0
    paths = sorted((ROOT / "docs/records").glob("*.json"), key=order)
    return with_table(page, "The records", list(map(record_row, paths)))


@functools.lru_cache(maxsize=None)
def records(machine):
    """Those of one of this project's machines, by the number of processes: docs/records/MACHINE-PROCESSES.json."""
    paths = sorted((ROOT / "docs/records").glob(machine + "-*.json"), key=lambda path: int(path.stem.split("-")[-1]))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def medians(case, *names):
    """Microseconds of these ways."""
    return [figures.way_in(case, name)["median_us"] for name in names]


def short(microseconds):
    return f"{microseconds:.0f}" if microseconds >= 10 else f"{microseconds:.2f}"


def cases_back_to_back(machine, functions):
    """Cases of many neighbors on all processes, of these functions."""
    for case in (case for document in records(machine) for case in document["cases"]):
        many = case["dimensions"] == 3 and case["values"] > 1
        if many and case["on"] == "all" and case["mode"] == "together" and case["function"] in functions:
            yield case


def table_of_times(machine, functions, is_shown):
    """Rows in the order of processes, function, stencil, ints; the function is left out if there is one alone."""
    lines = []
    for case in filter(is_shown, cases_back_to_back(machine, functions)):
        times = medians(case, "native", "plain", "merged", "combining", "auto")
        place = case["processes"], functions.index(case["function"]), case["stencil"], case["ints"]
        names = [str(case["processes"]), case["function"], case["stencil"], str(case["ints"])]
        if len(functions) == 1:
            del names[1]
        lines.append((place, table_row(*names, *map(short, times), f"{times[0] / times[-1]:.1f}",
                                       f"{times[1] / times[-1]:.1f}")))
    return [line for _, line in sorted(lines)]


def performance_page(page):
    """Tables of two machines: one of two cores, and one of sixteen."""
    page = with_table(page, re.escape("How long does a call take, back to back?"),
                      table_of_times("own", ["alltoall"], lambda case: case["ints"] != 16))
    page = with_table(page, re.escape("And with a core for each process?"),
                      table_of_times("cores", FUNCTIONS_OF_CORES, lambda case: case["processes"] == 16))
    page = with_table(page, re.escape("And one by one, after a barrier?"), list(map(row_apart, records("own"))))
    return with_table(page, re.escape("How fast are large blocks?"), table_of_sizes(records("own")[0]["cases"]))


def table_of_sizes(cases):
    """The gains back to back by function and stencil, a column for each of three sizes."""
    found = {(case["function"], case["stencil"], case["ints"]): medians(case, "native", "auto") for case in cases
             if case["mode"] == "together" and case["on"] == "all"}
    return [table_row(function, stencil, *(f"{native / auto:.2f}" for native, auto in
                                           (found[function, stencil, ints] for ints in (100, 1024, 16384))))
            for function in ("alltoall", "allgather", "alltoallv") for stencil in ("axes, 3-d", "(3,3)", "(3,5)")]


def row_apart(document):
    """The gains of calls after a barrier, from the smallest to the largest, by function; 26 neighbors, all sizes."""
    cells = []
    for function in ("alltoall", "allgather", "alltoallv"):
        found = [medians(case, "native", "auto") for case in document["cases"]
                 if case["neighbors"] == 26 and case["mode"] == "apart" and case["on"] == "all"
                 and case["function"] == function]
        ratios = [native / auto for native, auto in found]
        cells.append(f"{min(ratios):.1f} to {max(ratios):.1f}")
    return table_row(f"{document['machine']['ranks']:.0f}", *cells)


def shown_gains():
    """(processes, (native, plain, auto)) of README: 26 neighbors, 100 ints."""
    return [(case["processes"], medians(case, "native", "plain", "auto"))
            for case in cases_back_to_back("own", ["alltoall"]) if case["neighbors"] == 26 and case["ints"] == 100]


def readme_page(page):
    lines = [table_row(str(processes), *map(gains.time_text, times), f"{times[0] / times[-1]:.1f}")
             for processes, times in shown_gains()]
    return with_table(page, "Before and after", lines)


def gains_figure(_):
    return gains.drawing(shown_gains())


MAKERS = {"README.md": readme_page, "docs/figures/gains.svg": gains_figure, "docs/performance.md": performance_page,
          "docs/records.md": records_page, "docs/report.md": report_page, "docs/report.schema.json": schema,
          "docs/settings.md": settings_page, "docs/hopscotch.1": command_page, "docs/hopscotch.7": man_page}


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
