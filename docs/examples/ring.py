# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A ring in Python: Neighbor_alltoall of mpi4py on a graph communicator. Debian's mpi4py is linked to Open MPI.

    scripts/setup openmpi && meson setup build-openmpi -Dmpi=openmpi && meson compile -C build-openmpi
    scripts/hopscotch run mpiexec -n 2 python3 docs/examples/ring.py
"""
import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
neighbors = [(world.rank - 1) % world.size, (world.rank + 1) % world.size]
ring = world.Create_dist_graph_adjacent(neighbors, neighbors)
wrong = 0
for step in range(100):
    out = numpy.full((2, 64), float(world.rank + step))
    received = numpy.empty_like(out)
    ring.Neighbor_alltoall(out, received)
    wrong += int((received != numpy.array(neighbors)[:, None] + step).sum())
wrong = world.allreduce(wrong)
if world.rank == 0:
    print("right" if wrong == 0 else "wrong")
ring.Free()
sys.exit(wrong != 0)
