# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Requests in the hands of functions that are not wrapped, and beside requests of other kinds."""

from guest import Guest

ALGORITHMS = "auto", "merged", "combining", "shared"


def guests(facts):
    lacking = "" if facts.has_persistent else "the MPI library has no persistent neighborhood collectives"
    for algorithm in ALGORITHMS:
        chosen = [f"HOPSCOTCH_ALGORITHM={algorithm}"]
        yield Guest(f"requests_deepbind_{algorithm}", "requests_foreign", 4, "deepbind nonblocking", settings=chosen)
        yield Guest(f"requests_handle_{algorithm}", "requests_foreign", 2, "handle nonblocking", settings=chosen)
        yield Guest(f"requests_persistent_{algorithm}", "requests_foreign", 4, "deepbind persistent", settings=chosen,
                    lacking=lacking)
    yield Guest("requests_started", "requests_foreign", 2, "handle started", lacking=lacking)
    yield Guest("requests_threads", "requests_foreign", 4, "handle threads",
                lacking="with several threads Open MPI does not let others make progress" if facts.openmpi else "")
    yield Guest("requests_nodes", "requests_foreign", 4, "handle nonblocking",
                settings=["MPIR_CVAR_NUM_CLIQUES=2", "HOPSCOTCH_ALGORITHM=combining"])
    for how in "waitall", "waitany", "waitsome", "testall", "testany", "testsome":
        yield Guest(f"requests_mixed_{how}", "requests_mixed", 3, how)
    yield Guest("requests_mixed_combining", "requests_mixed", 4, "waitall",
                settings=["MPIR_CVAR_NUM_CLIQUES=2", "HOPSCOTCH_ALGORITHM=combining"])
    for algorithm in "merged", "combining":
        yield Guest(f"requests_late_{algorithm}", "requests_late", 4, "13",
                    settings=["MPIR_CVAR_NUM_CLIQUES=2", f"HOPSCOTCH_ALGORITHM={algorithm}"])
    for how in "waitany", "testany", "waitsome", "testsome":
        for place, settings in (0, []), (5, ["HOPSCOTCH_ALGORITHM=merged"]):
            yield Guest(f"requests_polled_{how}_{place}", "requests_mixed", 2, f"{how} {place}", settings=settings,
                        status=0)
    yield Guest("requests_polled_persistent", "requests_mixed", 2, "testany 0 persistent", status=0, lacking=lacking)
    for how in "any", "some":
        yield Guest(f"requests_polled_status_{how}", "requests_mixed", 2, f"status_{how} 0", status=0,
                    lacking="" if facts.mpi == "mpich" and not facts.older_than(4, 2) else
                    f"the MPI library has no MPI_Request_get_status_{how}")
