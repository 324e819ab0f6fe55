// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets one call of the shim fail: of the MPI library, of the system, or for memory. It is preloaded behind the shim.
// A program that finds fail_call(which, n) has the n-th of these calls fail from then on, 1 for the next; 0: none.
// `which` is a kind (mpi, system or memory) or the name of a function. A failing MPI function raises its error as the
// MPI library would. A function that makes a communicator or completes requests does so first.
// After a failure the clock of this process runs faster, so that no test waits for a minute.
#define _GNU_SOURCE
#include "behind.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char* to_fail; // a kind, or a function
static long until_failure;  // such calls; 0: none will fail
static const char* failed;  // the function that failed last

void fail_call(const char* which, long number);
void fail_call(const char* which, long number)
{
    to_fail = which;
    until_failure = number;
    failed = NULL;
}

const char* failed_call(void);
const char* failed_call(void)
{
    return failed;
}

// True if this call of the shim has to fail.
static int fails(const char* kind, const char* function, void* caller)
{
    if (until_failure == 0 || (strcmp(kind, to_fail) != 0 && strcmp(function, to_fail) != 0) || !is_of_shim(caller) ||
        --until_failure > 0) {
        return 0;
    }
    failed = function;
    return 1;
}

static int raised(MPI_Comm comm)
{
    int (*call_errhandler)(MPI_Comm, int);
    *(void**)&call_errhandler = behind("PMPI_Comm_call_errhandler");
    call_errhandler(comm, MPI_ERR_OTHER);
    return MPI_ERR_OTHER;
}

// Frees the communicator that was made, and raises the error on the one it came of.
static int dropped(MPI_Comm* made, MPI_Comm comm)
{
    static int (*drop)(MPI_Comm*);
    FIND(drop, "PMPI_Comm_free")
    if (*made != MPI_COMM_NULL) {
        drop(made);
    }
    return raised(comm);
}

