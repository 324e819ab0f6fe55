# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls MPI by ctypes: handle.py LIBRARY [global], with MPICH's constants. LIBRARY "front" is Hopscotch's front library
if Hopscotch is to be used, else the MPI library."""

import ctypes
import os
import pathlib
import sys

MPICH = "libmpich.so.12"
COMM_WORLD, INT, INFO_NULL = 0x44000000, 0x4c000405, 0x1c000000
OURS = os.environ.get("GUEST_LIBRARY")

name = sys.argv[1]
if name == "front":
    name = str(pathlib.Path(OURS).parent / "libhopscotch_front.so") if OURS else MPICH
mode = ctypes.RTLD_GLOBAL if sys.argv[2:] == ["global"] else ctypes.RTLD_LOCAL
mpi = ctypes.CDLL(name, mode=mode)

mpi.MPI_Init(None, None)
rank, size = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(COMM_WORLD, ctypes.byref(rank))
mpi.MPI_Comm_size(COMM_WORLD, ctypes.byref(size))
near = (ctypes.c_int * 2)((rank.value - 1) % size.value, (rank.value + 1) % size.value)
ones = (ctypes.c_int * 2)(1, 1)
graph = ctypes.c_int()
mpi.MPI_Dist_graph_create_adjacent(COMM_WORLD, 2, near, ones, 2, near, ones, INFO_NULL, 0, ctypes.byref(graph))
total = 0
for call in range(30):
    mine = (ctypes.c_int * 2)(10 * rank.value + call, 10 * rank.value + call + 1000)
    theirs = (ctypes.c_int * 2)()
    if call % 3:
        mpi.MPI_Neighbor_alltoall(mine, 1, INT, theirs, 1, INT, graph)
    else:
        request = ctypes.c_int()
        mpi.MPI_Ineighbor_alltoall(mine, 1, INT, theirs, 1, INT, graph, ctypes.byref(request))
        mpi.MPI_Wait(ctypes.byref(request), ctypes.c_void_p(1))
    total = (7 * total + theirs[0] + 3 * theirs[1]) % 1000003
mpi.MPI_Comm_free(ctypes.byref(graph))
mpi.MPI_Finalize()
sys.stdout.write(f"rank {rank.value} total {total}\n")  # one write, however output is buffered
