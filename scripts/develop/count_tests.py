# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints "N passed, N failed" from Meson's log of test results: count_tests.py TESTLOG_JSON EXIT_STATUS_OF_MESON

Skipped tests count for neither. The exit status is 1 when a test failed, when none passed, or when Meson failed.
"""

import json
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
NEITHER = {"SKIP"}


def main():
    results = []
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            results = [json.loads(line)["result"] for line in log if line.strip()]
    except OSError as error:
        print(error, file=sys.stderr)
    passed = sum(result in GOOD for result in results)
    failed = sum(result not in GOOD | NEITHER for result in results)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed or sys.argv[2] != "0" else 0


if __name__ == "__main__":
    sys.exit(main())
