# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch run, explain, settings, --version, --help: exit status, environment, output."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from support import PATIENCE, check, setup
from hopscotch_tool import arguments, interruption, locate, say, verdict


def check_own_preloads():
    """A preload that the command line gives stays, behind the library."""
    program = setup.paths.stencil
    for words, wanted in ((["mpiexec", "-genv", "LD_PRELOAD", "a.so", program], "-genv LD_PRELOAD /l.so:a.so"),
                          (["mpiexec", "-env", "LD_PRELOAD", "a.so", program], "-env LD_PRELOAD /l.so:a.so"),
                          (["mpirun", "-x", "LD_PRELOAD=a.so", program], "-x LD_PRELOAD=/l.so:a.so"),
                          (["srun", "--export=ALL,LD_PRELOAD=a.so", program], "--export=ALL,LD_PRELOAD=/l.so:a.so"),
                          (["mpiexec", "env", "LD_PRELOAD=a.so", program], "env LD_PRELOAD=/l.so:a.so"),
                          (["mpiexec", "env", "LD_PRELOAD=/l.so", program], "env LD_PRELOAD=/l.so"),
                          (["mpiexec", "-genv", "OTHER", "LD_PRELOAD", program], "-genv OTHER LD_PRELOAD"),
                          (["mpiexec", program, "LD_PRELOAD=a.so"], f"{program} LD_PRELOAD=a.so")):
        found = " ".join(locate.command(words, "/l.so"))
        check(wanted in found, f"the preload of {words}", found)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        given = [*setup.launcher(2), "env", f"LD_PRELOAD={setup.paths.yielding}", program, "-d", "2", "-i", "5"]
        shown = setup.tool("run", "-r", file, "--", *given)
        check(shown.returncode == 0 and file.is_file(), "a report beside another preload", shown.stdout + shown.stderr)


def check_layouts():
    """Libraries and programs are found in an installation of any layout, and in builds."""
    kept = {name: os.environ.pop(name) for name in ("HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN") if name in os.environ}
    real = locate.tool_directory
    for tool, libraries, programs, model in (
            ("bin", "lib", "libexec/hopscotch", "libexec/hopscotch"),
            ("bin", "lib64", "lib64/hopscotch", "lib64/hopscotch"),
            ("bin", "lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu/hopscotch", "lib/x86_64-linux-gnu/hopscotch"),
            ("bin", "lib/x86_64-linux-gnu/hopscotch", "libexec/hopscotch", "libexec/hopscotch"),
            ("bin", "lib", "bin", "bin"),
            ("scripts", "build/shim", "build/scripts/tool", "build/scripts/simulation"),
            ("scripts", "build-own/shim", "build-own/scripts/tool", "build-own/scripts/simulation")):
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place).resolve()
            locate.tool_directory = lambda tool=tool, root=root: root / tool
            made = {"library": f"{libraries}/libhopscotch.so.0", "explain": f"{programs}/hopscotch-explain",
                    "model": f"{model}/hopscotch-model",
                    "advise": f"{libraries}/{'advise/' * (tool == 'scripts')}libhopscotch_advise.so.0",
                    "selftest": "build/test/preload/varying" if libraries == "build/shim" else
                                "build-own/test/preload/varying" if tool == "scripts" else
                                "libexec/hopscotch/libhopscotch/varying"}
            (root / tool).mkdir()
            for path in made.values():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).touch()
            found = {"library": locate.library(), "explain": locate.explain_program(), "model": locate.model_program(),
                     "advise": locate.advise_library(),
                     "selftest": locate.programs_beside(locate.library(), ["varying"], "test/preload")[0]}
            check({name: str(path.relative_to(root)) for name, path in found.items()} == made, f"found in {libraries}",
                  found)
            front = found["library"].with_name("libhopscotch_front.so")
            check(locate.front_library().startswith(f"{front} ("), "a remedy for the front library that is not there",
                  locate.front_library())
            front.touch()
            check(locate.front_library() == str(front), "the front library", locate.front_library())
            front.unlink()
            for name, function in (("library", locate.library), ("explain", locate.explain_program)):
                (root / made[name]).unlink()
                try:
                    check(False, f"{name} is not there", function())
                except locate.Missing:
                    pass
    locate.tool_directory = real
    os.environ.update(kept)


