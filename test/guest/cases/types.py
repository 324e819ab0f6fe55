# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Datatypes of every constructor, wrong handles, and algorithms that are declined."""

from guest import Guest

ALGORITHMS = "auto", "native", "combining"
OLD = ("named", "contiguous", "vector", "hvector", "indexed", "hindexed", "indexed_block", "hindexed_block", "struct",
       "subarray", "darray", "resized", "dup", "f90_real", "f90_complex", "f90_integer")
LARGE = ("contiguous_c", "vector_c", "hvector_c", "indexed_c", "hindexed_c", "indexed_block_c", "hindexed_block_c",
         "struct_c", "subarray_c", "darray_c", "resized_c", "dup_c", "many_runs_c")

# Megabytes and bytes of stack for types of many levels and members: they suffice for the MPI library.
UNUSUAL = {"twins": (200, 1000000), "empty": (200, 1000000), "deep": (200, 1000000), "shallow": (200, 16384),
           "wide": (60, 1000000), "many": (60, 1000000)}


def guests(facts):
    for number, name in enumerate(OLD):
        yield Guest(f"type_{name}", "large_types", arguments=name,
                    settings=[f"HOPSCOTCH_ALGORITHM={ALGORITHMS[number % 3]}"])
    for name in LARGE:
        for algorithm in ALGORITHMS[:2]:
            yield Guest(f"type_{name}_{algorithm}", "large_types", arguments=name,
                        settings=[f"HOPSCOTCH_ALGORITHM={algorithm}"])
    for name in "uncommitted", "null":
        for algorithm in "auto", "native":
            yield Guest(f"wrong_{name}_{algorithm}", "wrong_handles", arguments=name,
                        settings=[f"HOPSCOTCH_ALGORITHM={algorithm}"])
    for shape, (megabytes, stack) in UNUSUAL.items():
        yield Guest(f"type_{shape}", "unusual_types", 2, f"{shape} {megabytes} {stack}", status=0)

    # MPI_Neighbor_alltoallw of MPICH 4.0.2 is wrong here: there is nothing native to compare with.
    for form, name in ("blocking", "Neighbor_alltoallw"), ("nonblocking", "Ineighbor_alltoallw"):
        for algorithm, used in ("combining", "combining"), ("aggregated", "shared"), ("auto", "shared"):
            yield Guest(f"unequal_{form}_{algorithm}", "unequal_degrees", 6, form, status=0, only_preloaded=True,
                        settings=[f"HOPSCOTCH_ALGORITHM={algorithm}"],
                        expect=[f"graphs.MPI_Dist_graph_create_adjacent.operations.MPI_{name}.algorithm={used}"])
