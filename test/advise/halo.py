# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python code of docs/advice.md: a periodic grid in two dimensions, a halo of one cell on four sides. Without
arguments the halo is exchanged by Isend, Irecv and Waitall; with any by one neighborhood collective. Both print the
same sum."""

import sys

import numpy
from mpi4py import MPI

N = 64
# An offset for each neighbor; the cells that go to it; the halo that the opposite neighbor fills.
OFFSETS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
EDGES = [numpy.s_[1, 1:-1], numpy.s_[-2, 1:-1], numpy.s_[1:-1, 1], numpy.s_[1:-1, -2]]
HALOS = [numpy.s_[-1, 1:-1], numpy.s_[0, 1:-1], numpy.s_[1:-1, -1], numpy.s_[1:-1, 0]]


def find_neighbors(grid):
    """The ranks to which this process sends, and those from which it receives."""
    shifted = [grid.Shift(abs(offset[1]), sum(offset)) for offset in OFFSETS]
    return [target for source, target in shifted], [source for source, target in shifted]


def exchange_by_messages(cells, targets, sources, grid):
    received = numpy.empty((len(OFFSETS), N))
    requests = [grid.Irecv(received[i], source, i) for i, source in enumerate(sources)]
    requests += [grid.Isend(cells[EDGES[i]].copy(), target, i) for i, target in enumerate(targets)]
    MPI.Request.Waitall(requests)
    for halo, block in zip(HALOS, received):
        cells[halo] = block


def make_graph(targets, sources, grid):
    return grid.Create_dist_graph_adjacent(sources, targets)


def exchange_by_collective(cells, graph):
    sent = numpy.array([cells[edge] for edge in EDGES])
    received = numpy.empty_like(sent)
    graph.Neighbor_alltoall(sent, received)
    for halo, block in zip(HALOS, received):
        cells[halo] = block


def main():
    world = MPI.COMM_WORLD
    grid = world.Create_cart(MPI.Compute_dims(world.size, 2), [True, True])
    targets, sources = find_neighbors(grid)
    graph = make_graph(targets, sources, grid)
    cells = (grid.rank * 7.0 + numpy.arange((N + 2) ** 2) % 1009).reshape(N + 2, N + 2)
    for _ in range(50):
        if sys.argv[1:]:
            exchange_by_collective(cells, graph)
        else:
            exchange_by_messages(cells, targets, sources, grid)
        cells[1:-1, 1:-1] = (cells[:-2, 1:-1] + cells[2:, 1:-1] + cells[1:-1, :-2] + cells[1:-1, 2:]) / 4
    weighted = float((cells[1:-1, 1:-1] * (grid.rank + 1)).sum())
    total = grid.reduce(weighted, root=0)
    if grid.rank == 0:
        print(f"sum: {total:.6f}")
    graph.Free()


main()
