# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The next run uses the results of one run without trying again; a useless file is one warning."""

import json
import os
import pathlib
import platform
import re
import subprocess
import tempfile

from support import PATIENCE, check, setup

RANKS = 4
EARLY_CALLS = 2 # on a graph, before the processes agree: carried by what is predicted


def processor():
    """Its name, "" where the system has none."""
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


with tempfile.TemporaryDirectory() as directory:
    tuning = pathlib.Path(directory, "tuning.json")

    def run(file=tuning, *others):
        """Our warnings; of each operation that was tried the chosen algorithm, and the calls by each."""
        report = pathlib.Path(directory, "report.json")
        report.unlink(missing_ok=True)
        settings = {"LD_PRELOAD": ":".join([setup.paths.yielding, setup.paths.library]),
                    "HOPSCOTCH_REPORT": report, "HOPSCOTCH_TUNING": file}
        done = subprocess.run([*setup.launcher(RANKS), "env", *(f"{name}={value}" for name, value in settings.items()),
                               *others, setup.paths.stencil, "-d", "2", "-n", "4", "-i", "40", "-c"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=PATIENCE, check=False)
        check(done.returncode == 0 and "check: equal" in done.stdout, "the program is right", done.stdout + done.stderr)
        graphs = json.loads(report.read_text(encoding="utf-8"))["graphs"] if report.exists() else []
        chosen = {trial["function"]: (trial["algorithm"], trial["time_s"])
                  for graph in graphs for trial in graph["trials"] if trial["chosen"]}
        used = {function: {operation["algorithm"]: operation["calls"] for graph in graphs
                           for operation in graph["operations"] if operation["function"] == function}
                for function in chosen}
        return [line for line in done.stderr.splitlines() if line.startswith("hopscotch[0]")], chosen, used

    said, chosen, used = run()
    report_of_last = json.loads(pathlib.Path(directory, "report.json").read_text(encoding="utf-8"))
    check(not said and chosen and all(len(algorithms) > 1 for algorithms in used.values()), "the first run tries",
          f"{said} {chosen} {used}")
    learned = json.loads(tuning.read_text(encoding="utf-8"))
    check(len(learned["trials"]) == len(chosen), "the file has what was tried", str(learned))
    said, again, used = run()
    check(not said and again == chosen, "the next run has the same", f"{said} {again}, not {chosen}")
    for function, (algorithm, _) in chosen.items():
        others = sum(calls for other, calls in used[function].items() if other != algorithm)
        check(others <= EARLY_CALLS, "and tries nothing", f"{used}, chosen {chosen}")
    check(json.loads(tuning.read_text(encoding="utf-8")) == learned, "the file stays", tuning.read_text())

    # A trial fits the same library, processor and cores.
    for trial in learned["trials"]:
        version = report_of_last["version"]
        check(trial["library"] == f"{version}, {report_of_last['mpi_library']}", "the library of trials", trial)
        cores = os.sysconf("SC_NPROCESSORS_CONF")
        check(trial["machine"] == f"{' '.join(filter(None, [platform.machine(), processor()]))}, {cores} cores",
              "the machine of trials", trial)
    # Without a report the file is written as well.
    quiet = pathlib.Path(directory, "quiet.json")
    said, _, _ = run(quiet, "HOPSCOTCH_REPORT=off")
    check(not said and len(json.loads(quiet.read_text(encoding="utf-8"))["trials"]) == len(chosen),
          "results of trials are kept without a report", said)

    # Trials of many other machines, 2 MiB of them.
    learned["trials"] = [{**trial, "machine": f"machine {i}"} for trial in learned["trials"] for i in range(3000)]
    tuning.write_text(json.dumps(learned), encoding="utf-8")
    said, _, used = run()
    check(len(said) == 1 and said[0].endswith("has nothing for this MPI library and machine"), "nothing fits",
          str(said))
    check(all(len(algorithms) > 1 for algorithms in used.values()), "what does not fit is not used", str(used))
    both = json.loads(tuning.read_text(encoding="utf-8"))["trials"]
    check(both[:len(learned["trials"])] == learned["trials"] and len(both) == len(learned["trials"]) + len(chosen),
          "others keep theirs", str(both[-5:]))

    # Trials of this machine that make no sense on any process.
    learned["trials"] = both[len(learned["trials"]):]
    unknown = json.dumps(learned).replace('"shared"', '"sharing"').replace('"merged"', '"merging"')
    tuning.write_text(unknown, encoding="utf-8")
    said, _, used = run()
    check(len(said) == 1 and "is of no use" in said[0] and tuning.read_text(encoding="utf-8") == unknown,
          "algorithms that nobody knows", str(said))
    check(all(len(algorithms) > 1 for algorithms in used.values()), "nothing of it is used", str(used))

    tuning.write_text("a letter\n", encoding="utf-8")
    said, _, _ = run()
    check(len(said) == 1 and "is of no use" in said[0] and tuning.read_text(encoding="utf-8") == "a letter\n",
          "what is something else stays as it is", str(said))
    said, _, _ = run("/nowhere/tuning.json")
    check(len(said) == 1 and "/nowhere/tuning.json cannot be written" in said[0], "what cannot be written is said",
          str(said))

setup.finish()