check_layouts()
check_own_preloads()

# The environment of a program: what is there stays, but for variables of the tool.
library = os.path.realpath(setup.paths.library)
for given, preload, options in (({}, library, "verify_asan_link_order=0"),
                                ({"LD_PRELOAD": f"/a.so {library}:/b.so:"}, f"{library}:/a.so:/b.so",
                                 "verify_asan_link_order=0"),
                                ({"ASAN_OPTIONS": "detect_leaks=0:verbosity=1"}, library,
                                 "verify_asan_link_order=0:detect_leaks=0:verbosity=1")):
    before = dict(os.environ)
    os.environ.pop("ASAN_OPTIONS", None)  # Meson sets it from version 1.7 on
    os.environ.update({"LD_PRELOAD": "", "HOPSCOTCH_TOOL": "x", "HOPSCOTCH_LOG": "info", "KEPT": "=", **given})
    made = locate.environment(["sh"], {"HOPSCOTCH_TRIALS": "7"})
    os.environ.clear()
    os.environ.update(before)
    check((made["LD_PRELOAD"], made["ASAN_OPTIONS"], made["HOPSCOTCH_LOG"], made["HOPSCOTCH_TRIALS"], made["KEPT"]) ==
          (preload, options, "info", "7", "=") and not set(made) & set(locate.OWN_VARIABLES),
          f"the environment with {given}", made)

for status in (0, 7, 77):
    check(setup.tool("run", "--", "sh", "-c", f"exit {status}").returncode == status,
          f"run passes exit status {status}")

shown = setup.tool("run", "--set", "HOPSCOTCH_ALGORITHM=trivial", "--report", "off", "env",
                   environment={"LD_PRELOAD": "/lib/nothing.so"})
lines = dict(line.split("=", 1) for line in shown.stdout.splitlines() if "=" in line)
check(lines.get("LD_PRELOAD") == f"{os.path.realpath(setup.paths.library)}:/lib/nothing.so", "the library is prepended",
      shown.stdout)
check(lines.get("HOPSCOTCH_ALGORITHM") == "trivial" and lines.get("HOPSCOTCH_REPORT") == "off",
      "settings are passed on")
check("HOPSCOTCH_LIBRARY" not in lines, "what only the tool reads is not passed on")

with tempfile.TemporaryDirectory() as directory:
    odd = shutil.copy(setup.paths.library, pathlib.Path(directory, "a b.so"))
    shown = setup.tool("run", "true", environment={"HOPSCOTCH_LIBRARY": str(odd)})
    check(shown.returncode == 3 and "cannot be preloaded: there is a blank" in shown.stderr, "a blank in a name",
          str(shown))
for words, value in ((["-s", "HOPSCOTCH_REPORT=a.txt", "-r", "b.txt"], "b.txt"),
                     (["-s", "HOPSCOTCH_REPORT=a.txt", "-s", "HOPSCOTCH_REPORT=c.txt"], "c.txt")):
    shown = setup.tool("run", *words, "sh", "-c", "echo $HOPSCOTCH_REPORT", environment={"HOPSCOTCH_REPORT": "d.txt"})
    check(shown.stdout == value + "\n", f"run {words}: the last one holds", shown.stdout)
shown = setup.tool("run", "-s", "HOPSCOTCH_LOG=error", "true")
check(shown.stderr == "", "run says nothing under -s HOPSCOTCH_LOG=error", shown.stderr)
for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"):
    shown = [setup.tool("run", "true", environment={name: rank}).stderr for rank in ("0", "1")]
    check(shown[0].count("\n") == 1 and shown[1] == "", f"run: one line from the first process by {name}", str(shown))

