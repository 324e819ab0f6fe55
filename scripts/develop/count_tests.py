# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints "N passed, N failed" from Meson's log of test results: count_tests.py TESTLOG_JSON EXIT_STATUS_OF_MESON

Skipped tests count for neither. Before that line stand the last lines of the first failed tests, the tests that failed
or were skipped, and the parts that passed tests have left out, from their lines that begin with "skipped". The exit
status is 1 if a test failed, if none passed, or if Meson failed. The times go into seconds.json beside the log, where
those of other tests stay.
"""

import json
import pathlib
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
NEITHER = {"SKIP"}
NAMED = 8  # tests in a line
SHOWN, LINES = 3, 12  # failed tests that are shown once more, and the last lines of each


def named(tests):
    """The first of some tests, and the number of the others."""
    more = len(tests) - NAMED
    return ", ".join(tests[:NAMED]) + (f" and {more} more" if more > 0 else "")


def left_out(results):
    """{part left out: tests that passed}"""
    found = {}
    for result in results:
        if result["result"] in GOOD:
            lines = {line for line in result.get("stdout", "").splitlines() if line.startswith("skipped")}
            for line in sorted(lines):
                found.setdefault(line.partition(":")[2].strip() or line, []).append(name_of(result))
    return found


def name_of(result):
    """In the form for scripts/test: the log puts suites before it."""
    return result["name"].rpartition(" / ")[2]


def last_lines(result):
    """What a test printed last, in each of its two streams."""
    return [line for stream in ("stdout", "stderr") for line in result.get(stream, "").splitlines()[-LINES:]]


def keep_times(path, results):
    """For tests_left.py."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept.update({name_of(result): round(result["duration"], 2) for result in results if "duration" in result})
    path.write_text(json.dumps(kept), encoding="utf-8")


def main():
    results = []
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            results = [json.loads(line) for line in log if line.strip()]
    except OSError as error:
        print(error, file=sys.stderr)
    keep_times(pathlib.Path(sys.argv[1]).with_name("seconds.json"), results)
    passed = sum(result["result"] in GOOD for result in results)
    bad = [result for result in results if result["result"] not in GOOD | NEITHER]
    failed = [name_of(result) for result in bad]
    skipped = [name_of(result) for result in results if result["result"] in NEITHER]
    for what, tests in left_out(results).items():
        print(f"left out: {what} ({named(tests)})")
    for result in bad[:SHOWN]:
        print("\n".join([f"--- {name_of(result)}:", *last_lines(result)]))
    for word, tests in (("skipped", skipped), ("failed", failed)):
        if tests:
            print(f"{word}: {named(tests)}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed or sys.argv[2] != "0" else 0


if __name__ == "__main__":
    sys.exit(main())
