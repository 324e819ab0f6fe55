# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Links in README and docs lead somewhere, the questions of newcomers are answered two links from README, files that
pages name are there, tables are as the rows they are made from, pages have every setting, and docs/report.md and
docs/records.md every member of their JSON."""

import json
import re

from support import ROOT, check, setup
import tables

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# Questions of a newcomer: the links to click from README, at most two, and words of the answer.
MANUAL = "docs/README.md"
QUESTIONS = {
    "How do I run it under Slurm?": ((MANUAL, "batch.md#slurm"), ("#SBATCH", "hopscotch run srun --mpi=pmi2")),
    "Why were calls native?": ((MANUAL, "report.md#reasons"), ("| reason | meaning | remedy |", "tried by auto")),
    "How do I turn it off for one communicator?":
        ((MANUAL, "running.md#off-for-one-communicator"), ('"hopscotch_algorithm", "native"', "MPI_Comm_set_info")),
    "The results differ.": ((MANUAL, "troubleshooting.md#a-result-looks-wrong"), ("HOPSCOTCH_VERIFY=on",)),
    "It hangs.": ((MANUAL, "troubleshooting.md#it-hangs"), ("HOPSCOTCH=off", "gdb -p PID")),
    "My code uses MPI_Isend.": (("docs/advice.md",), ("hopscotch advise mpiexec", "one neighborhood collective")),
    "Does it work with GPUs?": (("docs/running.md#buffers-of-devices",), ("CUDA", "copied to host memory")),
    "How do I uninstall it?":
        (("docs/quickstart.md#uninstall",), ("ninja -C build uninstall", "apt-get remove hopscotch", "module")),
    "Where do I report a bug?": (("docs/SECURITY.md#report-a-bug",), ("Open an issue", "hopscotch doctor")),
    "Is there a release?": (("docs/changelog.md",), ("## 0.2.0", "no tag yet")),
    "How is a release made?": ((MANUAL, "contributing.md#releasing"), ("Nothing has been published yet", "git tag")),
    "How do I add an algorithm?":
        ((MANUAL, "contributing.md#recipes"), ("**An algorithm.**", "schedules/plan/algorithm.def")),
}
FIRST_SCREEN = 40  # lines


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    return set(map(anchor_of, re.findall(r"^#+ (.*)$", text, re.MULTILINE)))


def check_links():
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


def check_questions():
    """Each answer is at most two links from README away, and on the first screen of the place where the last one
    leads."""
    for question, (links, words) in QUESTIONS.items():
        check(len(links) <= 2, f"{question} {len(links)} links")
        page, shown = ROOT / "README.md", ""
        for link in links:
            text = page.read_text(encoding="utf-8")
            check(f"]({link})" in text or f"]({link}#" in text, f"{question} {page.name} has no link to {link}")
            name, _, anchor = link.partition("#")
            page = page.parent / name
            lines = page.read_text(encoding="utf-8").splitlines()
            begin = next((number for number, line in enumerate(lines)
                          if line.startswith("#") and anchor_of(line.lstrip("# ")) == anchor), 0)
            shown = "\n".join(lines[begin:begin + FIRST_SCREEN])
        for word in words:
            check(word in shown, f"{question} the first screen of {links[-1]} lacks {word!r}", shown)


def check_manual():
    """The manual's first page and the navigation of its site list every page."""
    for path in ("docs/README.md", "scripts/develop/mkdocs.yml"):
        text = (ROOT / path).read_text(encoding="utf-8")
        for page in PAGES[1:]:
            check(page.name in text or path == f"docs/{page.name}", f"{path} does not list {page.name}")


def check_chart():
    """README's chart shows the times of the table above it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    chart = (ROOT / "docs/figures/gains.svg").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| ([\d.]+ us) \| ([\d.]+ us) \| ([\d.]+ us) \|", text, re.MULTILINE)
    shown = re.findall(r"<title>(\d+) processes, [^:]*: ([\d.]+ us)</title>", chart)
    times = [(row[0], time) for row in rows for time in row[1:]]
    check(times and shown == times, "docs/figures/gains.svg differs from README", shown)


def check_tables():
    for name, _ in tables.changed():
        check(False, f"{name} differs from the rows in the sources: run python3 scripts/develop/tables.py")
    texts = [cells[1] for macro in ("REASON", "REFUSAL")
             for cells in tables.rows("schedules/selection/reasons.def", macro)]
    check(len(texts) > 40 and len(set(texts)) == len(texts), "every reason has one row", texts)


def check_settings():
    """Every page has every setting, its default first."""
    told = dict(re.findall(r"^(HOPSCOTCH\w*) = (\w+)", setup.tool("settings").stdout, re.MULTILINE))
    for name, pattern in (("docs/settings.md", r"^\* `(HOPSCOTCH\w*)` \(`?(\w+)"),
                          ("docs/hopscotch.7", r'^\.BR (HOPSCOTCH\w*) " = (\w+)')):
        written = dict(re.findall(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        check(told and written == told, f"{name}: settings", sorted(written.items() ^ told.items()))


def members_of(schema):
    if isinstance(schema, list):
        return set().union(*map(members_of, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})).union(*map(members_of, schema.values()))


def check_members():
    for schema, name, heading in (("report", "report", "## JSON\n"), ("measure", "records", "## measure.json\n")):
        members = members_of(json.loads((ROOT / f"docs/{schema}.schema.json").read_text(encoding="utf-8")))
        page = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8").partition(heading)[2]
        told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", page))))
        check(members <= told, f"docs/{name}.md tells every member of the JSON", members - told)


def check_listings():
    """Listings are parts of the files that a mark before them names."""
    for page in PAGES:
        for path, listing in re.findall(r"^<!-- from (\S+) -->\n\n```\w*\n(.*?)^```$", page.read_text(encoding="utf-8"),
                                        re.MULTILINE | re.DOTALL):
            source = (ROOT / path).read_text(encoding="utf-8")
            check(listing in source, f"{page.name}: a listing is not in {path}", listing)


check_links()
check_questions()
check_manual()
check_chart()
check_listings()
check_tables()
if setup.paths.explain:
    check_settings()
else:
    print("skipped: without --explain the settings on the pages are not compared")
check_members()
setup.finish()
