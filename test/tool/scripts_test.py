# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scripts for people, with stand-ins for packages, builds and runs: setup, demo, test, benchmark, device_test, and
the jobs of an installation."""

import contextlib
import importlib.machinery
import importlib.util
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import types

from support import ROOT, check, setup
import gauge
from hopscotch_tool.measuring import figures

SCRIPTS = ROOT / "scripts"
BUILDING = {"meson", "ninja-build", "pkg-config", "g++", "libmpich-dev", "mpich", "libunwind8", "libdw-dev",
            "nlohmann-json3-dev", "python3"}
TESTING = {"gfortran", "catch2", "clang-format", "python3-fastjsonschema", "binutils", "spin", "mkdocs", "black",
           "isort", "flake8"}
OTHER_FAMILY = {"libopenmpi-dev", "openmpi-bin", "python3-mpi4py", "python3-numpy"}


def program(folder, name, text):
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def run(command, **environment):
    """A shell cannot catch signals that are ignored when it starts."""
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                          env={**os.environ, **environment})


def copied(tree, *names):
    """Scripts in a tree of their own, without pauses between lines of progress."""
    for name in names:
        path = tree / "scripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCRIPTS / name, path)
        if name == "develop/stages.sh":
            path.write_text(path.read_text(encoding="utf-8").replace('-ge "$pause"', "-ge 0"), encoding="utf-8")


# A program that asks for progress by `tail`, which is counted: two more lines come before the stand-in goes on.
COUNTED_TAIL = 'echo >> "$LOOKS"; exec {} "$@"'
SHOWN = ('shown() { before=$(wc -l < "$LOOKS"); until [ "$(wc -l < "$LOOKS")" -ge $((before + 2)) ]; '
         'do /bin/sleep 0.05; done; }')


def module(path):
    """A script in Python, as a module."""
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(made)
    return made


@contextlib.contextmanager
def replaced(place, **members):
    """Other members of a module for a while."""
    before = {name: getattr(place, name) for name in members}
    for name, value in members.items():
        setattr(place, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(place, name, value)


def quietly(function, *words):
    """The result of a main function with these words as arguments, and its output."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), replaced(sys, argv=["script", *map(str, words)]):
        result = function()
    return result, printed.getvalue()


# ---- setup