for command in ([], ["run"], ["compare"], ["explain"], ["map"], ["report"], ["doctor"], ["settings"]):
    check("usage:" in setup.tool(*command, "--help").stdout, f"{command} --help")
    check(setup.tool(*command, "--version").stdout.startswith("hopscotch "), f"{command} --version")

torus = json.loads(setup.tool("explain", "--dims", "3px3p", "--stencil", "moore", "--json").stdout)
check((torus["neighbors"], torus["rounds"], torus["alltoall"]["volume"], torus["allgather"]["volume"]) == (8, 4, 12, 8),
      "the worked example", str(torus))
check([[r["own_blocks"], r["forwarded_blocks"]] for p in torus["alltoall"]["phases"] for r in p["rounds"]] ==
      [[3, 0], [3, 0], [1, 2], [1, 2]], "its messages", str(torus))
check([(torus[name]["cutoff_bytes"], torus[name]["pays"]) for name in ("alltoall", "allgather")] ==
      [(15000, True), (None, True)], "the cut-off: 4 messages of 1.5 us less, 4 blocks of 0.1 ns a byte more",
      str(torus))
axes = json.loads(setup.tool("explain", "--dims", "9px9p", "--stencil", "neumann", "--json").stdout)
check([(axes[name]["cutoff_bytes"], axes[name]["pays"]) for name in ("alltoall", "allgather")] == [(None, False)] * 2,
      "no message is saved", str(axes))
for dims, stencil, drawn in (
        ("4px4p", "0,1;1,1", ["    . . .", "    . X 1", "    . . 2"]), ("5p", "star:2", ["    1 1 X 1 1"]),
        ("3px3px3p", "moore", ["    3 2 3   2 1 2   3 2 3", "    2 1 2   1 X 1   2 1 2",
                               "    3 2 3   2 1 2   3 2 3"]),
        ("9px9px9p", "1,0,0;0,-1,0;0,0,1", ["    . . .   . 1 .   . . .", "    . . .   . X 1   . 1 .",
                                            "    . . .   . . .   . . ."]),
        ("20p", "star:7", []), ("3px3px3px3p", "moore", [])):
    told = setup.tool("explain", "--dims", dims, "--stencil", stencil).stdout.partition("   X: the process")
    check((told[0].splitlines()[3:] if told[1] else []) == drawn, f"the drawing of {stencil} on {dims}", told[0])
figure_2 = json.loads(setup.tool("explain", "--dims", "9px9px9p", "--stencil", "-2,1,1;-1,1,1;1,1,1;2,1,1",
                                 "--json").stdout)
check(figure_2["allgather"]["volume"] == 6 and figure_2["allgather"]["dimension_order"][-1] == 0, "figure 2",
      str(figure_2))
check(arguments.grid("4096x4096p") == "4096x4096p", "the largest process grid")
try:
    check(not arguments.grid("4096x4097"), "a process grid that is too large")
except argparse.ArgumentTypeError:
    pass
told = setup.tool("explain", "--dims", "3px3p").stdout.splitlines()
for line in ("process grid  3px3p, 9 processes", "    2 1 2", "  phase 2, dimension 1", "    shift -1  3 blocks",
             "    shift +1  3 blocks, 2 of them in transit", "Messages and blocks that process 4 sends; a block in "
             "transit is one of another process.", "Predictions assume 1.5 us per message and 10 GB/s.",
             "stencil      moore, radius 1: 8 neighbors",
             "alltoall     4 messages instead of 8, with 12 blocks instead of 8",
             "allgather    4 messages with 8 blocks, best order of dimensions 0, 1"):
    check(line in told, f"explain: {line}", told)
for rank, shifts in ((0, [[1], [1]]), (4, [[-1, 1], [-1, 1]]), (11, [[-1], [-1]])):
    mesh = json.loads(setup.tool("explain", "--dims", "4x3", "--stencil", "neumann", "--rank", str(rank),
                                 "--json").stdout)
    found = [[round["shift"] for round in phase["rounds"]] for phase in mesh["alltoall"]["phases"]]
    check(mesh["rank"] == rank and found == shifts, f"explain --rank {rank}", str(mesh))
