# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks names of tests before anything is built: known_tests.py BUILD NAME... A name may have * and ? in it.

Prints the first name that no test has, with names near it, and ends with 1.
"""

import difflib
import fnmatch
import json
import subprocess
import sys


def main():
    build, *names = sys.argv[1:]
    shown = subprocess.run(["meson", "introspect", build, "--tests"], stdout=subprocess.PIPE, check=True)
    known = sorted({test["name"] for test in json.loads(shown.stdout)})
    for name in names:
        if not fnmatch.filter(known, name):
            near = difflib.get_close_matches(name, known, 3)
            print(f"scripts/test: there is no test {name}" + (f"; did you mean {' or '.join(near)}?" if near else
                  f"; meson test -C {build} --list shows them"), file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
