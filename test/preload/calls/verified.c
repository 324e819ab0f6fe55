// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Neighbor_alltoallv on a ring in one form, the blocks of both directions far enough apart to tell them from the
// gaps between: the result is compared with the expected one. corrupting.c damages its large messages.
//
//   verified FORM            FORM: blocking, nonblocking or persistent
//   verified FORM overlap    process 2 wrongly sends from its receive buffer
//   verified FORM same       all calls have the same data
#include "../../program.h"
#include "launch.h"

enum { neighbors = 2, count = 400, gap = 64, room = count + gap, calls = 3 };

static unsigned char data_byte(int sender, int block, int call, int i)
{
    return (unsigned char)(sender * 31 + block * 17 + call * 7 + i);
}

static Arguments blocks(unsigned char* buffer)
{
    Arguments result = allocate_arguments(neighbors);
    result.buffer = buffer;
    for (int i = 0; i < neighbors; ++i) {
        result.counts[i] = count;
        result.indices[i] = gap + i * room;
    }
    return result;
}

int main(int argc, char** argv)
{
    static const char* const words[forms] = {"nonblocking", "persistent", "blocking"};
    enum Form form = form_nonblocking;
    begin_program(&argc, &argv);
    while (argc > 1 && form < forms && strcmp(argv[1], words[form]) != 0) {
        ++form;
    }
    if (argc < 2 || argc > 3 || form == forms) {
        give_up("usage: verified blocking|nonblocking|persistent [overlap|same]");
    }
    int own;
    const int periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &own);
    int source[neighbors];
    MPI_Cart_shift(ring, 0, 1, &source[0], &source[1]);

    char name[64];
    form_name(form, op_alltoallv, name, sizeof name);
    const Function called = called_function(name);
    enum { size_of_buffer = 2 * room + gap };
    unsigned char buffers[2 * size_of_buffer];
    unsigned char* const out = buffers;
    unsigned char* const in = buffers + size_of_buffer;
    unsigned char wanted[size_of_buffer];
    Arguments send = blocks(out);
    Arguments receive = blocks(in);
    const int same = argc == 3 && strcmp(argv[2], "same") == 0;
    if (argc == 3 && !same && own == 2) {
        send.indices[1] = size_of_buffer + gap + count - 8;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int wrong = 0;
    for (int call = 0; call < calls; ++call) {
        memset(in, 0xee, size_of_buffer);
        memset(wanted, 0xee, sizeof wanted);
        for (int k = 0; k < neighbors * count; ++k) {
            const int block = k / count;
            const int at = gap + block * room + k % count;
            out[at] = data_byte(own, block, same ? 0 : call, k % count);
            wanted[at] = data_byte(source[block], 1 - block, same ? 0 : call, k % count);
        }
        if (form != form_persistent || call == 0) {
            launch(form, op_alltoallv, called, &send, &receive, ring, &request);
        }
        if (form == form_persistent) {
            MPI_Start(&request);
        }
        if (form != form_blocking) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        wrong += memcmp(in, wanted, size_of_buffer) != 0;
    }
    if (form == form_persistent) {
        MPI_Request_free(&request);
    }
    free_arguments(&send);
    free_arguments(&receive);
    MPI_Comm_free(&ring);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (own == 0) {
        printf(wrong == 0 ? "ok\n" : "FAILED: %d results are wrong\n", wrong);
    }
    return end_program(wrong == 0 ? 0 : 1);
}
