// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program throw C++ exceptions out of calls of MPI; the program catches them, and the next right call
// works.
//
//   throwing plain | neighborhood | forms | callbacks | ours    on two processes
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace
{

struct Own {
    int number;
};

int rank;
int thrown;
int caught;
MPI_Comm graph = MPI_COMM_NULL;
MPI_Comm cart = MPI_COMM_NULL;

[[noreturn]] void throw_something()
{
    switch (thrown++ % 4) {
    case 0:
        throw std::runtime_error("from the program");
    case 1:
        throw std::bad_alloc();
    case 2:
        throw 42;
    default:
        throw Own{43};
    }
}

void handler(MPI_Comm*, int*, ...)
{
    throw_something();
}

// The exception that the call throws, in words; rank 0 prints it.
template <class Call>
void expect(const char* what, Call&& call)
{
    std::string seen = "nothing";
    try {
        call();
    } catch (const std::runtime_error& error) {
        seen = error.what();
    } catch (const std::bad_alloc&) {
        seen = "bad_alloc";
    } catch (int number) {
        seen = std::to_string(number);
    } catch (const Own& own) {
        seen = "own " + std::to_string(own.number);
    }
    caught += seen == "nothing" ? 0 : 1;
    if (rank == 0)
        std::printf("%s: %s\n", what, seen.c_str()), std::fflush(stdout);
}

// Right calls of every kind.
void go_on()
{
    int out[2] = {rank + 1, rank + 1};
    int in[4] = {0, 0, 0, 0};
    int sum = 0;
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    sum += in[0];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += in[0];
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, cart);
    sum += in[0] + in[1];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("sum %d\n", sum);
}

void plain()
{
    int value = 0;
    int all[2];
    int flag = 0;
    expect("Wait", [] { MPI_Wait(nullptr, MPI_STATUS_IGNORE); });
    expect("Test", [&] { MPI_Test(nullptr, &flag, MPI_STATUS_IGNORE); });
    expect("Waitall", [] { MPI_Waitall(-1, nullptr, MPI_STATUSES_IGNORE); });
    expect("Waitany", [&] { MPI_Waitany(-1, nullptr, &flag, MPI_STATUS_IGNORE); });
    expect("Start", [] { MPI_Start(nullptr); });
    expect("Startall", [] { MPI_Startall(-1, nullptr); });
    expect("Request_free", [] { MPI_Request_free(nullptr); });
    expect("Send", [&] { MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD); });
    expect("Allgather", [&] { MPI_Allgather(&value, -1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); });
    expect("Barrier", [] { MPI_Barrier(MPI_COMM_NULL); });
    MPI_Comm made = MPI_COMM_NULL;
    int dims = -1;
    expect("Cart_create", [&] { MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &dims, 0, &made); });
    expect("Comm_dup", [&] { MPI_Comm_dup(MPI_COMM_NULL, &made); });
    expect("Op_free", [] { MPI_Op_free(nullptr); });
    expect("Comm_set_errhandler", [] { MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN); });
}

void neighborhood()
{
    int value = 0;
    int all[2];
    for (const MPI_Comm comm : {graph, cart}) {
        expect("alltoall", [&] { MPI_Neighbor_alltoall(&value, -1, MPI_INT, all, 1, MPI_INT, comm); });
        expect("allgather", [&] { MPI_Neighbor_allgather(&value, -1, MPI_INT, all, 1, MPI_INT, comm); });
        expect("type", [&] { MPI_Neighbor_alltoall(&value, 1, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm); });
        expect("alltoallv", [&] {
            const int count[] = {-1, -1};
            const int at[] = {0, 0};
            MPI_Neighbor_alltoallv(&value, count, at, MPI_INT, all, count, at, MPI_INT, comm);
        });
    }
    expect("no communicator", [&] { MPI_Neighbor_alltoall(&value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_NULL); });
    expect("no topology", [&] { MPI_Neighbor_alltoall(&value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); });
    expect("Allgather", [&] { MPI_Allgather(&value, -1, MPI_INT, all, 1, MPI_INT, cart); });
}

