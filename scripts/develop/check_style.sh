#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
# Checks the looks of all sources: clang-format, white space at line ends, a newline at the end of the file.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=14 # of clang-format; others format some lines differently
status=0

mapfile -t code < <(find schedules shim include test -name '*.[ch]' -o -name '*.[ch]pp' | sort)
formatter=
for candidate in clang-format-$version clang-format; do
    if "$candidate" --version 2>/dev/null | grep --quiet " version $version\."; then
        formatter=$candidate
        break
    fi
done
if [ -n "$formatter" ]; then
    "$formatter" --dry-run -Werror --ferror-limit=1 "${code[@]}" || status=1
else
    echo "skipped: formatting is not checked (apt-get install clang-format, of version $version, as on Debian 12)"
fi

mapfile -t text < <(find schedules shim include test scripts docs .ci .github .reuse README.md meson.build \
    meson_options.txt .clang-format -type f -not -path 'test/fuzz/corpus/*' -not -name '*.pyc' -not -name '*.png' \
    2>/dev/null | sort)
if grep --line-number --with-filename '[[:blank:]]$' "${text[@]}"; then
    echo "white space at the end of these lines"
    status=1
fi
python3 - "${text[@]}" <<'END' || status=1
import sys

unended = [path for path in sys.argv[1:] if not open(path, "rb").read()[-1:] in (b"", b"\n")]
for path in unended:
    print(f"{path}: no newline at the end")
sys.exit(bool(unended))
END
exit $status
