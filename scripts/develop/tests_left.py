# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints how much of a running `meson test` is left: tests_left.py BUILD SUITE [TEST...]

SUITE "": all tests but those of the suite `night`, or the tests named. The minutes come from the times of earlier runs,
which count_tests.py keeps, and from the pace of this one; without earlier times there are none.
"""

import fnmatch
import json
import pathlib
import sys
import time


def chosen(tests, suite, names):
    """The names of the tests that Meson runs."""
    def inside(test, of):
        return any(one.endswith(f":{of}") for one in test["suite"])
    return {test["name"] for test in tests
            if (inside(test, suite) if suite else names or not inside(test, "night"))
            and (not names or any(fnmatch.fnmatch(test["name"], name) for name in names))}


def results(log):
    """Those that Meson has written so far: {name of the test: result}"""
    found = {}
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else ():
        try:
            result = json.loads(line)
        except json.JSONDecodeError:  # the last line may be a part of one
            continue
        found[result["name"].rpartition(" / ")[2]] = result
    return found


def left(names, done, before, now):
    """A line. `done`: results by name; `before`: seconds of earlier runs by name."""
    line = f"{len(done)} of {len(names)} tests"
    known = [before[name] for name in names if name in before]
    passed = sum(before[name] for name in done if name in before)
    if not passed or 2 * len(known) < len(names):
        return line
    elapsed = now - min(result["starttime"] for result in done.values())
    unknown = (len(names) - len(known)) * sum(known) / len(known)
    minutes = elapsed * (sum(known) + unknown - passed) / passed / 60
    return f"{line}, {minutes:.0f} minutes left at this pace"


def main():
    build, suite, *names = sys.argv[1:]
    logs = pathlib.Path(build, "meson-logs")
    tests = json.loads(pathlib.Path(build, "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    times = logs / "seconds.json"
    before = json.loads(times.read_text(encoding="utf-8")) if times.exists() else {}
    print(left(chosen(tests, suite, names), results(logs / "testlog.json"), before, time.time()))


if __name__ == "__main__":
    main()
