# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Jobs and processes that have the library only in part: without the preload, through a handle, beside others."""

from guest import Guest

ASIDE = r"^hopscotch\[\d\] warning: Hopscotch is not preloaded on all processes, for instance not on "
BY_HANDLE = r"^hopscotch warning: MPI was used, but not through Hopscotch"
OTHER_HANDLES = r"^hopscotch warning: built for .*, but the program uses a library with handles of another kind, " \
    r"\S*/libtranslated\.so; all calls pass straight through$"
REFERENCES = "^MPICH: (Builtin communicator|freeing inactive)"  # from 4.2 on, if the library stands aside
SECONDS = 6  # the time limit for other processes
ON_RANK_1 = ["sh", "-c", '[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 1 ] || unset LD_PRELOAD; exec "$0" "$@"']
PIPELINE = ["sh", "-c", '"$0" "$@" | cat; echo after']


def guests(facts):
    no_silent_messages = "" if facts.mpi != "openmpi" and not facts.older_than(4, 0) else \
        "the job ends after five minutes with this MPI library"
    only_mpich = "" if facts.mpi == "mpich" else "the program is written for MPICH"
    yield Guest("part", "company", also=2, says=f"{ASIDE}|{REFERENCES}", waits=SECONDS, lacking=no_silent_messages)
    yield Guest("part_one_of_three", "company", 3, prefix=ON_RANK_1, says=f"{ASIDE}|{REFERENCES}",
                waits=SECONDS, lacking=no_silent_messages)
    yield Guest("part_off", "company", also=1, settings=["HOPSCOTCH=off"], says=REFERENCES, waits=SECONDS,
                lacking=no_silent_messages)
    for name, settings in ("translated", []), ("translated_off", ["HOPSCOTCH=off"]):
        yield Guest(name, "translated", 1, settings=settings, status=0, says=OTHER_HANDLES)
    yield Guest("whole_graph", "company", 3, "graph", expect=["totals.accelerated>0"])
    yield Guest("whole_nonblocking", "company", 3, "nonblocking", expect=["totals.calls=0"])

    yield Guest("handle", "handle.py", arguments="libmpich.so.12", says=BY_HANDLE, lacking=only_mpich)
    yield Guest("handle_error", "handle.py", arguments="libmpich.so.12", settings=["HOPSCOTCH_LOG=error"],
                lacking=only_mpich)
    yield Guest("handle_off", "handle.py", arguments="libmpich.so.12", settings=["HOPSCOTCH=off"], lacking=only_mpich)
    accelerated = ["totals.calls=30", "totals.accelerated>0"]
    for how in "", " global":
        for preload in False, True:
            name = f"front{how.replace(' ', '_')}{'_preloaded' if preload else ''}"
            yield Guest(name, "handle.py", arguments="front" + how, preload=preload, expect=accelerated,
                        lacking=only_mpich)

    for mode in "local", "global", "deep":
        yield Guest(f"opened_{mode}", "opened", arguments=f"library {mode}", says=BY_HANDLE)
    yield Guest("opened_kept", "opened", 1, "library local keep", says=BY_HANDLE)
    yield Guest("opened_unused", "opened", 1, "unused local")
    for mode in "local", "global", "local close", "global close":
        yield Guest(f"plugin_{mode.replace(' ', '_')}", "opened", arguments=f"plugin {mode}",
                    expect=["totals.calls=10"])
    yield Guest("plugin_deep", "opened", arguments="plugin deep", says=BY_HANDLE)
    yield Guest("plugin_deep_close", "opened", arguments="plugin deep close")

    for mode in "system", "fork", "exec", "mpi":
        hangs = "a child that calls MPI_Init ends in the launcher of this MPI library"
        yield Guest(f"children_{mode}", "children", arguments=mode, expect=["totals.calls=12"],
                    lacking=hangs if mode == "mpi" and facts.openmpi else "")
    yield Guest("pipeline", "children", arguments="exec", prefix=PIPELINE, expect=["totals.calls=12"])

    yield Guest("filtered_refuse", "filtered", arguments="refuse", expect=["totals.accelerated>0"])
    yield Guest("filtered_kill", "filtered", arguments="kill", settings=["HOPSCOTCH_ALGORITHM=native"],
                expect=["totals.calls=40"])
