// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that knows MPI sessions only: no MPI_Init, no MPI_COMM_WORLD.
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group group;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm comm;
    MPI_Comm_create_from_group(group, "hopscotch.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    int size;
    MPI_Comm_size(comm, &size);
    const int periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    int rank;
    MPI_Comm_rank(ring, &rank);
    int received[2] = {-1, -1};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, ring);
    const int right = received[0] == (rank + size - 1) % size && received[1] == (rank + 1) % size;
    MPI_Comm_free(&ring);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (rank == 0) {
        puts(right ? "sessions: passed" : "sessions: FAILED");
    }
    return right ? 0 : 1;
}