check(setup.tool("explain", "--dims", "3x3", "--stencil", "1,2,3").returncode == 2, "explain: three shifts")


def bounds(grid, stencil):
    """Phases, rounds proven and reached, blocks proven and reached, groups: the rows of the table."""
    shown = setup.tool("explain", "--bounds", "--dims", grid, "--stencil", stencil)
    check(shown.returncode == 0 and shown.stderr == "", f"explain --bounds {grid} {stencil}", shown.stderr)
    return [line.split() for line in shown.stdout.splitlines() if "+" in line.split(" ")[-1] or "/" in line]


for d, n, expected in ((3, 3, "2 9 10 42 42 0/1+2"), (3, 3, "3 6 6 54 54 0/1/2"),
                       (3, 5, "6 8 9 340 375 0:2/1:2/2:2"), (5, 5, "2 110 148 6100 6100 0+1/2+3+4"),
                       (5, 5, "10 13 15 13495 15625 0:2/1:2/2:2/3:2/4:2")):
    rows = bounds("x".join(["9p"] * d), f"box:{n}:-1")
    check(expected.split() in rows, f"the bounds of ({d},{n})", str(rows))

CUBE = ("explain", "--selection", "--dims", "3px3px3p", "--stencil", "moore")


def selected(*options, **environment):
    """The rows of the only table: words."""
    shown = setup.tool(*CUBE, *options, environment=environment)
    check(shown.returncode == 0 and shown.stderr == "", f"explain --selection {options}", shown.stderr)
    return [line.split() for line in shown.stdout.splitlines() if line.startswith("  ")][1:]


check(selected("--collective", "alltoall", HOPSCOTCH_ALGORITHM="combining", HOPSCOTCH_CUTOFF="4K") ==
      [["0", "to", "4096", "combining", "fixed"],
       ["4097", "and", "more", "merged", *"fixed: its blocks are larger than HOPSCOTCH_CUTOFF".split()]],
      "what is asked for")
check([row[:4] for row in selected("--collective", "alltoall", "--nodes", "27")] ==
      [["0", "to", "1407", "combining"], ["1408", "to", "2047", "merged"], ["2048", "to", "11263", "merged"],
       ["11264", "and", "more", "merged"]],
      "what auto predicts and tries")
check([row[3:] for row in selected("--collective", "alltoall", "--nodes", "8", "--dims", "8p", "--stencil", "box:5:-1",
                                   HOPSCOTCH_ALGORITHM="combining")] == [["combining", "0:2", "fixed"],
                                                                         ["combining", "fixed"]],
      "by which schedule blocks are combined")
check(selected("--collective", "alltoall", "--nodes", "8", "--dims", "8p", "--stencil", "box:5:-1")[0][3:5] ==
      ["combining", "0:2"], "auto combines where only a split saves messages")
check(selected("--collective", "global_allgather", "--nodes", "9")[0][3] == "aggregated", "everyone's blocks on nodes")
check([row[3:] for row in selected("--collective", "alltoall", "--sizes", "8,4K")] ==
      [["shared", "tried", "(shared,", "merged)"], ["shared", "tried", "(shared,", "merged,", "trivial,", "native)"]],
      "what auto tries on one node, for some sizes")
check(selected("--collective", "alltoall", "--nodes", "3")[0][3] == "aggregated", "what auto predicts on three nodes")
for nodes, words in (("1", "at most 27 on each of 1 node"), ("10", "at most 3 on each of 10 nodes"),
                     ("26", "at most 2 on each of 26 nodes")):
    shown = setup.tool(*CUBE, "--nodes", nodes, "--collective", "alltoall").stdout
    check(f"27 processes, {words}\n" in shown, f"explain --selection on {nodes} nodes", shown)
