# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that begin and end in every way, close and limit the files and descriptors of the library, and check
them."""

from guest import Guest, launcher_loses

MERGED = ["HOPSCOTCH_ALGORITHM=merged"]
WITH_PLUGIN = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD:${0%/*}/libends_plugin.so" exec "$0" "$@"']


def is_mpich_5(facts):
    return not facts.openmpi and not facts.older_than(5, 0)


def guests(facts):
    lost = "finalized" if launcher_loses(facts) else ""
    for where in ("exit_handler", "late_exit_handler", "global", "static_pointer", "destructor", "quick_handler",
                  "thread", "thread_exits", "_exit", "quick_exit", "exec"):
        yield Guest(f"ends_{where}", "ends", arguments=f"{where} 0", status=0, by_chance=lost, expect=["partial=null"])
        yield Guest(f"ends_{where}_7", "ends", arguments=f"{where} 7", status=7, by_chance=lost)
    for where in ("fork_before", "fork_between", "fork_after"):
        why_not = "" if where != "fork_after" or not launcher_loses(facts) else \
            "Hydra of MPICH 4.2 and later ends a program that writes after MPI_Finalize, by SIGPIPE"
        yield Guest(f"ends_{where}", "ends", arguments=where, status=0, by_chance=lost, expect=["totals.calls=1"],
                    lacking=why_not)
    yield Guest("ends_library", "ends", arguments="library", prefix=WITH_PLUGIN, status=0, by_chance=lost,
                reports=2)
    yield Guest("ends_library_init", "ends", arguments="library", prefix=WITH_PLUGIN, settings=["ENDS_INIT=library"],
                status=0, by_chance=lost, expect=["totals.calls=1"], reports=2)
    yield Guest("ends_global_init", "ends", arguments="global", settings=["ENDS_INIT=global"], status=0,
                expect=["totals.calls=1"])
    yield Guest("ends_handler_exits", "ends", ranks=1, arguments="handler_exits", status=3)
    yield Guest("ends_calls_at_exit", "ends", ranks=1, arguments="calls_at_exit")
    for status in (0, 7):
        yield Guest(f"ends_finalize_none_{status}", "ends", ranks=1, arguments=f"finalize_none {status}")
    yield Guest("ends_mpi_abort", "ends", arguments="mpi_abort 5", status=5)
    yield Guest("ends_abort", "ends", ranks=1, arguments="abort")
    yield Guest("ends_init_twice", "ends", ranks=1, arguments="init_twice")
    yield from callbacks(facts)
    yield from closed()
    yield from hard_writes(facts)
    yield from readings()
    for arguments in ("", "handlers"):
        yield Guest(f"ends_kept{'_' * bool(arguments)}{arguments}", "kept", arguments=arguments, status=0)


def callbacks(facts):
    """Delete callbacks of MPI_Finalize that use MPI: all is right there, and counted on MPI_COMM_SELF."""
    calls = 4 if not facts.has_persistent else 8
    for algorithm in ("auto", "merged", "combining"):
        yield Guest(f"ends_callback_self_{algorithm}", "callbacks", 3, "self", status=0,
                    settings=[f"HOPSCOTCH_ALGORITHM={algorithm}"], expect=["partial=null", f"totals.calls={calls}"])
    yield Guest("ends_callback_multiple", "callbacks", 2, "self multiple", status=0,
                expect=["partial=null", f"totals.calls={calls}"])
    yield Guest("ends_callback_exit", "callbacks", 2, "self world exit", status=0, settings=MERGED,
                expect=["partial=null", f"totals.calls={calls}"])
    yield Guest("ends_callback_world", "callbacks", 3, "world", status=0, settings=MERGED,
                expect=["partial=null", "totals.calls=0"])
    yield Guest("ends_callback_off", "callbacks", 2, "self world", status=0, settings=["HOPSCOTCH=off"])
    yield Guest("ends_callback_fails", "callbacks", 2, "self failing", settings=MERGED,
                expect=["partial~callback"] if facts.mpi == "openmpi" else ["partial=null", f"totals.calls={calls}"])


def closed():
    """Data files with the numbers of stdin, stdout and stderr, and every reason to write on the last of these."""
    chatty = ["HOPSCOTCH_LOG=debug", "HOPSCOTCH_REPORT=stderr", "HOPSCOTCH_NO_SUCH_NAME=1"]
    for when in ("before", "after"):
        for numbers in ("2", "02", "12", "012"):
            yield Guest(f"ends_closed_{when}_{numbers}", "standard_files", arguments=f"{when} {numbers}",
                        settings=chatty, status=0, says="^hopscotch")
    for numbers in ("0", "1", "2", "01", "02", "12", "012"):
        shell = " ".join(f"{number}{'<' if number == '0' else '>'}&-" for number in numbers)
        yield Guest(f"ends_closed_started_{numbers}", "standard_files", arguments=f"started {numbers}",
                    settings=chatty, prefix=["sh", "-c", f'exec "$0" "$@" {shell}'], status=0,
                    says="" if "2" in numbers else ".")


TEXT = r"|^( +|\w[\w -]+  |large blocks |graph \d|what to try next: )" # of the report, on stderr instead


def hard_writes(facts):
    yield Guest("ends_limit", "writes", arguments="limit", status=0,
                says="cannot be written to .*: File too large$" + TEXT)
    yield Guest("ends_reader", "writes", arguments="reader", settings=["HOPSCOTCH_REPORT=pipe.json"], status=0,
                says="cannot be written to .*/pipe.json: Broken pipe$" + TEXT)
    late = "UCX  ERROR socket create failed" if is_mpich_5(facts) else "" # it connects when it first sends
    yield Guest("ends_descriptors", "writes", arguments="descriptors", status=0, by_chance=late,
                says="cannot be written to .*: Too many open files$" + TEXT)
    yield Guest("ends_moved", "writes", arguments="moved", status=0,
                settings=["HOPSCOTCH_REPORT=run.txt", "HOPSCOTCH_TUNING=tuning.json"])
    for setting in ("HOPSCOTCH_REPORT=run.txt", "HOPSCOTCH_TUNING=tuning.json"):
        name = setting.split("_")[1].split("=")[0].lower()
        yield Guest(f"ends_removed_{name}", "writes", arguments="removed", settings=[setting], status=0,
                    says="/gone/.* ?cannot be written|"
                         "cannot be written to .*/gone/run.txt: No such file or directory$" + TEXT)
    for what, end in (("report", "HOPSCOTCH_REPORT=stderr"), ("lines", "HOPSCOTCH_LOG=debug")):
        yield Guest(f"ends_stderr_unread_{what}", "ring", settings=[end], status=0,
                    prefix=["bash", "-c", 'exec 2> >(exit 0); sleep 0.1; exec "$0" "$@"'])
        yield Guest(f"ends_stderr_full_{what}", "ring", settings=[end], status=0,
                    prefix=["sh", "-c", 'exec "$0" "$@" 2> /dev/full'])
    for limits in ("-n 20", "-n 64", "-f 1", "-s 256", "-v 4000000"):
        name = limits.replace("-", "").replace(" ", "_")
        why_not = "MPICH 5 does not start with 20 descriptors" if limits == "-n 20" and is_mpich_5(facts) else ""
        yield Guest(f"ends_ulimit_{name}", "ring", says="^hopscotch", lacking=why_not,
                    prefix=["sh", "-c", f'ulimit {limits}; exec "$0" "$@"'])


def readings():
    """Names in HOPSCOTCH_TUNING that are no tuning files."""
    many = "head -c 300000 /dev/zero | tr '\\0'"
    deep = f"""printf '{{"hopscotch_tuning": 1, "trials": ['; {many} '['; {many} ']'; printf ']}}'"""
    made = {"directory": "mkdir -p t.json", "pipe": "mkfifo t.json 2> /dev/null || test -p t.json",
            "device": "ln -sf /dev/zero t.json", "sparse": "truncate -s 1T t.json",
            "deep": f"{{ {deep}; }} > t.$$; mv t.$$ t.json"}
    for name, command in made.items():
        yield Guest(f"ends_tuning_{name}", "ring", settings=["HOPSCOTCH_TUNING=t.json"], status=0,
                    prefix=["sh", "-c", f'{command}; exec "$0" "$@"'], says="HOPSCOTCH_TUNING: .*/t.json is of no use")
