// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A graph of MPI_Graph_create with edges from each process to the next one only. MPI allows this, though no
// neighborhood collective may be called on it: so none is. The report must show Hopscotch's view of it.
#include "../../program.h"
#include "shapes.h"

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int* index = allocate((size_t)size * sizeof *index);
    int* edges = allocate((size_t)size * sizeof *edges);
    for (int i = 0; i < size; ++i) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Comm ring;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
    MPI_Comm_free(&ring);
    free(index);
    free(edges);
    return conclude("asymmetric", 0);
}
