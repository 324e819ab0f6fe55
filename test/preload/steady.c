// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Neighbor_alltoallv on a torus with all neighbors around, its counts different from process to process, from edge
// to edge and from call to call; all of them have been seen when counting begins. What the messages of such calls are
// is up to the report to say.
//
//   steady DIMENSIONS INTS CALLS    blocks of 0 to 12 times INTS ints; CALLS calls are counted
#include "exchange.h"

#include <stdlib.h>

enum { most_dimensions = 3, most_neighbors = 26, distinct = 13 };

// Of the block that `sender` has for its neighbor `edge`; again the same after `distinct` calls.
static int count_of(int sender, int edge, int call, int ints)
{
    return (sender * 7 + edge * 3 + call * 5) % distinct * ints;
}

static int datum(int sender, int edge, int call, int i)
{
    return ((sender * most_neighbors + edge) * distinct + call) * 100 + i;
}

// Sources and destinations in the same order: edge e comes back as edge last - e.
static int make_torus(int dimensions, int* neighbors, MPI_Comm* graph)
{
    int size;
    int dims[most_dimensions] = {0};
    const int periods[most_dimensions] = {1, 1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, dimensions, dims);
    MPI_Comm torus;
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &torus);
    int rank;
    int mine[most_dimensions];
    MPI_Comm_rank(torus, &rank);
    MPI_Cart_coords(torus, rank, dimensions, mine);
    int count = 0;
    for (int code = 0; count < most_neighbors; ++code) {
        int at[most_dimensions];
        int moved = 0;
        int rest = code;
        for (int k = 0; k < dimensions; ++k, rest /= 3) {
            at[k] = mine[k] + rest % 3 - 1;
            moved = moved || rest % 3 != 1;
        }
        if (rest > 0) {
            break;
        }
        if (moved) {
            MPI_Cart_rank(torus, at, &neighbors[count++]);
        }
    }
    MPI_Dist_graph_create_adjacent(torus, count, neighbors, MPI_UNWEIGHTED, count, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, graph);
    MPI_Comm_free(&torus);
    return count;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int ints = atoi(argv[2]);
    const int calls = atoi(argv[3]);
    int neighbors[most_neighbors];
    MPI_Comm graph;
    const int count = make_torus(atoi(argv[1]), neighbors, &graph);
    int rank;
    MPI_Comm_rank(graph, &rank);
    const int room = (distinct - 1) * ints;
    int* out = malloc((size_t)count * (size_t)(room + 1) * sizeof *out);
    int* in = malloc((size_t)count * (size_t)(room + 1) * sizeof *in);
    if (out == NULL || in == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    int wrong = 0;
    MPI_Pcontrol(0);
    for (int call = 0; call < distinct + calls; ++call) {
        if (call == distinct) {
            MPI_Pcontrol(1);
        }
        int send_counts[most_neighbors];
        int receive_counts[most_neighbors];
        int displacements[most_neighbors];
        for (int e = 0; e < count; ++e) {
            send_counts[e] = count_of(rank, e, call, ints);
            receive_counts[e] = count_of(neighbors[e], count - 1 - e, call, ints);
            displacements[e] = e * room;
            for (int i = 0; i < send_counts[e]; ++i) {
                out[e * room + i] = datum(rank, e, call, i);
            }
        }
        MPI_Neighbor_alltoallv(out, send_counts, displacements, MPI_INT, in, receive_counts, displacements, MPI_INT,
                               graph);
        for (int e = 0; e < count; ++e) {
            for (int i = 0; i < receive_counts[e]; ++i) {
                if (in[e * room + i] != datum(neighbors[e], count - 1 - e, call, i)) {
                    wrong += complain(rank, "MPI_Neighbor_alltoallv", e, neighbors[e], in[e * room + i]);
                    break;
                }
            }
        }
    }
    free(out);
    free(in);
    MPI_Comm_free(&graph);
    const int code = conclude("steady", wrong);
    MPI_Finalize();
    return code;
}
