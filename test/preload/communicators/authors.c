// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The way the benchmark of Träff & Hunold (ICPP 2019, section 4.1.1) builds its graphs: a Cartesian communicator serves
// for arithmetic only and is freed, the graph is made on MPI_COMM_WORLD, source i lies opposite of destination i.
//
//   authors [dimensions [values per dimension [first value]]]     default 3 3 -1
#include "../../program.h"
#include "exchange.h"
#include "shapes.h"

enum { most_dimensions = 5 };

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int d = argc > 1 ? atoi(argv[1]) : 3;
    const int n = argc > 2 ? atoi(argv[2]) : 3;
    const int f = argc > 3 ? atoi(argv[3]) : -1;
    if (d < 1 || d > most_dimensions || n < 1) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int dims[most_dimensions] = {0};
    int periods[most_dimensions];
    int here[most_dimensions];
    for (int k = 0; k < most_dimensions; ++k) {
        periods[k] = 1;
    }
    MPI_Comm grid;
    MPI_Dims_create(size, d, dims);
    MPI_Cart_create(MPI_COMM_WORLD, d, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, d, here);

    int points = 1;
    for (int k = 0; k < d; ++k) {
        points *= n;
    }
    int* source = allocate((size_t)points * sizeof *source);
    int* destination = allocate((size_t)points * sizeof *destination);
    int t = 0;
    for (int point = 0; point < points; ++point) {
        int to[most_dimensions];
        int from[most_dimensions];
        int zero = 1;
        for (int k = d - 1, rest = point; k >= 0; --k, rest /= n) {
            const int shift = f + rest % n;
            to[k] = here[k] + shift;
            from[k] = here[k] - shift;
            zero = zero && shift == 0;
        }
        if (zero) {
            continue;
        }
        MPI_Cart_rank(grid, to, &destination[t]);
        MPI_Cart_rank(grid, from, &source[t]);
        ++t;
    }
    MPI_Comm_free(&grid);

    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, t, source, MPI_UNWEIGHTED, t, destination, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    int wrong = 0;
    const int sizes[3] = {1, 10, 100}; // the paper's m
    for (int i = 0; i < 3; ++i) {
        for (int repetition = 0; repetition < 2; ++repetition) {
            wrong += exchange_and_check(graph, 2 * i + repetition, sizes[i], t, source, t, destination);
        }
    }
    MPI_Comm_free(&graph);
    free(source);
    free(destination);
    if (rank == 0) {
        printf("authors: %d processes, d %d, n %d, f %d: t %d\n", size, d, n, f, t);
    }
    return conclude("authors", wrong);
}