// It raises its error on `comm`.
#define MPI_CALL(name, parameters, arguments, comm)                                                                    \
    MPI_FUNCTION(name, parameters, arguments,                                                                          \
                 return fails("mpi", #name, __builtin_return_address(0)) ? raised(comm) : next arguments;)

// One that makes a communicator.
#define MPI_MAKES(name, parameters, arguments, comm)                                                                   \
    MPI_FUNCTION(name, parameters, arguments, const int code = next arguments;                                         \
                 return fails("mpi", #name, __builtin_return_address(0)) ? dropped(made, comm) : code;)

// A function that completes requests: they are complete even if it fails.
#define MPI_COMPLETES(name, parameters, arguments)                                                                     \
    MPI_FUNCTION(name, parameters, arguments, const int code = next arguments;                                         \
                 return fails("mpi", #name, __builtin_return_address(0)) ? raised(MPI_COMM_WORLD) : code;)

MPI_MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made), comm)
MPI_MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
          (comm, type, key, info, made), comm)
MPI_MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made), comm)

MPI_FUNCTION(Init, (int* argc, char*** argv), (argc, argv),
             return fails("mpi", "Init", __builtin_return_address(0)) ? MPI_ERR_OTHER : next(argc, argv);)
MPI_CALL(Allreduce, (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (send, receive, count, type, op, comm), comm)
MPI_CALL(Iallreduce,
         (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request* request),
         (send, receive, count, type, op, comm, request), comm)
MPI_CALL(Bcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
         (buffer, count, type, root, comm), comm)
MPI_CALL(Barrier, (MPI_Comm comm), (comm), comm)
MPI_CALL(Allgather,
         (const void* send, int count, MPI_Datatype type, void* receive, int each, MPI_Datatype of, MPI_Comm comm),
         (send, count, type, receive, each, of, comm), comm)
MPI_CALL(Allgatherv,
         (const void* send, int count, MPI_Datatype type, void* receive, const int* counts, const int* places,
          MPI_Datatype of, MPI_Comm comm),
         (send, count, type, receive, counts, places, of, comm), comm)
MPI_CALL(Isend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
         (from, count, type, to, tag, comm, request), comm)
MPI_CALL(Irecv, (void* to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
         (to, count, type, from, tag, comm, request), comm)
MPI_CALL(Send, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
         (from, count, type, to, tag, comm), comm)
MPI_CALL(Iprobe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status), (from, tag, comm, flag, status),
         comm)
MPI_CALL(Neighbor_alltoall,
         (const void* send, int count, MPI_Datatype type, void* receive, int each, MPI_Datatype of, MPI_Comm comm),
         (send, count, type, receive, each, of, comm), comm)
MPI_CALL(Comm_group, (MPI_Comm comm, MPI_Group* group), (comm, group), comm)
MPI_CALL(Comm_size, (MPI_Comm comm, int* size), (comm, size), comm)
MPI_CALL(Comm_rank, (MPI_Comm comm, int* rank), (comm, rank), comm)
MPI_CALL(Comm_get_attr, (MPI_Comm comm, int key, void* value, int* found), (comm, key, value, found), comm)
MPI_CALL(Comm_set_attr, (MPI_Comm comm, int key, void* value), (comm, key, value), comm)
MPI_CALL(Topo_test, (MPI_Comm comm, int* kind), (comm, kind), comm)
MPI_CALL(Cartdim_get, (MPI_Comm comm, int* dimensions), (comm, dimensions), comm)
MPI_CALL(Cart_get, (MPI_Comm comm, int most, int* dims, int* periods, int* coordinates),
         (comm, most, dims, periods, coordinates), comm)
MPI_CALL(Cart_shift, (MPI_Comm comm, int dimension, int by, int* source, int* destination),
         (comm, dimension, by, source, destination), comm)
MPI_CALL(Dist_graph_neighbors_count, (MPI_Comm comm, int* in, int* out, int* weighted), (comm, in, out, weighted), comm)
MPI_CALL(Dist_graph_neighbors,
         (MPI_Comm comm, int in, int* sources, int* source_weights, int out, int* destinations, int* weights),
         (comm, in, sources, source_weights, out, destinations, weights), comm)
MPI_CALL(Group_translate_ranks, (MPI_Group group, int count, const int* ranks, MPI_Group other, int* translated),
         (group, count, ranks, other, translated), MPI_COMM_WORLD)
MPI_CALL(Group_size, (MPI_Group group, int* size), (group, size), MPI_COMM_WORLD)
MPI_CALL(Group_incl, (MPI_Group group, int count, const int* ranks, MPI_Group* made), (group, count, ranks, made),
         MPI_COMM_WORLD)
MPI_CALL(Group_intersection, (MPI_Group one, MPI_Group other, MPI_Group* made), (one, other, made), MPI_COMM_WORLD)
MPI_COMPLETES(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
MPI_COMPLETES(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses))
MPI_COMPLETES(Testall, (int count, MPI_Request* requests, int* flag, MPI_Status* statuses),
              (count, requests, flag, statuses))

// A function of the system: its result and errno on failure.
#define SYSTEM_CALL(result, name, parameters, arguments, answer, code)                                                 \
    result name parameters                                                                                             \
    {                                                                                                                  \
        static result(*next) parameters;                                                                               \
        FIND(next, #name)                                                                                              \
        return fails("system", #name, __builtin_return_address(0)) ? (errno = (code), (answer)) : next arguments;      \
    }

SYSTEM_CALL(int, memfd_create, (const char* name, unsigned int flags), (name, flags), -1, EMFILE)
SYSTEM_CALL(int, ftruncate, (int descriptor, off_t length), (descriptor, length), -1, ENOSPC)
SYSTEM_CALL(int, fstat, (int descriptor, struct stat* found), (descriptor, found), -1, EIO)
SYSTEM_CALL(int, stat, (const char* path, struct stat* found), (path, found), -1, EACCES)
SYSTEM_CALL(ssize_t, getrandom, (void* to, size_t bytes, unsigned int flags), (to, bytes, flags), -1, EAGAIN)
SYSTEM_CALL(ssize_t, pread, (int descriptor, void* to, size_t bytes, off_t from), (descriptor, to, bytes, from), -1,
            EIO)
SYSTEM_CALL(void*, mmap, (void* at, size_t bytes, int protection, int flags, int descriptor, off_t from),
            (at, bytes, protection, flags, descriptor, from), MAP_FAILED, ENOMEM)
SYSTEM_CALL(int, gethostname, (char* name, size_t bytes), (name, bytes), -1, ENAMETOOLONG)

int clock_gettime(clockid_t clock, struct timespec* now)
{
    enum { looks_per_second = 10 };
    static int (*next)(clockid_t, struct timespec*);
    static long looks;
    FIND(next, "clock_gettime")
    const int status = next(clock, now);
    if (failed != NULL && is_of_shim(__builtin_return_address(0))) {
        now->tv_sec += ++looks / looks_per_second;
    }
    return status;
}

int getrlimit(__rlimit_resource_t resource, struct rlimit* limit)
{
    static int (*next)(__rlimit_resource_t, struct rlimit*);
    FIND(next, "getrlimit")
    return fails("system", "getrlimit", __builtin_return_address(0)) ? (errno = EINVAL, -1) : next(resource, limit);
}

int open(const char* path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const unsigned int mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(more, unsigned int) : 0;
    va_end(more);
    static int (*next)(const char*, int, ...);
    FIND(next, "open")
    return fails("system", "open", __builtin_return_address(0)) ? (errno = EMFILE, -1) : next(path, flags, mode);
}

void* malloc(size_t bytes)
{
    static void* (*next)(size_t);
    FIND(next, "malloc")
    return fails("memory", "malloc", __builtin_return_address(0)) ? (errno = ENOMEM, NULL) : next(bytes);
}

int posix_memalign(void** memory, size_t alignment, size_t bytes)
{
    static int (*next)(void**, size_t, size_t);
    FIND(next, "posix_memalign")
    return fails("memory", "posix_memalign", __builtin_return_address(0)) ? ENOMEM : next(memory, alignment, bytes);
}
