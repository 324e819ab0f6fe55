# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that count by themselves, steer profilers, or print between calls: their own words stay as they are."""

from guest import Guest

VERIFY = "HOPSCOTCH_VERIFY=on"


def algorithm(name):
    return f"HOPSCOTCH_ALGORITHM={name}"


def guests(facts):
    lacking = "" if facts.has_persistent else "the MPI library has no persistent neighborhood collectives"
    yield Guest("own_layer", "own_layer", 3, expect=["totals.calls=40"])
    yield Guest("own_layer_merged", "own_layer", 3, settings=[algorithm("merged")], expect=["totals.messages=240"])
    yield Guest("own_layer_combining", "own_layer", 3, settings=[algorithm("combining")])
    yield Guest("own_layer_nonblocking", "own_layer", 3, "nonblocking")
    yield Guest("own_layer_persistent", "own_layer", 3, "persistent", lacking=lacking)
    yield Guest("own_layer_verified", "own_layer", 3, settings=[VERIFY],
                expect=["totals.compared=40", "totals.differences=0"], lacking="" if facts.mpi != "openmpi" else
                "its own functions fail on the communicators that are compared")
    yield Guest("levels", "levels", expect=["totals.calls>0"], reports=2)
    yield Guest("levels_to_the_end", "levels", 3, "off", reports=2)
    yield Guest("printing", "printing", 3)
    for form in "blocking", "nonblocking":
        yield Guest(f"printing_verified_{form}", "printing", 3, form, settings=[VERIFY],
                    expect=["totals.compared>0", "totals.differences=0"], lacking="" if facts.mpi != "openmpi" else
                    "its own functions fail on the communicators that are compared")
    yield Guest("printing_without_inference", "printing", 4, settings=["HOPSCOTCH_INFER=off"],
                expect=["graphs.0.declined=HOPSCOTCH_INFER=off, and no process grid is known"])
    yield Guest("printing_without_places", "printing", 2, settings=["HOPSCOTCH_CALLSITES=off"],
                expect=["graphs.0.call_site=[]"])
