// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One datatype of the constructor named by the argument, in neighborhood collectives of a graph and a Cartesian
// communicator and in MPI_Allgather, under MPI_ERRORS_RETURN: prints codes, and sums of the received data.
#include "../program.h"

enum { room = 4096 };

static MPI_Datatype made(const char* name)
{
    const int lengths[] = {2, 1, 3};
    const int at[] = {5, 0, 9};
    const MPI_Aint bytes[] = {40, 0, 72};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    const int sizes[] = {4, 6};
    const int subsizes[] = {2, 3};
    const int starts[] = {1, 2};
    const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
    const int processes[] = {2, 2};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (strcmp(name, "named") == 0)
        type = MPI_DOUBLE_INT;
    else if (strcmp(name, "contiguous") == 0)
        MPI_Type_contiguous(7, MPI_INT, &type);
    else if (strcmp(name, "vector") == 0)
        MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    else if (strcmp(name, "hvector") == 0)
        MPI_Type_create_hvector(3, 2, 20, MPI_INT, &type);
    else if (strcmp(name, "indexed") == 0)
        MPI_Type_indexed(3, lengths, at, MPI_INT, &type);
    else if (strcmp(name, "hindexed") == 0)
        MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
    else if (strcmp(name, "indexed_block") == 0)
        MPI_Type_create_indexed_block(3, 2, at, MPI_INT, &type);
    else if (strcmp(name, "hindexed_block") == 0)
        MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
    else if (strcmp(name, "struct") == 0)
        MPI_Type_create_struct(3, lengths, bytes, types, &type);
    else if (strcmp(name, "subarray") == 0)
        MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    else if (strcmp(name, "darray") == 0)
        MPI_Type_create_darray(4, 3, 2, sizes, kinds, arguments, processes, MPI_ORDER_C, MPI_INT, &type);
    else if (strcmp(name, "resized") == 0)
        MPI_Type_create_resized(MPI_INT, -4, 12, &type);
    else if (strcmp(name, "dup") == 0)
        MPI_Type_dup(MPI_DOUBLE_INT, &type);
    else if (strcmp(name, "f90_real") == 0)
        MPI_Type_create_f90_real(12, 100, &type);
    else if (strcmp(name, "f90_complex") == 0)
        MPI_Type_create_f90_complex(6, 30, &type);
    else if (strcmp(name, "f90_integer") == 0)
        MPI_Type_create_f90_integer(9, &type);
#ifndef NO_LARGE_COUNTS
    const MPI_Count large_lengths[] = {2, 1, 3};
    const MPI_Count large_at[] = {5, 0, 9};
    const MPI_Count large_bytes[] = {40, 0, 72};
    const MPI_Count large_sizes[] = {4, 6};
    const MPI_Count large_subsizes[] = {2, 3};
    const MPI_Count large_starts[] = {1, 2};
    if (strcmp(name, "contiguous_c") == 0)
        MPI_Type_contiguous_c(7, MPI_INT, &type);
    else if (strcmp(name, "vector_c") == 0)
        MPI_Type_vector_c(3, 2, 4, MPI_INT, &type);
    else if (strcmp(name, "hvector_c") == 0)
        MPI_Type_create_hvector_c(3, 2, 20, MPI_INT, &type);
    else if (strcmp(name, "indexed_c") == 0)
        MPI_Type_indexed_c(3, large_lengths, large_at, MPI_INT, &type);
    else if (strcmp(name, "hindexed_c") == 0)
        MPI_Type_create_hindexed_c(3, large_lengths, large_bytes, MPI_INT, &type);
    else if (strcmp(name, "indexed_block_c") == 0)
        MPI_Type_create_indexed_block_c(3, 2, large_at, MPI_INT, &type);
    else if (strcmp(name, "hindexed_block_c") == 0)
        MPI_Type_create_hindexed_block_c(3, 2, large_bytes, MPI_INT, &type);
    else if (strcmp(name, "struct_c") == 0)
        MPI_Type_create_struct_c(3, large_lengths, large_bytes, types, &type);
    else if (strcmp(name, "subarray_c") == 0)
        MPI_Type_create_subarray_c(2, large_sizes, large_subsizes, large_starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    else if (strcmp(name, "darray_c") == 0)
        MPI_Type_create_darray_c(4, 3, 2, large_sizes, kinds, arguments, processes, MPI_ORDER_C, MPI_INT, &type);
    else if (strcmp(name, "resized_c") == 0)
        MPI_Type_create_resized_c(MPI_INT, -4, 12, &type);
    else if (strcmp(name, "dup_c") == 0) {
        MPI_Datatype inner;
        MPI_Type_vector_c(3, 2, 4, MPI_INT, &inner);
        MPI_Type_dup(inner, &type);
        MPI_Type_free(&inner);
    } else if (strcmp(name, "many_runs_c") == 0) {
        MPI_Type_vector_c(70000, 1, 2, MPI_CHAR, &type); // too many for a list of them
    }
#endif
    return type;
}

/// One extent of any type lies in it, wherever that begins.
static char* buffer(char filler)
{
    enum { bytes = 2 * 70000 * 9 };
    char* memory = malloc(bytes + room);
    for (int i = 0; i < bytes + room; ++i)
        memory[i] = (char)(filler + i % 7);
    return memory;
}

static void show(const char* call, int code, const char* memory)
{
    unsigned sum = 0;
    for (int i = 0; i < 2 * 70000 * 9 + room; ++i)
        sum = sum * 31 + (unsigned char)memory[i];
    printf("%d: %s: code %d, sum %u\n", rank, call, code, sum);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const char* name = argc > 1 ? argv[1] : "vector";
    MPI_Datatype type = made(name);
    if (type == MPI_DATATYPE_NULL) {
        printf("no such constructor here\n");
        return MPI_Finalize();
    }
    const int predefined = strncmp(name, "f90", 3) == 0 || strcmp(name, "named") == 0;
    if (!predefined)
        MPI_Type_commit(&type);
    const int dims[] = {size};
    const int periods[] = {1};
    int peers[2];
    MPI_Comm cart, graph;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    make_ring(MPI_COMM_WORLD, peers, &graph);
    char* send = buffer((char)(10 * rank));
    char* receive = buffer(100);
    for (int call = 0; call < 2; ++call) {
        int code = MPI_Neighbor_alltoall(send + 64, 1, type, receive + 64, 1, type, graph);
        show("graph alltoall", code, receive);
        code = MPI_Neighbor_allgather(send + 64, 2, type, receive + 64, 2, type, cart);
        show("cartesian allgather", code, receive);
        code = MPI_Allgather(send + 64, 1, type, receive + 64, 1, type, cart);
        show("allgather", code, receive);
        MPI_Request request;
        code = MPI_Ineighbor_allgather(send + 64, 1, type, receive + 64, 1, type, graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        show("nonblocking", code, receive);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&cart);
    if (!predefined)
        MPI_Type_free(&type);
    free(receive);
    free(send);
    return end_program(0);
}
