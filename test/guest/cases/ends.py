# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that begin and end in every way, close and limit what the library writes to, and look after it."""

from guest import Guest

WITH_PLUGIN = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD:${0%/*}/libends_plugin.so" exec "$0" "$@"']


def guests(facts):
    for where in ("exit_handler", "late_exit_handler", "global", "static_pointer", "destructor", "quick_handler",
                  "thread", "thread_exits", "_exit", "quick_exit", "exec"):
        yield Guest(f"ends_{where}", "ends", arguments=f"{where} 0", status=0, expect=["partial=null"])
        yield Guest(f"ends_{where}_7", "ends", arguments=f"{where} 7", status=7)
    for where in ("fork_before", "fork_between", "fork_after"):
        yield Guest(f"ends_{where}", "ends", arguments=where, status=0, expect=["totals.calls=1"])
    yield Guest("ends_library", "ends", arguments="library", prefix=WITH_PLUGIN, status=0)
    for status in (0, 7):
        yield Guest(f"ends_finalize_none_{status}", "ends", ranks=1, arguments=f"finalize_none {status}")
    yield Guest("ends_mpi_abort", "ends", arguments="mpi_abort 5", status=5)
    yield Guest("ends_abort", "ends", ranks=1, arguments="abort")
    yield Guest("ends_init_twice", "ends", ranks=1, arguments="init_twice")
