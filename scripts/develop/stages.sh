# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
# For scripts/demo and scripts/test, which read it: functions that print their purpose and their progress.

# usage SCRIPT: the comment behind its licence.
usage() {
    sed -n '4,/^set /{/^set /!s/^# \{0,1\}//p}' "$1"
}

# stage NAME EXPECTED: with the time since the start.
stage() {
    printf '=== %d:%02d %s (%s)\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1" "$2"
}
