#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which test notices which random fault of a room? All faults of its sources and headers are compiled into one build.

fault_map.py [--minutes M] [--faults N] [--seed S] [--jobs J] [--first SECONDS] [--tests NAME,... | --only NAME,...]
             [--in ROOM] ROOM...
fault_map.py --show ROOM...    prints what is known so far

The rooms, shim/call for example, have one copy below build-faults/; an environment variable chooses a fault there.
First each test runs once without a fault, and the faults that it comes to are noted. Then each fault of a sample of
each room is made for all tests that come to it: those of Catch2 file by file, those of the suite quick, and those of
--tests. A test has noticed a fault if it fails twice. With --first the tests of a fault end with the first that notices
it, or after tests of so many seconds. Results are kept as long as the sources of the rooms are the same, so the next
call goes on where this one ends. Ends with 1 if a test fails without a fault.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

from chosen_tests import Tests, of_catch
from excused_faults import is_excused
from switched_faults import Writer

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "scripts/develop/fault.hpp"
OPTIONS = ("-Dwerror=false", "-Dtests=enabled", "-Ddebug=false", "-Doptimization=1", "-Db_pch=false", "-Dmpi=mpich")
CATCH = ("unit", "mpi_2", "mpi_4_on_two_nodes", "mpi_6_on_three_nodes")  # their tests run file by file
LONGEST = 60  # seconds of a test without a fault
PATIENCE = ("--timeout", "30")  # option of compare.py
# As meson test does; and seconds: after a failure, and of a call.
HASTE = {"MALLOC_PERTURB_": "165", "MPI_TEST_PATIENCE": "3", "WATCH_SECONDS": "10"}
ROUNDS = 12  # until the compiler refuses nothing more