void forms()
{
    int value = 0;
    int all[2];
    MPI_Request request = MPI_REQUEST_NULL;
    expect("Ialltoall", [&] { MPI_Ineighbor_alltoall(&value, -1, MPI_INT, all, 1, MPI_INT, graph, &request); });
    expect("Iallgather",
           [&] { MPI_Ineighbor_allgather(&value, 1, MPI_DATATYPE_NULL, all, 1, MPI_INT, graph, &request); });
    expect("no request", [&] { MPI_Ineighbor_allgather(&value, 1, MPI_INT, all, 1, MPI_INT, graph, nullptr); });
#ifndef NO_PERSISTENT
    expect("init",
           [&] { MPI_Neighbor_alltoall_init(&value, -1, MPI_INT, all, 1, MPI_INT, graph, MPI_INFO_NULL, &request); });
    MPI_Neighbor_allgather_init(&value, 1, MPI_INT, all, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    expect("Start twice", [&] { MPI_Start(&request); });
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#endif
}

int copy(MPI_Comm, int, void*, void*, void*, int*)
{
    throw_something();
}

void add(void*, void*, int*, MPI_Datatype*)
{
    throw_something();
}

void callbacks()
{
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
    MPI_Comm_set_attr(graph, keyval, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, nullptr);
    MPI_Comm made = MPI_COMM_NULL;
    expect("copied with a graph", [&] { MPI_Comm_dup(graph, &made); });
    expect("copied with the world", [&] { MPI_Comm_dup(MPI_COMM_WORLD, &made); });
    expect("copied with info", [&] { MPI_Comm_dup_with_info(graph, MPI_INFO_NULL, &made); });
    MPI_Comm_delete_attr(graph, keyval);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add, 1, &op);
    int value = 1;
    int sum = 0;
    expect("reduced by all", [&] { MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD); });
    MPI_Op_free(&op);
}

// Sizes that disagree: rank 0 sends more than rank 1 receives; many libraries do not report this.
void ours()
{
    int out[4] = {1, 2, 3, 4};
    int in[4] = {0, 0, 0, 0};
    const int sent = rank == 0 ? 4 : 1;
    const int received = 1;
    const int at = 0;
    const int errors_here = rank == 0 ? 0 : 3;
    MPI_Request request = MPI_REQUEST_NULL;
    expect("blocking", [&] { MPI_Neighbor_alltoallv(out, &sent, &at, MPI_INT, in, &received, &at, MPI_INT, graph); });
    MPI_Ineighbor_alltoallv(out, &sent, &at, MPI_INT, in, &received, &at, MPI_INT, graph, &request);
    expect("Wait", [&] { MPI_Wait(&request, MPI_STATUS_IGNORE); });
    MPI_Ineighbor_alltoallv(out, &sent, &at, MPI_INT, in, &received, &at, MPI_INT, graph, &request);
    expect("Waitall", [&] { MPI_Waitall(1, &request, MPI_STATUSES_IGNORE); });
    std::printf("rank %d caught %s\n", rank, caught == errors_here ? "all" : "others");
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler throws = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(handler, &throws);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, throws);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, throws);
    const int other = 1 - rank;
    const int dims[] = {2};
    const int periods[] = {1};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    MPI_Comm_set_errhandler(graph, throws);
    MPI_Comm_set_errhandler(cart, throws);
    const std::string what = argc > 1 ? argv[1] : "";
    go_on();
    for (int i = 0; i < 2; ++i) {
        if (what == "plain")
            plain();
        else if (what == "neighborhood")
            neighborhood();
        else if (what == "forms")
            forms();
        else if (what == "callbacks")
            callbacks();
        else if (i == 0)
            ours();
        go_on();
    }
    if (what != "ours" && rank == 0)
        std::printf("caught %d\n", caught);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&graph);
    MPI_Errhandler_free(&throws);
    MPI_Finalize();
    return 0;
}
