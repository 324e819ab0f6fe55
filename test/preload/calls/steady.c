// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Neighbor_alltoallv on a torus with all neighbors around. Its counts differ from process to process, from edge to
// edge and from call to call; all of them have been used before counting begins. The report gives the messages of such
// calls.
//
//   steady DIMENSIONS INTS CALLS    blocks of 0 to 12 times INTS ints; CALLS calls are counted
#include "../../program.h"
#include "exchange.h"
#include "flights.h"
#include "shapes.h"

enum { most_neighbors = 26, distinct = 13 };

// The count of the block from `sender` for its neighbor `edge`; the same again after `distinct` calls.
static int count_of(int sender, int edge, int call, int ints)
{
    return (sender * 7 + edge * 3 + call * 5) % distinct * ints;
}

static int datum(int sender, int edge, int call, int i)
{
    return ((sender * most_neighbors + edge) * distinct + call) * 100 + i;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (argc != 4) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int ints = atoi(argv[2]);
    const int calls = atoi(argv[3]);
    Torus torus = make_torus(MPI_COMM_WORLD, atoi(argv[1]));
    const int count = torus.neighbors;
    const int own = torus.rank;
    const int room = (distinct - 1) * ints;
    int* out = allocate((size_t)count * (size_t)(room + 1) * sizeof *out);
    int* in = allocate((size_t)count * (size_t)(room + 1) * sizeof *in);
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
            send_counts[e] = count_of(own, e, call, ints);
            receive_counts[e] = count_of(torus.source[e], e, call, ints);
            displacements[e] = e * room;
            for (int i = 0; i < send_counts[e]; ++i) {
                out[e * room + i] = datum(own, e, call, i);
            }
        }
        MPI_Neighbor_alltoallv(out, send_counts, displacements, MPI_INT, in, receive_counts, displacements, MPI_INT,
                               torus.comm);
        for (int e = 0; e < count; ++e) {
            for (int i = 0; i < receive_counts[e]; ++i) {
                if (in[e * room + i] != datum(torus.source[e], e, call, i)) {
                    wrong += complain(own, "MPI_Neighbor_alltoallv", e, torus.source[e], in[e * room + i]);
                    break;
                }
            }
        }
    }
    free(out);
    free(in);
    free_torus(&torus);
    return conclude("steady", wrong);
}