check(len(setup.tool(*CUBE, "--nodes", "27").stdout.split("\n\n")) == 8, "all collectives")
for wrong, named in ((["--nodes", "28"], "28 nodes"), (["--nodes", "x"], "'x'"), (["--collective", "bcast"], "'bcast'"),
                     (["--sizes", "8,many"], "'many'"), (["--json"], "--json"), (["--rank", "1"], "--rank")):
    shown = setup.tool(*CUBE, *wrong)
    check(shown.returncode == 2 and named in shown.stderr, f"explain --selection {wrong}", shown.stderr)
shown = setup.tool(*CUBE, environment={"HOPSCOTCH_ALGORITHM": "fastest"})
check(shown.returncode == 2 and "fastest" in shown.stderr, "explain --selection names a wrong setting", shown.stderr)
shown = setup.tool("explain", "--dims", "3x3", "--nodes", "2")
check(shown.returncode == 2 and "--selection" in shown.stderr, "--nodes without --selection", shown.stderr)

shown = setup.tool("settings", environment={"HOPSCOTCH_ALGORITHM": "combining"})
check("HOPSCOTCH_ALGORITHM = combining  (set)" in shown.stdout and "HOPSCOTCH_LOG = warn  (default)" in shown.stdout,
      "settings", shown.stdout + shown.stderr)
check(shown.stderr == "", "settings warn of nothing", shown.stderr)
NO_DIFFERENCE = "auto and native: no difference beyond the spread"
for base, times, expected in (
        ([3, 3.1, 3], [1, 1.1, 1.5],
         "auto is faster than native: 2.82 times as fast, median of 3 rounds (2.00-3.00, worst quartile 2.00)"),
        ([1, 1.1, 1], [3, 3.3, 3],
         "auto is slower than native: 0.33 times as fast, median of 3 rounds (0.33-0.33, worst quartile 0.33)"),
        ([1, 1.1, 1], [1, 0.9, 1.2],
         f"{NO_DIFFERENCE}: 1.00 times as fast, median of 3 rounds (0.83-1.22, worst quartile 0.83)"),
        ([1, 1, 1], [0.99, 0.99, 0.99],
         f"{NO_DIFFERENCE}: 1.01 times as fast, median of 3 rounds (1.01-1.01, worst quartile 1.01)"),
        ([400, 500, 600, 700, 800], [10, 10, 10, 10, 400],
         f"{NO_DIFFERENCE}: 50.0 times as fast, median of 5 rounds (2.00-70.0, worst quartile 40.0)"),
        ([1], [1], "auto and native: one run says nothing of the spread; -n 5 does"),
        ([0, 0], [1, 1], "auto and native: nothing was timed")):
    found = verdict.sentence("native", "auto", base, times)
    check(found == expected, "compare: the verdict", found)

# The file of defaults of the system; one that is named, or off, goes before it.
if setup.paths.explain:
    script = ("mount -t tmpfs none /etc || exit 77; echo HOPSCOTCH_LOG = error > /etc/hopscotch.conf; "
              "echo HOPSCOTCH_LOG = info > /etc/other.conf; "
              'for config in "" off /etc/other.conf; do HOPSCOTCH_CONFIG=$config "$0" settings; done')
    shown = subprocess.run(["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", script,
                            setup.paths.explain], capture_output=True, text=True, check=False)
    if "mount" in shown.stderr or "unshare" in shown.stderr:
        print("skipped: no file system may be mounted here; /etc/hopscotch.conf is not looked at")
    else:
        told = [json.loads(text) for text in re.split(r"(?<=^}\n)", shown.stdout, flags=re.MULTILINE) if text.strip()]
        check([(one["file"], one["changed"].get("HOPSCOTCH_LOG")) for one in told] ==
              [("/etc/hopscotch.conf", "error"), ("", None), ("/etc/other.conf", "info")], "the system's file",
              shown.stdout + shown.stderr)

