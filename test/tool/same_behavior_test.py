# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/develop/same_behavior finds no difference between two records of one build, and every difference between a
build and a record of another behavior."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile

from support import ROOT, setup

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("same_behavior", str(ROOT / "scripts/develop/same_behavior"))
same_behavior = importlib.util.module_from_spec(importlib.util.spec_from_loader("same_behavior", loader))
loader.exec_module(same_behavior)


def compared(build, path):
    """(the number of differences, the lines that tell them)"""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        found = same_behavior.compare(build, path)
    return found, printed.getvalue().splitlines()


def report(time, messages, titles):
    return {"time_s": time, "messages": messages, "durations": [time], "text": f"{time} ms in /tmp/{time}, rank 2 on a",
            "groups": [{"title": title, "time_s_text": f"{time} s"} for title in titles]}


def cleaned(*arguments):
    return same_behavior.members(same_behavior.without_times(report(*arguments)))


setup.check(cleaned(1.5, 7, "ab") == cleaned(2.25, 7, "ba"), "times, paths, the order of groups", cleaned(1, 7, "ab"))
setup.check(cleaned(1, 7, "ab") != cleaned(1, 8, "ab"), "another number of messages")
setup.check(cleaned(1, 7, "ab") != cleaned(1, 7, "ac"), "another group")
found = list(same_behavior.differences({"/a": 1, "/b": 2, "/v": 1}, {"/a": 1, "/b": 3, "/c": 4, "/v": 2}, {"/v"}))
setup.check(found == ["/b: was 2, is 3", "/c: was missing, is 4"], "differences", found)
setup.check(same_behavior.constant([{"/a": 1, "/b": 2}, {"/a": 1, "/b": 3}]) == {"/a": 1}, "constant members")

build = pathlib.Path(setup.paths.library).parents[1]
with tempfile.TemporaryDirectory() as place:
    path = pathlib.Path(place, "before.json")
    same_behavior.record(build, path, 1)
    differing, lines = compared(build, path)
    setup.check(differing == 0 and len(lines) == 1, "the same build", lines)

    before = json.loads(path.read_text(encoding="utf-8"))
    setup.check(any("/MPI_Neighbor_alltoall" in name for name in before["still"]), "symbols are recorded")
    setup.check(any(name.startswith("/help/hopscotch run --help/") for name in before["still"]), "help is recorded")
    changed = next(name for name in before["still"] if name.startswith("/symbols/"))
    before["still"][changed] = "another"
    del before["still"]["/help/hopscotch --help/0"]
    wanted = [f"{changed}: ", "/help/hopscotch --help/0: was missing"]
    for walk in before["walks"]:
        for name in "/account/", "/report/graphs/":
            changed = next(each for each in walk["constant"] if each.startswith(name))
            walk["constant"][changed] = "another"
            wanted.append(f"walk 1{changed}: ")
    path.write_text(json.dumps(before), encoding="utf-8")
    differing, lines = compared(build, path)
    right = differing == len(wanted) and all(any(line.startswith(text) for line in lines) for text in wanted)
    setup.check(right, "another behavior", lines)
setup.finish()