def check_progress(folder):
    """A progress that ends at once does not run the EXIT trap of its script."""
    copied(folder, "develop/stages.sh")
    words = (f". {folder}/scripts/develop/stages.sh; file=$(mktemp); trap 'end_progress; rm -f \"$file\"' EXIT; "
             'for _ in $(seq 100); do begin_progress 5 true; end_progress; ls "$file" >/dev/null; done')
    done = subprocess.run(["bash", "-euc", words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    check(done.returncode == 0 and not done.stdout, "a progress that ends at once", done.stdout)


def check_setup(folder):
    """It installs what is missing for the purpose, and nothing else."""
    asked = folder / "apt"
    program(folder, "dpkg-query", "for word; do :; done\n"
            'case " $THERE " in *" $word "*) printf installed ;; *) exit 1 ;; esac')
    program(folder, "apt-get", f'echo "$@" >> {asked}; [ "$1" != "$FAILING" ] || {{ echo no network; exit 9; }}')
    program(folder, "id", "echo 0")
    path = f"{folder}:{os.environ['PATH']}"
    for words, wanted in (([], BUILDING | TESTING), (["mpich"], BUILDING | TESTING), (["abi"], BUILDING | TESTING),
                          (["openmpi"], BUILDING | TESTING | OTHER_FAMILY), (["demo"], BUILDING)):
        for there in ({"g++", "catch2", "mpich"}, wanted):
            asked.unlink(missing_ok=True)
            done = run([SCRIPTS / "setup", *words], PATH=path, THERE=" ".join(there))
            calls = [line.split() for line in asked.read_text(encoding="utf-8").splitlines()] if asked.exists() else []
            found = set(calls[-1][1:]) - {"--quiet", "--yes", "--no-install-recommends"} if calls else set()
            missing = wanted - there
            if shutil.which("pkg-config"):
                missing -= {"pkg-config"}
            check(done.returncode == 0 and found == missing and
                  [call[0] for call in calls] == ["update", "install"] * bool(missing),
                  f"setup {words}", f"{found ^ missing} {done.stderr}")
    copied(folder, "setup", "develop/stages.sh")
    looks = folder / "looks"
    looks.touch()
    program(folder, "tail", COUNTED_TAIL.format(shutil.which("tail")))
    program(folder, "apt-get", f'{SHOWN}; [ "$1" = update ] || {{ echo Unpacking one; shown; }}')
    done = run([folder / "scripts/setup"], PATH=path, THERE="", LOOKS=str(looks))
    check(done.returncode == 0 and re.search(r"^    \d+:\d\d apt-get: Unpacking one$", done.stdout, re.MULTILINE),
          "setup: its progress", done.stdout + done.stderr)
    (folder / "tail").unlink()
    program(folder, "apt-get", '[ "$1" != "$FAILING" ] || { echo no network; exit 9; }')
    for failing in ("update", "install"):
        done = run([SCRIPTS / "setup"], PATH=path, THERE="", FAILING=failing)
        check(done.returncode == 1 and "no network" in done.stderr and f"this failed: apt-get {failing}" in done.stderr,
              f"setup: {failing} fails", done.stderr)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "bash").symlink_to(shutil.which("bash"))
    done = run([shutil.which("bash"), SCRIPTS / "setup", "demo"], PATH=str(elsewhere))
    check(done.returncode == 0 and set(done.stderr.partition("please install: ")[2].split()) == BUILDING,
          "setup elsewhere", done.stderr)


# ---- demo

# Prints a time that the algorithm and the round give, and writes a report; with ODD one run has another result.
MPIEXEC = """
name=none
while [ "$1" != "${1#-}" ]; do
    [ "$1" = -n ] && ranks=$2 && shift 2 && continue
    case $2 in
        HOPSCOTCH_ALGORITHM) name=$3 ;;
        HOPSCOTCH_REPORT) report=$3 ;;
        LD_PRELOAD) preload=$3 ;;
    esac
    shift 3
done
case $name in none) time=80 ;; native) time=90 ;; auto) time=10 ;; shared) time=20 ;; *) time=40 ;; esac
round=$(grep -c "^$ranks $name " "$RUNS"); [ -n "$round" ] || round=0
echo "$ranks $name $preload" >> "$RUNS"
case $round in 0) time=$((time * 3)) ;; 1) time=$((time / 2)) ;; esac
[ "$name$round" = "${ODD-}" ] && echo "checksum: other" || echo "checksum: same"
echo "time: 1 s, $time us per iteration"
echo "the report of $name, round $round" > "$report"
[ "$name$round" = "${FAILING-}" ] && exit 4
exit 0
"""


def check_demo(folder):
    """Medians, shortest and longest times, speed-ups of known times; other results and failed runs end it."""
    tree = folder / "tree"
    copied(tree, "demo", "develop/stages.sh")
    program(tree, "scripts/setup", '[ "$*" = demo ]')
    program(tree, "scripts/develop/others.sh", 'load_of_others() { echo "${LOAD-0.00}"; }\nbegin_watch() { :; }\n'
            'cores_of_others() { echo "${OTHERS-0.0}"; }')
    (tree / "build").mkdir()
    (tree / "build" / "build.ninja").touch()
    program(folder, "bin/tail", COUNTED_TAIL.format(shutil.which("tail")))
    program(folder, "bin/ninja", f'{SHOWN}; shown; echo "[3/40] Compiling"; shown')
    program(folder, "bin/mpiexec.mpich", MPIEXEC)
    program(folder, "bin/nproc", "echo 2")
    program(folder, "bin/sleep", ":")
    runs = folder / "runs"
    looks = folder / "looks"
    looks.touch()

    def demo(*words, **environment):
        runs.write_text("", encoding="utf-8")
        return run([tree / "scripts/demo", *words], PATH=f"{folder}/bin:{os.environ['PATH']}", RUNS=str(runs),
                   LOOKS=str(looks), **environment)

    done = demo(LOAD="1.00", OTHERS="0.2")
    stages = re.findall(r"^=== (\d+) of (\d+), \d+:\d\d ", done.stdout, re.MULTILINE)
    check(stages == [(str(i + 1), "12") for i in range(12)], "demo: stages have numbers", stages)
    shown = list(dict.fromkeys(re.findall(r"^    \d+:\d\d (.*)$", done.stdout, re.MULTILINE)))
    check(shown == ["none of the files", "3 of 40 files"], "demo: the progress of the build", shown)
    rows = re.findall(r"^(?:without |HOPSCOTCH_ALGORITHM=)(\w+) +(\d+) +(\d+) - (\d+) +([\d.]+)$", done.stdout,
                      re.MULTILINE)
    wanted = [(name, str(time), str(time // 2), str(time * 3), f"{80 / time:.2f}") for name, time in
              (("Hopscotch", 80), ("native", 90), ("trivial", 40), ("merged", 40), ("combining", 40), ("shared", 20),
               ("auto", 10))]
    check(done.returncode == 0 and rows == wanted * 2, "demo: the table", f"{rows} {done.stdout[-2000:]}{done.stderr}")
    check(done.stdout.count("All 35 runs printed this same checksum") == 2 and
          "the report of auto, round 4" in done.stdout and "busy" not in done.stdout
          and "on 2 ranks 8.00 times as fast" in done.stdout
          and "on 8 ranks 8.00 times as fast as without it (they share 2 cores)" in done.stdout, "demo: its end",
          done.stdout[-2000:])
    lines = [line.split(" ") for line in runs.read_text(encoding="utf-8").splitlines()]
    names = [name for _, name, *_ in lines[:7]]
    check(len(lines) == 70 and [name for _, name, *_ in lines] == names * 10 and
          [ranks for ranks, *_ in lines] == ["2"] * 35 + ["8"] * 35, "demo: algorithms take turns", lines)
    for ranks, name, preload in lines:
        parts = [part for part in preload.split(":") if part]
        check([pathlib.Path(part).name.partition(".so")[0] for part in parts] ==
              ["libyielding"] * (ranks == "8") + ["libhopscotch"] * (name != "none"), "demo: preloads", preload)
    for others, why in (({"LOAD": "1.01"}, "others use this machine: load 1.01 on 2 cores"),
                        ({"OTHERS": "0.3"}, "others used 0.3 of 2 cores during the runs")):
        done = demo("2", **others)
        check(done.returncode == 0 and f"too busy to compare times ({why})" in done.stdout
              and "times as fast" not in done.stdout and "the results were the same" in done.stdout
              and len(re.findall(r"^HOPSCOTCH_ALGORITHM=\w+ .* -$", done.stdout, re.MULTILINE)) == 6,
              f"demo: {others}", done.stdout[-2000:] + done.stderr)
    done = demo("3", "-d", "1")
    check(done.returncode == 0 and "mpiexec -n 3 stencil -d 1\n" in done.stdout
          and done.stdout.count("All 35 runs") == 1, "demo: ranks and options", done.stdout[:2000] + done.stderr)
    done = demo("2", ODD="merged2")
    check(done.returncode == 1 and "the results differ" in done.stderr, "demo: another result", done.stderr)
    done = demo("2", FAILING="shared1")
    check(done.returncode == 1 and "of 2 ranks with HOPSCOTCH_ALGORITHM=shared failed" in done.stderr,
          "demo: a run fails", done.stderr)
    done = run(["bash", "-c", r""". "$0"; counted_time() { printf "$at"; }; at='100.0\n1000\n50'; begin_watch
                                  at='110.0\n2500\n550'; cores_of_others""", SCRIPTS / "develop/others.sh"])
    check(done.stdout == f"{1000 / os.sysconf('SC_CLK_TCK') / 10:.1f}", "demo: cores of others", done.stderr)


# ---- test

MESON = """
echo "$@" >> "$CALLS"
[ "$1" = "$STOPPED" ] && kill -s "$SIGNAL" "$PPID" && sleep 60 && echo late >> "$CALLS"
build=$(printf '%s\\n' "$@" | grep '^build' | head -1)
[ "$1" = "$FAILING" ] && exit 3
mkdir -p "$build/meson-logs"; touch "$build/build.ninja"
[ "$1" = test ] || exit 0
printf '%s\\n' "$RESULTS" > "$build/meson-logs/testlog.json"
exit "${STATUS:-0}"
"""
PASSED, FAILED, SKIPPED = (json.dumps({"name": f"suite / {word}", "result": result, "stdout": out})
                           for word, result, out in (("a", "OK", "skipped: no zsh\nmore"), ("b", "FAIL", "no 9"),
                                                     ("c", "SKIP", "")))


def check_test(folder):
    """Configures, builds and runs what is asked for; the last line is the count of what has passed and failed."""
    tree = folder / "tree"
    copied(tree, "test", "develop/stages.sh", "develop/count_tests.py", "develop/tests_left.py")
    program(tree, "scripts/setup", 'echo "setup $@" >> "$CALLS"; [ "$STOPPED" != packages ] || '
            '{ kill -s "$SIGNAL" "$PPID"; kill -s "$SIGNAL" $$; }; [ "$FAILING" != packages ]')
    (tree / "scripts/develop/known_tests.py").write_text("import sys\nsys.exit('unknown' in sys.argv)\n",
                                                         encoding="utf-8")
    program(folder, "bin/meson", MESON)
    calls = folder / "calls"

    def test(*words, **environment):
        shutil.rmtree(tree / "build-test", ignore_errors=True)
        calls.write_text("", encoding="utf-8")
        done = run([tree / "scripts/test", *words], PATH=f"{folder}/bin:{os.environ['PATH']}", CALLS=str(calls),
                   **{"CXX": "", "CXXFLAGS": "", "RESULTS": PASSED, "FAILING": "", "STOPPED": "", **environment})
        return done.returncode, done.stdout.splitlines(), calls.read_text(encoding="utf-8").splitlines()

    day = ["--no-rebuild", "--no-suite", "night"]
    tried = f"--print-errorlogs --timeout-multiplier 10 --num-processes {len(os.sched_getaffinity(0))}"
    options = "-Dwerror=true -Dtests=enabled -Dmpi={} -Dcpp_args=-g0 -D_GLIBCXX_ASSERTIONS=1"
    for words, build, family, chosen in (([], "build-test", "mpich", day),
                                         (["--openmpi"], "build-test-openmpi", "openmpi", day),
                                         (["night"], "build-test", "mpich", ["--suite", "night"]),
                                         (["--abi", "quick"], "build-test-abi", "abi", ["--suite", "quick"]),
                                         (["quick"], "build-test", "mpich", ["--suite", "quick"]),
                                         (["a", "b"], "build-test", "mpich", ["--no-rebuild", "a", "b"])):
        status, out, called = test(*words)
        built = [] if "--suite" in chosen else [f"compile -C {build}"]
        check(status == 0 and out[-2:] == ["left out: no zsh (a)", "1 passed, 0 failed"] and called ==
              [f"setup {family}", f"setup {build} {options.format(family)}", *built,
               f"test -C {build} {tried} {' '.join(chosen)}"],
              f"test {words}", f"{out}\n{called}")
    (tree / "build-test").mkdir(exist_ok=True)
    status, out, called = test("quick", CXX="clang++", CXXFLAGS="-DX")
    check(f"setup build-test-clang++ {options.format('mpich')} -DX" in called, "test with a compiler", called)
    for environment, words, last in (({"RESULTS": f"{PASSED}\n{FAILED}\n{SKIPPED}"}, [], "1 passed, 1 failed"),
                                     ({"STATUS": "4"}, [], "1 passed, 0 failed"), ({"RESULTS": SKIPPED}, [],
                                                                                  "0 passed, 0 failed"),
                                     ({"FAILING": "packages"}, [], "0 passed, 1 failed"),
                                     ({"FAILING": "setup"}, [], "0 passed, 1 failed"),
                                     ({"FAILING": "compile"}, [], "0 passed, 1 failed"),
                                     ({"FAILING": "test"}, [], "0 passed, 1 failed"),
                                     ({}, ["unknown"], "0 passed, 1 failed")):
        status, out, _ = test(*words, **environment)
        check(status != 0 and out[-1] == last, f"test: {environment} {words}", out)
        if "STATUS" not in environment and "FAILING" not in environment and "SKIP" in environment.get("RESULTS", ""):
            check("skipped: c" in out, "test: what is skipped is named", out)
        check(("no 9" in out) == (last == "1 passed, 1 failed"), "test: last lines of a failed test", out)
    for sent in ("HUP", "INT", "TERM"):
        for stopped in ("packages", "setup", "compile", "test"):
            status, out, called = test(STOPPED=stopped, SIGNAL=sent)
            check(status == -getattr(signal, "SIG" + sent) and out[-1] == "stopped" and "late" not in called
                  and not any("passed" in line for line in out), f"test: {sent} while {stopped}", f"{status} {out}")
    stages = [line for line in test()[1] if line.startswith("===")]
    check([line.split(",")[0] for line in stages] == [f"=== {i} of 4" for i in (1, 2, 3, 4)], "test: stages", stages)


def check_ci(folder):
    """The parts run in a clean environment; the last line is the sum of their tests; a part without tests is one."""
    tree = folder / "checkout"
    for name in (".ci/run", "scripts/develop/stages.sh"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    for parts, status, last in (
            (("echo 2 passed, 0 failed", "exit 0", "echo bare passed: 3 passed, 0 failed"), 0, "6 passed, 0 failed"),
            (("echo failed: a; echo 2 passed, 1 failed; exit 1", "exit 0", "echo bare skipped: no root"), 1,
             "3 passed, 1 failed"),
            (("echo 2 passed, 0 failed; exit 4", "exit 2", "kill -9 $$"), 1, "2 passed, 3 failed"),
            (("exit 1", "exit 1", "echo bare skipped: no root"), 1, "0 passed, 2 failed")):
        program(tree, "scripts/test", f'[ -z "$PYTHONUNBUFFERED" ] || exit 9; case $1 in --openmpi) {parts[1]} ;; '
                                      f'*) {parts[0]} ;; esac')
        program(tree, "scripts/matrix", parts[2])
        done = run([tree / ".ci/run"], PYTHONUNBUFFERED="1")
        check((done.returncode, done.stdout.splitlines()[-1]) == (status, last), f"ci: {parts}", done.stdout)
        end = done.stdout.rpartition("all parts have ended")[2]
        for text, wanted in (("--- failed: all tests", "exit" in parts[0]), ("failed: a\n", "a;" in parts[0])):
            check((text in end) == wanted, f"ci: what failed stands at the end: {parts}", end)


def check_jobs(folder):
    """Job scripts hand on what the batch system says; the smoke test passes on a failure of its parts."""
    calls = folder / "calls"
    program(folder, "hopscotch", f'echo "$@" >> {calls}; [ "$1" != "$FAILING" ]')
    jobs = SCRIPTS / "packaging/jobs"

    def job(*words, **environment):
        calls.write_text("", encoding="utf-8")
        done = run(words, PATH=f"{folder}:{os.environ['PATH']}", **{"FAILING": "", **environment})
        return done.returncode, re.sub(r"-o \S*/", "-o ", calls.read_text(encoding="utf-8")).splitlines()

    for words, launcher in (([], "mpiexec -n 2"), (["srun", "-n", "4"], "srun -n 4")):
        check(job(jobs / "smoke_test", *words) == (0, [f"selftest --seconds 15 -- {launcher}",
                                                       f"measure --quick -t 0.6 -o measure -- {launcher}"]),
              f"smoke_test {words}")
    for failing in ("selftest", "measure"):
        check(job(jobs / "smoke_test", FAILING=failing)[0] != 0, f"smoke_test: {failing} fails")
    (folder / "nodes").write_text("a\na\nb\n", encoding="utf-8")
    program(folder, "flux", 'case "$1 $2" in "getattr jobid") echo f9 ;; "resource list") echo 12 ;; *) exit 1 ;; esac')
    slurm = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "64"}
    pbs = {"PBS_O_WORKDIR": str(folder), "PBS_NODEFILE": str(folder / "nodes"), "PBS_JOBID": "8.server"}
    for name, given, words in (("slurm", slurm, "-t 20 -o hopscotch-7 -- srun --mpi=pmi2 -n 64"),
                               ("slurm", {**slurm, "MINUTES": "5", "MPI_PLUGIN": "pmix"},
                                "-t 5 -o hopscotch-7 -- srun --mpi=pmix -n 64"),
                               ("pbs", pbs, "-t 20 -o hopscotch-8.server -- mpiexec -n 3"),
                               ("pbs", {**pbs, "MINUTES": "5"}, "-t 5 -o hopscotch-8.server -- mpiexec -n 3"),
                               ("flux", {}, "-t 20 -o hopscotch-f9 -- flux run -n 12"),
                               ("flux", {"PROCESSES": "4", "MINUTES": "5"}, "-t 5 -o hopscotch-f9 -- flux run -n 4")):
        found = job("bash", jobs / f"measure.{name}", **given)
        check(found == (0, [f"measure {words}"]), f"measure.{name}", found)


# ---- benchmark

def check_benchmark(folder):
    """A measurement for each number of ranks, with the library of the build; the worst status counts."""
    script = module(SCRIPTS / "benchmark")
    called = []
    answers = {}

    def subprocess_run(command, **options):
        called.append((list(map(str, command)), options.get("env")))
        return subprocess.CompletedProcess(command, answers.get(called[-1][0][-1], 0))

    (folder / "build.ninja").touch()
    cores = len(os.sched_getaffinity(0))
    for worst in (str(cores), str(cores + 1)):
        called.clear()
        answers = {worst: 5}
        with replaced(script.subprocess, run=subprocess_run):
            status, _ = quietly(script.main, "--ranks", f"{cores},{cores + 1}", "-t", "7", "--quick", "--build", folder,
                                "--output", folder / "out")
        check(status == 5, f"benchmark: {worst} ranks fail", status)
    measured = [(command, env) for command, env in called if "measure" in command]
    for (command, env), ranks in zip(measured, (cores, cores + 1)):
        check(command[1:] == ["measure", "-t", "7", "--quick", "-o", str(folder / "out" / str(ranks)), "--",
                              "mpiexec.mpich", "-n", str(ranks)], "benchmark: measurements", command)
        library = str(folder.resolve() / "shim/libhopscotch.so.0")
        check(env["HOPSCOTCH_LIBRARY"] == library and (ranks > cores) == ("libyielding" in env.get("LD_PRELOAD", "")),
              "benchmark: environment", env)
    check(len(measured) == 2 and [str(SCRIPTS / "setup")] in [command for command, _ in called] and
          ["meson", "compile", "-C", str(folder.resolve())] in [command for command, _ in called],
          "benchmark: set up and built", called)
    for won in (True, False):
        with replaced(script.subprocess, run=subprocess_run), \
                replaced(script.gauge, compare=lambda arguments: (arguments.against == "HEAD~1") == won):
            status, _ = quietly(script.main, "--against", "HEAD~1", "--build", folder, "--output", folder / "out")
        check(status == (0 if won else 1), "benchmark --against: status", status)


def check_gauge(folder):
    """Each side's times come into its own column; cells that have lost are listed, and make the answer. Whole jobs are
    timed by a clock that counts its readings, so that they take equally long however busy this machine is."""
    times = {"other": 2e-6, "own": 4e-6}
    asked = []
    clock = types.SimpleNamespace(monotonic=itertools.count().__next__)

    class Sitting(gauge.Sitting):
        """Without programs: measured and started times by side."""

        def output(self, ranks, side, _program, *words):
            asked.append((ranks, side))
            if len(words) == 1:
                return " ".join(f"{step} {times.get(side, 1e-6)}" for step in gauge.STARTS[:-1])
            cases = re.findall(r"(\d+)x(\d+):(\w+):(\d+):(\w+)", words[0])
            return "\n".join(figures.MARK + json.dumps(
                {"kind": "case", "dimensions": int(d), "values": int(n), "neighbors": 1, "function": name,
                 "ints": int(ints), "mode": mode, "on": "all", "processes": 2, "payload_bytes": 1,
                 "ways": [{"way": way, "calls": 1, "times_s": [seconds]} for way, seconds in
                          (("native", 8e-6), ("auto", times[side]))]}) for d, n, name, ints, mode in cases)

    arguments = type("", (), {"against": "HEAD", "build": folder, "output": folder, "quick": True, "rounds": 2,
                              "mpiexec": "mpiexec"})()
    with replaced(gauge, Sitting=Sitting, build_library=lambda *_: "other.so", QUICK=gauge.QUICK[:1], time=clock), \
            replaced(gauge.subprocess, run=lambda *_, **__: None), contextlib.redirect_stderr(io.StringIO()):
        slower, printed = quietly(lambda: gauge.compare(arguments))
        check(not slower and "| 8.0 | 2.00 | 4.00 | 0.50 | 0.50-0.50 |" in printed and "Won: 0" in printed,
              "the gauge: this tree is slower", printed)
        first = [side for _, side in asked if side != "native"][:1]
        check(first == ["other"] and [side for ranks, side in asked if ranks == 2][:2] == ["other", "own"],
              "the gauge: sides take turns", asked)
        times["own"] = 1e-6
        faster, printed = quietly(lambda: gauge.compare(arguments))
        check(faster and "| 8.0 | 2.00 | 1.00 | 2.00 | 2.00-2.00 |" in printed and "Lost against HEAD" in printed,
              "the gauge: this tree is faster", printed)
    rows = (folder / "gauge.csv").read_text(encoding="utf-8").splitlines()
    check("\"2 ranks, (3,3), alltoall 100\",8.0,2.0,1.0,2.0,2.0,2.0" in rows, "the gauge: its file", rows[:3])


# ---- device_test

def check_device_test(folder):
    """All runs but those after a skipped one are made, and one that fails is remembered."""
    script = module(SCRIPTS / "device_test")
    program(folder, "test/preload/driver", ":")
    program(folder, "shim/libhopscotch.so.0", "")
    commands = []
    answers = []

    def subprocess_run(command, **_):
        commands.append(list(map(str, command)))
        code, out = answers.pop(0) if answers else (0, "fine")
        report = next(word.partition("=")[2] for word in commands[-1] if word.startswith("HOPSCOTCH_REPORT="))
        pathlib.Path(report).write_text(json.dumps({"totals": {"staged_calls": 7, "staged_bytes": 8,
                                                               "staged_ns": 9e9}}), encoding="utf-8")
        return subprocess.CompletedProcess(command, code, out, "why")

    with replaced(script.subprocess, run=subprocess_run):
        status, printed = quietly(script.main, folder, "-n", "3", "--random", "4", "--behind", "stand_in.so")
        wanted = list(script.runs(4, False))
        check(status == 0 and len(commands) == len(wanted) == 16 and
              printed.count("7 calls of processes copied 8 bytes in 9.000 s") == 16, "device_test: all is well",
              printed)
        for command, (name, words, settings) in zip(commands, wanted):
            check(command[:4] == ["mpiexec.mpich", "-n", "3", "env"] and {f"{key}={value}" for key, value in
                  settings.items()} <= set(command) and command[-1 - len(words):] == [
                      str(folder.resolve() / "test/preload" / name), *words] and
                  any(word.startswith("LD_PRELOAD=") and word.endswith(":stand_in.so") for word in command),
                  "device_test: a run", command)
        check(len(list(script.runs(4, True))) == 20 and len(list(script.runs(0, True))) == 8, "device_test: runs")
        answers = [(0, ""), (6, "")]
        status, printed = quietly(script.main, folder)
        check(status == 6 and "status 6" in printed and "why" in printed, "device_test: a run fails", printed)
        commands.clear()
        answers = [(0, "skipped: no device")]
        status, printed = quietly(script.main, folder)
        check(status == 0 and len(commands) == 1 and "copied" not in printed, "device_test: no device", printed)
        answers = [(5, "skipped: no device")]
        check(quietly(script.main, folder)[0] == 5, "device_test: skipped and failed")


signal.signal(signal.SIGHUP, signal.SIG_DFL) # nohup leaves it ignored, also for the scripts that are sent one
for part in (check_progress, check_setup, check_demo, check_test, check_ci, check_jobs, check_benchmark, check_gauge,
             check_device_test):
    with tempfile.TemporaryDirectory() as directory:
        part(pathlib.Path(directory))
setup.finish()
