# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors: exceptions out of functions of the program, fatal errors, handlers that are set and counted."""

from guest import Guest

# Rows of one program whose differences between the two runs lie in the settings alone.
WAYS = {"": [], "_off": ["HOPSCOTCH=off"], "_merged": ["HOPSCOTCH_ALGORITHM=merged"]}


def guests(facts):
    for what in ("plain", "neighborhood", "forms", "callbacks"):
        for way, settings in WAYS.items():
            yield Guest(f"throwing_{what}{way}", "throwing", arguments=what, settings=settings)
    for way in ("auto", "merged", "shared", "combining"):
        yield Guest(f"throwing_ours_{way}", "throwing", arguments="ours", settings=[f"HOPSCOTCH_ALGORITHM={way}"],
                    status=0, only_preloaded=True)
