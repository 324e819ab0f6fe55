// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighborhood collectives with buffers in the memory of an NVIDIA device, compared with the expected data. The program
// uses CUDA's driver alone and loads it by name, so that no toolkit is needed. Without a device it says so and does
// nothing. Usage: driver general: the w forms. driver paused: half of the calls are not counted. driver [graph|cart],
// with HOPSCOTCH_SEMANTICS=orthogonal: MPI_Alltoall and the other collectives, among the neighbors of a graph or of a
// Cartesian neighborhood of Hopscotch.
#define _GNU_SOURCE
#include "../program.h"
#include "cuda_driver.h"

enum { most_neighbors = 8, most_ints = 65536, calls = 3 };

typedef int (*CreateCartesian)(MPI_Comm, int, const int*, const int*, int, const int*, const int*, MPI_Info, int,
                               MPI_Comm*);

static int orthogonal;
static int general;
static int neighbors;
static int faults;

static void demand(int code, const char* what)
{
    if (code != 0) {
        printf("FAILED: rank %d: %s: %d\n", rank, what, code);
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static int value(int sender, int block, int k, int call)
{
    return (((sender * neighbors + block) * 31 + call) * 1009) ^ k;
}

// In every second element of an array, if `strided`.
static void fill(int* image, int ints, int strided, int sender, int call)
{
    const int step = strided ? 2 : 1;
    for (int block = 0; block < neighbors; ++block) {
        for (int k = 0; k < ints; ++k) {
            image[(block * ints + k) * step] = value(sender, block, k, call);
        }
    }
}

static void compare(const int* got, const int* source, const int* block, int ints, int strided, int call,
                    const char* what)
{
    const int step = strided ? 2 : 1;
    for (int slot = 0; slot < neighbors; ++slot) {
        for (int k = 0; k < ints * step; ++k) {
            const int at = slot * ints * step + k;
            const int wanted = k % step == 0 ? value(source[slot], block[slot], k / step, call) : -1;
            if (got[at] != wanted && faults++ == 0) {
                printf("FAILED: rank %d: %s of %d ints, call %d: slot %d, element %d: got %d, not %d\n", rank, what,
                       ints, call, slot, k, got[at], wanted);
            }
        }
    }
}

// A call that begins by the arguments of the w forms.
static void call_general(void* send, void* receive, MPI_Datatype type, MPI_Aint distance, MPI_Comm comm,
                         MPI_Request* request, int persistent)
{
    int counts[most_neighbors];
    MPI_Aint displacements[most_neighbors];
    MPI_Datatype types[most_neighbors];
    for (int i = 0; i < neighbors; ++i) {
        counts[i] = 1;
        displacements[i] = i * distance;
        types[i] = type;
    }
    if (request == NULL) {
        MPI_Neighbor_alltoallw(send, counts, displacements, types, receive, counts, displacements, types, comm);
    } else if (!persistent) {
        MPI_Ineighbor_alltoallw(send, counts, displacements, types, receive, counts, displacements, types, comm,
                                request);
    } else {
#ifndef NO_PERSISTENT
        MPI_Neighbor_alltoallw_init(send, counts, displacements, types, receive, counts, displacements, types, comm,
                                    MPI_INFO_NULL, request);
#endif
    }
}

// One operation in three forms, `ints` in each block, with the send, the receive or both buffers on the device.
static void exchange(MPI_Comm comm, const int* source, const int* block, int ints, int strided, int where)
{
    const size_t bytes = (size_t)neighbors * (size_t)ints * sizeof(int) * (strided ? 2 : 1);
    int* out = malloc(bytes);
    int* in = malloc(bytes);
    uintptr_t there[2];
    MPI_Datatype inner;
    MPI_Datatype type;
    demand(cuda.allocate(&there[0], bytes) | cuda.allocate(&there[1], bytes), "memory of the device");
    MPI_Type_vector(ints, 1, strided ? 2 : 1, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, (MPI_Aint)(bytes / (size_t)neighbors), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&inner);
    void* send = where != 1 ? (void*)there[0] : out;
    void* receive = where != 0 ? (void*)there[1] : in;
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Aint distance = (MPI_Aint)(bytes / (size_t)neighbors);
    if (general) {
        call_general(send, receive, type, distance, comm, &request, 1);
    }
#ifndef NO_PERSISTENT
    if (!general) {
        (orthogonal ? MPI_Alltoall_init : MPI_Neighbor_alltoall_init)(send, 1, type, receive, 1, type, comm,
                                                                      MPI_INFO_NULL, &request);
    }
#endif
    for (int call = 0; call < 3 * calls; ++call) {
        static const char* const forms[3] = {"blocking", "nonblocking", "persistent"};
        memset(out, 0xff, bytes);
        memset(in, 0xff, bytes);
        fill(out, ints, strided, rank, call);
        demand(cuda.copy(there[0], (uintptr_t)out, bytes) | cuda.copy(there[1], (uintptr_t)in, bytes),
               "copies to the device");
        MPI_Request once = MPI_REQUEST_NULL;
        if (general && call % 3 < 2) {
            call_general(send, receive, type, distance, comm, call % 3 == 1 ? &once : NULL, 0);
            MPI_Wait(&once, MPI_STATUS_IGNORE);
        } else if (call % 3 == 0 || (call % 3 == 2 && request == MPI_REQUEST_NULL)) {
            (orthogonal ? MPI_Alltoall : MPI_Neighbor_alltoall)(send, 1, type, receive, 1, type, comm);
        } else if (call % 3 == 1) {
            (orthogonal ? MPI_Ialltoall : MPI_Ineighbor_alltoall)(send, 1, type, receive, 1, type, comm, &once);
            MPI_Wait(&once, MPI_STATUS_IGNORE);
        } else {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (where != 0) {
            demand(cuda.copy((uintptr_t)in, there[1], bytes), "a copy from the device");
        }
        compare(in, source, block, ints, strided, call, forms[call % 3]);
    }
    if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
    }
    MPI_Type_free(&type);
    demand(cuda.release(there[0]) | cuda.release(there[1]), "memory is given back");
    free(out);
    free(in);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int count = find_cuda();
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (count == 0) {
        if (rank == 0) {
            puts("skipped: CUDA's driver shows no device");
        }
        return end_program(0);
    }
    demand(cuda.push_context(cuda_context(rank % count)), "the context of the device");

    // Each process sends to up to four before it and as many behind it, round a ring.
    const int reach = size > most_neighbors ? most_neighbors / 2 : (size - 1) / 2;
    const int cartesian = argc > 1 && strcmp(argv[1], "cart") == 0;
    general = argc > 1 && strcmp(argv[1], "general") == 0;
    const int paused = argc > 1 && strcmp(argv[1], "paused") == 0;
    orthogonal = argc > 1 && !general && !paused;
    int distances[most_neighbors] = {0};
    int source[most_neighbors] = {0};
    int block[most_neighbors] = {0};
    for (int distance = -reach; distance <= reach; ++distance) {
        if (distance != 0) {
            distances[neighbors] = distance;
            source[neighbors++] = (rank + (cartesian ? -distance : distance) + size) % size;
        }
    }
    for (int i = 0; i < neighbors; ++i) {
        block[i] = cartesian ? i : neighbors - 1 - i;
    }
    int destination[most_neighbors];
    memcpy(destination, source, sizeof source);
    MPI_Comm comm;
    if (cartesian) {
        CreateCartesian create;
        const int periodic = 1;
        *(void**)&create = dlsym(RTLD_DEFAULT, "Hop_Cart_neighborhood_create");
        demand(create == NULL, "Hopscotch is there");
        create(MPI_COMM_WORLD, 1, &size, &periodic, neighbors, distances, NULL, MPI_INFO_NULL, 0, &comm);
    } else {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors, source, MPI_UNWEIGHTED, neighbors, destination,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    }
    const double begin = MPI_Wtime();
    for (int ints = 1; ints <= most_ints && neighbors > 0; ints *= 16) {
        for (int variant = 0; variant < 6; ++variant) {
            MPI_Pcontrol(!paused || variant % 2);
            exchange(comm, source, block, ints, variant % 2, variant / 2);
        }
    }
    const double time = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf(faults == 0 ? "ok: %d devices\n" : "FAILED\n", count);
        printf("time: %.3f s\n", time);
    }
    MPI_Comm_free(&comm);
    return end_program(faults == 0 ? 0 : 1);
}
