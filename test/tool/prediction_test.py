# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch explain --network: its predictions, their order, and the GOAL files that it writes."""

import json
import pathlib
import re
import tempfile

from support import check, setup

SMALL = ("--nodes", "8", "--ranks-per-node", "4", "-d", "2", "-n", "3", "--bytes", "8")


def predicted(network, *words):
    shown = setup.tool("explain", "--network", network, *words, "--json")
    check(shown.returncode == 0, f"{network} {words}", shown.stderr)
    return json.loads(shown.stdout or "{}")


found = predicted("fat-tree", *SMALL)
check(found["neighbors"] == 8 and found["nodes"] == 8 and found["allocation"] == "block", "the job", found)
check(set(found["seconds"]) == {"direct", "merged", "combining", "family", "aggregated", "auto"}, "ways", found)
check(found["fastest"] == min((way for way in found["seconds"] if way != "auto"), key=found["seconds"].get),
      "the fastest way", found)
check(abs(found["gain"] - found["seconds"]["direct"] / found["seconds"][found["fastest"]]) < 1e-9, "its gain", found)
check(found["gain"] > 1.5, "blocks of 8 bytes", found)

LARGE = ("--nodes", "128", "--ranks-per-node", "8", "-d", "3", "-n", "3", "--bytes", "65536", "--allocation",
         "fragmented:1")
times = [predicted(network, *LARGE)["seconds"] for network in ("fat-tree", "fat-tree:2", "fat-tree:4")]
for way in times[0]:
    check(times[0][way] <= times[1][way] <= times[2][way], f"a taper makes nothing faster: {way}", times)
check(times[2]["direct"] > 1.5 * times[0]["direct"], "a taper of 4 counts with large blocks", times)
check(times[2]["combining"] > times[2]["direct"], "combining sends more bytes", times)
check("aggregated" not in predicted("torus", "--nodes", "8", "--ranks-per-node", "1", "-d", "2", "-n", "3", "--bytes",
                                    "8")["seconds"], "one process on each node")

shown = setup.tool("explain", "--network", "dragonfly:4", *SMALL)
for text in ("dragonfly:4, 8 nodes (block) of 4 processes", "8 neighbors", "in order", "choice of auto", "fastest: ",
             "By a model, not measured"):
    check(text in shown.stdout, f"the text has '{text}'", shown.stdout + shown.stderr)

with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory, "calls.goal")
    for way, messages in (("combining", 4), ("direct", 8), (None, 4)):
        chosen = ["--way", way] if way else []
        shown = setup.tool("explain", "--network", "torus", *SMALL, "--goal", path, *chosen)
        text = path.read_text(encoding="utf-8")
        check(shown.returncode == 0 and text.startswith("num_ranks 32\n"), f"--goal {way}", shown.stderr + text[:200])
        check(len(re.findall(r": send \d+b to", text)) == len(re.findall(r": recv \d+b from", text)) == 32 * messages,
              f"messages of {way}", text[:500])
    path.write_text("somebody's\n", encoding="utf-8")
    shown = setup.tool("explain", "--network", "torus", *SMALL, "--goal", path)
    check(shown.returncode == 3 and path.read_text(encoding="utf-8") == "somebody's\n", "another's file", shown.stderr)
    shown = setup.tool("explain", "--network", "torus", *SMALL, "--goal", path, "--force")
    check(shown.returncode == 0, "--force", shown.stderr)
setup.finish()
