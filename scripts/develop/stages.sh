# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
# For scripts/demo, scripts/setup and scripts/test, which read it: functions that print their purpose and their
# progress, and end what they have started.

# usage SCRIPT: the comment behind its licence.
usage() {
    sed -n '4,/^set /{/^set /!s/^# \{0,1\}//p}' "$1"
}

# stage NAME EXPECTED: with its number, of $stages, and the time since the start.
stage_number=0
stage() {
    stage_number=$((stage_number + 1))
    printf '=== %s of %s, %d:%02d %s (%s)\n' "$stage_number" "$stages" $((SECONDS / 60)) $((SECONDS % 60)) "$1" "$2"
}

# begin_progress SECONDS COMMAND...: prints the time and a line of the command, again and again, until end_progress.
progress= # the process that does so
begin_progress() {
    local pause=$1
    shift
    {
        local last=$SECONDS
        while kill -0 $$ 2>/dev/null; do
            sleep 0.5 >/dev/null 2>&1 # no end of a pipe is kept open
            if [ $((SECONDS - last)) -ge "$pause" ]; then
                last=$SECONDS
                printf '    %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$("$@")"
            fi
        done
    } &
    progress=$!
}

end_progress() {
    [ -n "$progress" ] || return 0
    kill -KILL "$progress" 2>/dev/null || : # by SIGTERM a process that has just begun runs this shell's EXIT trap
    wait "$progress" 2>/dev/null || :
    progress=
}

# run COMMAND...: waits for it, without input. A signal with a trap of this shell is not kept waiting for it: the trap
# ends the command by end_running.
running= # the leader of its process group
run() {
    local status=0
    running=starting
    set -m
    "$@" </dev/null &
    running=$!
    set +m
    wait "$running" || status=$?
    running=
    return "$status"
}

end_running() {
    [ "$running" != starting ] || running=${!-} # the signal came before the line behind the start
    [ -n "$running" ] && [ "$running" != "$progress" ] || return 0
    kill -s TERM -- "-$running" 2>/dev/null || :
    wait "$running" 2>/dev/null || :
    running=
}
