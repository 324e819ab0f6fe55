# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Large blocks in memory of every kind, and in memory that others may no more read; many persistent requests."""

import os

from guest import Guest

SHARED = "HOPSCOTCH_ALGORITHM=shared"
# The MPI library does not read the memory of other processes either.
BUFFERS = "UCX_TLS=posix,self"
LENT = [SHARED, BUFFERS, "HOPSCOTCH_ONE_COPY=16K"]


def guests(facts):
    for mode in "remap", "kinds", "holes":
        yield Guest(f"lending_{mode}", "lending", ranks=3, arguments=mode, settings=LENT)
    for ranks in 2, 3:
        for mode in "unread", "unread_one":
            yield Guest(f"lending_{mode}_{ranks}", "lending", ranks=ranks, arguments=mode, settings=LENT,
                        expect=["copied_twice~Bad address"],
                        lacking="" if os.uname().machine == "x86_64" else "memory that is only written is not read")
    for mode in "private", "private_one":
        yield Guest(f"lending_{mode}", "lending", ranks=2, arguments=mode, settings=LENT)
    yield Guest("lending_user", "lending", ranks=2, arguments="user_one", settings=LENT,
                lacking="" if os.getuid() == 0 else "only root becomes another user")
    for mode in "all", "again", "graphs", "late":
        yield Guest(f"requests_{mode}", "requests", ranks=2 + (mode == "late"), arguments=mode, settings=[SHARED],
                    lacking="" if facts.has_persistent else "no persistent neighborhood collectives")
