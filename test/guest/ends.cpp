// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ends in every order: ends WHERE [exit status]. WHERE names the caller of MPI_Finalize, if any, or the events after
// it.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace
{

std::string where;
int rank = -1;

bool is(const char* name)
{
    return where == name;
}

void say(const char* what)
{
    std::printf("%d: %s\n", rank, what);
    std::fflush(stdout);
}

void finalize()
{
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return;
    MPI_Finalize();
    say("finalized");
}

void finalize_if(const char* name)
{
    if (is(name))
        finalize();
}

struct Global {
    Global()
    {
        const char* const early = std::getenv("ENDS_INIT");
        if (early != nullptr && std::strcmp(early, "global") == 0)
            MPI_Init(nullptr, nullptr);
    }
    ~Global() { finalize_if("global"); }
} global;

[[gnu::destructor]] void finalize_in_destructor()
{
    finalize_if("destructor");
}

std::shared_ptr<int>& environment()
{
    static std::shared_ptr<int> one;
    return one;
}

void init(int* argc, char*** argv)
{
    int initialized = 0;
    int provided = 0;
    MPI_Initialized(&initialized);
    if (is("calls_at_exit"))
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    else if (is("thread") || is("thread_exits"))
        MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    else if (!initialized)
        MPI_Init(argc, argv);
}

MPI_Comm ring()
{
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int peers[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, peers, MPI_UNWEIGHTED, 2, peers, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    return graph;
}

void exchange()
{
    const MPI_Comm graph = ring();
    int send[2] = {10 * rank, 10 * rank + 1};
    int receive[2] = {0, 0};
    MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    std::printf("%d: sum %d\n", rank, receive[0] + receive[1]);
    std::fflush(stdout);
}

void exit_in_handler(MPI_Comm*, int*, ...)
{
    say("handler");
    std::exit(3);
}

/// The error of a call, or of one of MPI_COMM_WORLD, is the end.
void end_in_handler()
{
    MPI_Comm graph = ring();
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(exit_in_handler, &handler);
    MPI_Comm_set_errhandler(graph, handler);
    int send[2] = {};
    int receive[2] = {};
    MPI_Neighbor_alltoall(send, -1, MPI_INT, receive, -1, MPI_INT, graph);
}

/// Another thread makes calls until the process is gone.
void exit_during_calls(int status)
{
    const MPI_Comm graph = ring();
    std::atomic<int> calls{0};
    std::thread([graph, &calls] {
        int send[2] = {};
        int receive[2] = {};
        for (;; ++calls)
            MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    }).detach();
    while (calls < 1000)
        std::this_thread::yield();
    std::exit(status);
}

/// A child that ends so: by exit with all handlers, by _exit, as another program.
void fork_child(const char* how)
{
    const pid_t child = fork();
    if (child == 0) {
        if (std::strcmp(how, "exit") == 0)
            std::exit(3);
        if (std::strcmp(how, "exec") == 0)
            execl("/bin/sh", "sh", "-c", "exit 3", nullptr);
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child by %s: %d\n", how, WEXITSTATUS(status));
    std::fflush(stdout);
}

void fork_if(const char* name)
{
    if (is(name))
        for (const char* const how : {"_exit", "exit", "exec"})
            fork_child(how);
}

} // namespace

int main(int argc, char** argv)
{
    where = argc > 1 ? argv[1] : "";
    const int status = argc > 2 ? std::atoi(argv[2]) : 0;
    if (is("exit_handler"))
        std::atexit(finalize);
    if (is("static_pointer"))
        environment() = std::shared_ptr<int>(new int, [](const int* one) {
            finalize();
            delete one;
        });
    fork_if("fork_before");
    init(&argc, &argv);
    if (is("late_exit_handler"))
        std::atexit(finalize);
    exchange();
    fork_if("fork_between");
    if (is("handler_exits"))
        end_in_handler();
    if (is("calls_at_exit"))
        exit_during_calls(status);
    if (is("init_twice"))
        MPI_Init(&argc, &argv);
    if (is("quick_handler")) {
        std::at_quick_exit(finalize);
        std::quick_exit(status);
    }
    if (is("thread"))
        std::thread(finalize).join();
    if (is("thread_exits"))
        std::thread([status] {
            finalize();
            std::exit(status);
        }).join();
    if (is("mpi_abort") && rank == 0) {
        usleep(200000); // launchers drop lines they have not read by then
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    if (is("mpi_abort"))
        MPI_Barrier(MPI_COMM_WORLD); // ended from outside
    if (is("finalize_none") || is("exit_handler") || is("late_exit_handler") || is("static_pointer") || is("global") ||
        is("destructor") || is("library"))
        std::exit(status);
    finalize();
    fork_if("fork_after");
    if (is("exec"))
        execl("/bin/sh", "sh", "-c", ("exit " + std::to_string(status)).c_str(), nullptr);
    if (is("_exit"))
        _exit(status);
    if (is("quick_exit"))
        std::quick_exit(status);
    if (is("abort"))
        std::abort();
    return status;
}
