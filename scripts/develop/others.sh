# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
# For scripts/demo, which reads it: the cores that others use, on average since begin_watch.

# Seconds since the system started; the time of all cores in work, or taken by another virtual machine; the time of this
# shell and its ended children. Units of both: ticks.
counted_time() {
    cut -d' ' -f1 /proc/uptime
    awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat
    awk '{ sub(/.*\) /, ""); print $12 + $13 + $14 + $15 }' /proc/$$/stat
}

begin_watch() {
    watched=$(counted_time)
}

cores_of_others() {
    printf '%s\n' "$watched" "$(counted_time)" | awk -v ticks="$(getconf CLK_TCK)" '{ at[NR] = $1 } END {
        passed = at[4] - at[1]; busy = at[5] - at[2] - (at[6] - at[3])
        printf "%.1f", (passed > 0 && busy > 0 ? busy / ticks / passed : 0) }'
}

# Processes of others that want a core, on average over the last minute.
load_of_others() {
    cut -d' ' -f1 /proc/loadavg
}