# Texts from outside in the library's form of them, see harmless_test.cpp.
for given, told in (("plain \u20ac \xe9 \xa0", "plain \u20ac \xe9 \xa0"),
                    ("\x1b[2J\r\n\t\x7f", "\\x1b[2J\\x0d\\x0a\\x09\\x7f"), ("\0", "\\x00"),
                    ("\x9b2J", "\\xc2\\x9b2J"), (os.fsdecode(b"caf\xe9 \x9b"), "caf\ufffd \ufffd"), ("", "")):
    check(say.harmless(given) == told, "a text without harm", say.harmless(given))

# A signal that comes while a command is started is raised behind it; the second of two hurries, but not at once.
asked = interruption.Asked()
with contextlib.suppress(interruption.Interrupted):
    interruption.asked = asked
    begun = False
    with interruption.deferred():
        asked.take(signal.SIGTERM, None)
        begun = True
    check(False, "a deferred signal")
check(begun and not asked.again, "a deferred signal waits", vars(asked))
asked.take(signal.SIGTERM, None) # timeout(1) sends each twice
check(not interruption.in_a_hurry(), "a signal that is sent twice")
asked.since -= 2 * interruption.APART
asked.take(signal.SIGINT, None)
check(interruption.in_a_hurry(), "a second signal")
try:
    interruption.Asked().take(signal.SIGHUP, None)
    check(False, "a signal")
except interruption.Interrupted as error:
    check((str(error), error.status) == ("SIGHUP", 129), "a signal", error)
handlers = {number: signal.getsignal(number) for number in interruption.SIGNALS}
signal.signal(signal.SIGHUP, signal.SIG_IGN) # as nohup does
signal.signal(signal.SIGTERM, signal.SIG_DFL)
interruption.catch_signals()
caught = {number for number in interruption.SIGNALS if signal.getsignal(number) == interruption.asked.take}
check(caught == {signal.SIGINT, signal.SIGTERM} and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN,
      "a signal that is ignored from the start", caught)
for number, handler in handlers.items():
    signal.signal(number, handler)

# A command line that the tool prints moves no cursor, and bytes that are not UTF-8 stop nothing.
odd = os.fsdecode(b"/nowhere/\xff\x1b[2J\n")
for command, status in (("run", 127), ("doctor", 127)):
    shown = setup.tool(command, "--", odd)
    check("/nowhere/\ufffd\\x1b[2J\\x0a" in shown.stdout + shown.stderr and shown.returncode == status,
          f"{command}: an odd name", str(shown))

# A program is given the library for its family of MPI libraries, or runs as it does alone.
for program, name in ((setup.paths.standard_abi, "libhopscotch_abi.so"), (setup.paths.other, "libhopscotch")):
    shown = setup.tool("run", "sh", "-c", "echo preloaded: $LD_PRELOAD.", program,
                       environment={"HOPSCOTCH_LIBRARY": ""})
    if name not in shown.stdout: # it is not built here
        check(shown.stdout == "preloaded: .\n" and shown.stderr.count("\n") == 1
              and "is needed: meson setup" in shown.stderr, "run: another family", str(shown))

# AddressSanitizer wants to be the first library. By the tool, and by hand as docs/running.md says. A leak in a plug-in
# of the MPI library (that of hwloc for displays leaks) ends the program natively, too.
if setup.paths.address_sanitizer:
    program = [*setup.launcher(2), setup.paths.address_sanitizer, "-d", "2", "-i", "5"]
    native = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=False)
    leaks = ":detect_leaks=0" if "detected memory leaks" in native.stderr else ""
    by_hand = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0" + leaks, "LD_PRELOAD": setup.paths.library}
    runs = {"run": setup.tool("run", *program, environment={"ASAN_OPTIONS": "abort_on_error=0" + leaks}),
            "by hand": subprocess.run(program, env=by_hand, capture_output=True, text=True, timeout=PATIENCE,
                                      check=False)}
    for name, shown in runs.items():
        check(shown.returncode == 0 and "10 carried by Hopscotch" in shown.stderr, f"{name}: AddressSanitizer",
              str(shown))
else:
    print("skipped: the compiler has no AddressSanitizer")
setup.finish()