class Copy:
    """The sources with the faults of some rooms, and their build directory."""

    def __init__(self, rooms):
        self.source = ROOT / "build-faults" / "_".join(room.replace("/", "-") for room in rooms)
        self.build = self.source / "build"
        self.files = []
        for room in rooms:
            found = sorted(str(path.relative_to(ROOT)) for path in (ROOT / room).rglob("*.[ch]pp"))
            if not found:
                raise SystemExit(f"fault_map: {room}: no such room")
            self.files += found
        text = "".join((ROOT / name).read_text(encoding="utf-8") for name in [*self.files, HEADER])
        self.hash = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.results = self.source.with_name(f"{self.source.name}-{self.hash}.json")
        self._kept = self.results.with_suffix(".refused")
        known = json.loads(self._kept.read_text(encoding="utf-8")) if self._kept.exists() else {}
        self.refused = {name: set(known.get(name, ())) for name in self.files}
        self.faults = []
        self._left_out = collections.Counter() # by file

    def write(self):
        """Unchanged files keep their time."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                                capture_output=True, text=True)
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file() and name not in self.refused:
                self._put(name, (ROOT / name).read_bytes(), (ROOT / name).stat().st_mode)
        self.faults = []
        first = 1
        for name in self.files:
            writer = Writer(name, (ROOT / name).read_text(encoding="utf-8"), first, self.refused[name])
            self._put(name, writer.written().encode())
            self.faults += writer.faults
            self._left_out[name] = writer.left_out
            first += len(writer.faults)

    def of_room(self, room):
        """Its faults, and the number of those that are left out."""
        return ([fault for fault in self.faults if fault.file.startswith(f"{room}/")],
                sum(number for name, number in self._left_out.items() if name.startswith(f"{room}/")))

    def _put(self, name, content, mode=0o644):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            path.chmod(mode)

    def configure(self):
        if not (self.build / "build.ninja").exists():
            words = f"-include {self.source / HEADER} -w -Wno-narrowing -D_GLIBCXX_ASSERTIONS=1"
            linker = {"CC_LD": "lld", "CXX_LD": "lld"} if shutil.which("ld.lld") else {}
            subprocess.run(["meson", "setup", self.build, self.source, *OPTIONS, f"-Dcpp_args={words}"], check=True,
                           stdout=subprocess.DEVNULL, env={**os.environ, **linker})

    def compile(self, targets):
        """Leaves out the faults on lines that the compiler does not take, until it takes all: first source by source,
        which costs little, then whole programs, since templates show their errors there."""
        commands = [lambda: self._ninja(targets)]
        if not self._kept.exists():
            commands.insert(0, self._look_at_sources)
        for command in commands:
            for _ in range(ROUNDS):
                output = command()
                new = self._refusals(output)
                if not new and output:
                    raise SystemExit(f"fault_map: this does not build:\n{output[-4000:]}")
                if not new:
                    break
                for name, line in new:
                    self.refused[name].add(line)
                self._keep_refused()
                self.write()
            else:
                raise SystemExit("fault_map: the compiler still refuses faults")
        self._keep_refused()

    def _keep_refused(self):
        self._kept.write_text(json.dumps({name: sorted(lines) for name, lines in self.refused.items()}),
                              encoding="utf-8")

    def _look_at_sources(self):
        """What the compiler says of the room's sources."""
        commands = json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8"))
        units = {}
        for entry in commands:
            unit = pathlib.Path(entry["directory"], entry["file"])
            text = unit.read_text(encoding="utf-8") if unit.exists() and "unity" in unit.name else ""
            for name in self.files:
                if str(unit.resolve()) == str(self.source / name) or f"/{name}>" in text:
                    units[name] = entry
        running = []
        output = ""
        for name, entry in units.items():
            words = re.sub(r" -MD| -(o|MQ|MF) \S+", "", entry["command"]).split(" -c ")[0]
            words += f" -fdiagnostics-color=never -fsyntax-only {self.source / name}"
            running.append(subprocess.Popen(words, shell=True, cwd=entry["directory"], stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True))
            if len(running) == len(os.sched_getaffinity(0)):
                output += "".join(process.communicate()[0] for process in running)
                running = []
        return output + "".join(process.communicate()[0] for process in running)

    def _ninja(self, targets):
        done = subprocess.run(["ninja", "-C", self.build, "-k", "0", "--quiet", *targets], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else ""

    def _refusals(self, output):
        """The lines of the room that errors, and the templates around them, name for the first time."""
        found = set()
        for path, line in re.findall(r"([\w./-]+\.[ch]pp):(\d+):(?:\d+:)? +(?:error:|required from|in .constexpr)",
                                     output):
            for name in self.files:
                if path.endswith(name):
                    found.add((name, int(line)))
        new = {(name, line) for name, line in found if line not in self.refused[name]}
        return {place for place in new if place[0].endswith(".hpp")} or new # a header brings errors into sources


class Runs:
    """The tests, those of Catch2 file by file."""

    def __init__(self, build, named, only):
        self._tests = Tests(str(build))
        self._catch = CATCH
        if only:
            self._catch = tuple(name for name in self._catch if name in only)
        programs = set().union(*(self._tests.of_suite(suite) for suite in ("preload", "hop", "guest")))
        programs -= self._tests.of_suite("night")
        only, named = ({found for pattern in patterns for found in fnmatch.filter(programs, pattern) or [pattern]}
                       for patterns in (only, named))
        names = only or (self._tests.of_suite("quick") & self._tests.of_suite("preload")) | named
        # Tests of --tests may start programs that their commands do not name, so all are built.
        self.targets = [] if named else self._tests.targets(sorted(names.union(self._catch)))
        self._names = sorted(names.difference(self._catch))
        self.seconds = {}

    def labels(self):
        """Of Catch2 "TEST TAG"."""
        files = []
        for name in self._catch:
            listed = self._tests.run(name, ("-#", "--list-tags"), timeout=LONGEST)[1]
            files += [f"{name} {tag}" for tag in sorted(set(re.findall(r"\[#\w+\]", listed)))]
        return files + self._names

    def passes(self, label, chosen=0, reached=None):
        """True if it passes with a fault, or with none. `reached`: a file for the faults that it comes to."""
        name, _, cases = label.partition(" ")
        options = ("-#", *([cases] if cases else [])) if of_catch(name) else PATIENCE
        environment = {**HASTE, "FAULT_CHOSEN": str(chosen), **({"FAULT_REACHED": str(reached)} if reached else {})}
        limit = 5 * self.seconds[label] + 15 if label in self.seconds else LONGEST
        return self._tests.run(name, options, environment, limit)[0]

    def notices(self, label, fault):
        """True if it fails twice: others may use the machine."""
        return not self.passes(label, fault) and not self.passes(label, fault)


class Results:
    """Lines of JSON in a file: what each test comes to, and whether it has noticed a fault."""

    def __init__(self, path):
        self._path = path
        self.reached, self.seconds, self.noticed = {}, {}, {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self._take(json.loads(line))

    def add(self, **entry):
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        self._take(entry)

    def _take(self, entry):
        if "reached" in entry:
            self.reached[entry["test"]] = set(entry["reached"])
            self.seconds[entry["test"]] = entry["seconds"]
        else:
            self.noticed[entry["test"], entry["fault"]] = entry["noticed"]


def reach(copy, runs, results, workers, end):
    """Runs each test once without a fault. The number of those that fail."""
    size = max(fault.number for fault in copy.faults) + 1

    def passes(label):
        if label in results.reached or time.monotonic() > end:
            return True
        path = copy.source / f"reached-{hashlib.sha256(label.encode()).hexdigest()[:16]}"
        path.write_bytes(bytes(size))
        begin = time.monotonic()
        passed = runs.passes(label, reached=path)
        if passed:
            found = [number for number, byte in enumerate(path.read_bytes()) if byte]
            results.add(test=label, reached=found, seconds=round(time.monotonic() - begin, 2))
        else:
            print(f"{label} fails without a fault", flush=True)
        path.unlink()
        return passed

    return sum(not passed for passed in workers.map(passes, runs.labels()))


def sample(faults, number, seed, reached):
    """So many faults that a test comes to; each rule is as probable as each other one."""
    by_rule = collections.defaultdict(list)
    for fault in faults:
        if fault.number in reached:
            by_rule[fault.what.partition(" (")[0]].append(fault)
    generator = random.Random(seed)
    for rule in sorted(by_rule):
        generator.shuffle(by_rule[rule])
    found = []
    while by_rule and len(found) < number:
        rule = generator.choice(sorted(by_rule))
        found.append(by_rule[rule].pop())
        if not by_rule[rule]:
            del by_rule[rule]
    return found


def try_fault(fault, runs, results, end, enough=None):
    """Runs all tests that come to it, those first that have the name of its source, then those that noticed most in a
    second, and come to most; with `enough` until one notices it, or tests of so many seconds have passed. False if the
    time is over."""
    own = pathlib.Path(fault.file).stem
    coming = [label for label, numbers in results.reached.items() if fault.number in numbers]
    found = collections.Counter(label for (label, _), noticed in list(results.noticed.items()) if noticed)
    worth = {label: (found[label] + len(results.reached[label]) ** 2 / 1e5) / results.seconds[label]
             for label in coming}
    for label in sorted(coming, key=lambda label: (own in label, worth[label]), reverse=True):
        tried = [(other, results.noticed[other, fault.number]) for other in coming
                 if (other, fault.number) in results.noticed]
        if enough is not None and (any(noticed for _, noticed in tried) or
                                   sum(results.seconds[other] for other, _ in tried) > enough):
            return True
        if time.monotonic() > end:
            return False
        if (label, fault.number) not in results.noticed:
            results.add(test=label, fault=fault.number, noticed=runs.notices(label, fault.number))
    return True


def told(fault, results):
    entries = list(results.noticed.items()) # other threads add some
    by = sorted(label for (label, number), noticed in entries if noticed and number == fault.number)
    tried = sum(number == fault.number for (_, number), _ in entries)
    return f"{fault.file}:{fault.line}: {fault.what}: noticed by {len(by)} of {tried}" + \
        (f", {', '.join(by[:4])}{' ...' * (len(by) > 4)}" if by else "")


def show(copy, room, results):
    faults, left_out = copy.of_room(room)
    reached = set().union(*results.reached.values()).intersection(fault.number for fault in faults)
    tried = [fault for fault in faults if any(number == fault.number for _, number in results.noticed)]
    noticed = {number for (_, number), found in results.noticed.items() if found}
    excused = 0
    for fault in tried:
        line = (ROOT / fault.file).read_text(encoding="utf-8").split("\n")[fault.line - 1]
        is_one = fault.number not in noticed and is_excused(fault, line)
        excused += is_one
        print(told(fault, results) + ", excused" * is_one)
    print(f"{room}: {len(faults)} faults, {left_out} more have no form that can be chosen; "
          f"{len(reached)} are reached by the {len(results.reached)} tests; "
          f"{sum(fault.number in noticed for fault in tried)} of {len(tried)} tried are noticed, "
          f"{excused} of the others are excused")
    alone = collections.Counter()
    for fault in tried:
        by = [label for (label, number), found in results.noticed.items() if found and number == fault.number]
        alone.update(by if len(by) == 1 else [])
    for label, number in alone.most_common():
        print(f"    {number} by {label} alone")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120, help="then it ends (default: %(default)g)")
    parser.add_argument("--faults", type=int, default=60, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--tests", type=lambda text: text.split(","), default=[], metavar="NAME,...")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], metavar="NAME,...",
                        help="no more than these are built and run")
    parser.add_argument("--first", type=float, metavar="SECONDS",
                        help="of a fault only the first test that notices it, or tests that take so long without it")
    parser.add_argument("--jobs", type=int, default=1, help="faults that are tried at the same time (default: 1)")
    parser.add_argument("--in", action="append", dest="chosen", metavar="ROOM", help="no faults of the other rooms")
    parser.add_argument("--show", action="store_true", help="prints what is known so far")
    parser.add_argument("rooms", nargs="+", metavar="ROOM")
    arguments = parser.parse_args()
    arguments.rooms = [room.rstrip("/") for room in arguments.rooms]
    arguments.chosen = [room.rstrip("/") for room in arguments.chosen or arguments.rooms]
    return arguments


def try_room(room, copy, runs, results, workers, end, arguments):
    """Tries the sample of its faults."""
    known = set().union(*results.reached.values())
    chosen = sample(copy.of_room(room)[0], arguments.faults, arguments.seed, known)

    def is_tried(fault):
        if not try_fault(fault, runs, results, end, arguments.first):
            return False
        print(told(fault, results), flush=True)
        return True

    if not all(list(workers.map(is_tried, chosen))):
        print(f"{room}: the time is over; the next call goes on here")


def main():
    arguments = parse_arguments()
    end = time.monotonic() + 60 * arguments.minutes
    copy = Copy(arguments.rooms)
    copy.write()
    results = Results(copy.results)
    failed = 0
    if not arguments.show:
        begin = time.monotonic()
        copy.configure()
        runs = Runs(copy.build, arguments.tests, arguments.only)
        copy.compile(runs.targets)
        print(f"built with {len(copy.faults)} faults in {time.monotonic() - begin:.0f} s", flush=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as workers:
            failed = reach(copy, runs, results, workers, end)
            runs.seconds = results.seconds
            for room in arguments.chosen:
                try_room(room, copy, runs, results, workers, end, arguments)
    for room in arguments.chosen:
        show(copy, room, results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
