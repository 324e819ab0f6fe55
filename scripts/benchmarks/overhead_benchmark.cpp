// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of the preload itself: calls and creations that it leaves alone, and the distance of an exchange from the
// least time in which two processes can exchange as many bytes.
//
//   mpicxx.mpich -O2 scripts/benchmarks/overhead_benchmark.cpp -o overhead_benchmark
//   mpiexec.mpich -n 2 -genv LD_PRELOAD build/shim/libhopscotch.so.0 ./overhead_benchmark
//
// Prints medians; the MPI library's own functions are called behind the preload, alternating with it.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <vector>

namespace
{

constexpr int samples = 31;

template <class Function>
Function native(Function, const char* name)
{
    static void* const library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
    void* symbol = library != nullptr ? dlsym(library, name) : nullptr;
    if (symbol == nullptr) {
        std::fprintf(stderr, "overhead_benchmark: no native %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return reinterpret_cast<Function>(symbol);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Seconds per call on the slowest process.
double seconds_of(const std::function<void()>& call, int repeats)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < repeats; ++i)
        call();
    double elapsed = (MPI_Wtime() - begin) / repeats;
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return elapsed;
}

struct Pair {
    double first;
    double second;
};

/// Medians of two calls, alternating.
Pair compare(const std::function<void()>& first, const std::function<void()>& second, int repeats)
{
    std::vector<double> firsts;
    std::vector<double> seconds;
    for (int i = 0; i < samples; ++i) {
        firsts.push_back(seconds_of(first, repeats));
        seconds.push_back(seconds_of(second, repeats));
    }
    return {median(firsts), median(seconds)};
}

MPI_Comm make_graph(const std::vector<int>& sources, const std::vector<int>& destinations, const char* algorithm)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", algorithm);
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
                                   static_cast<int>(destinations.size()), destinations.data(), MPI_UNWEIGHTED, info, 0,
                                   &graph);
    MPI_Info_free(&info);
    return graph;
}

/// A call without neighbors on a communicator that the preload leaves to the library: all of it is overhead.
void passed_through(int rank)
{
    MPI_Comm graph = make_graph({}, {}, "native");
    auto* behind = native(&MPI_Neighbor_alltoall, "PMPI_Neighbor_alltoall");
    int none = 0;
    const Pair pair = compare([&] { MPI_Neighbor_alltoall(&none, 1, MPI_INT, &none, 1, MPI_INT, graph); },
                              [&] { behind(&none, 1, MPI_INT, &none, 1, MPI_INT, graph); }, 20000);
    if (rank == 0)
        std::printf("call passed through: %.1f ns, native %.1f ns, difference %.1f ns\n", 1e9 * pair.first,
                    1e9 * pair.second, 1e9 * (pair.first - pair.second));
    MPI_Comm_free(&graph);
}

/// Creation of a graph that is no stencil on any grid: a chain with other neighbors at its ends than inside.
void declined_creation(int rank, int size)
{
    std::vector<int> destinations;
    std::vector<int> sources;
    for (int i = 1; i <= 26; ++i)
        destinations.push_back((rank * (1 + i / 7) + i * i) % size);
    for (int other = 0; other < size; ++other)
        for (int i = 1; i <= 26; ++i)
            if ((other * (1 + i / 7) + i * i) % size == rank)
                sources.push_back(other);
    auto* behind = native(&MPI_Dist_graph_create_adjacent, "PMPI_Dist_graph_create_adjacent");
    auto* free_behind = native(&MPI_Comm_free, "PMPI_Comm_free");
    const auto creation = [&](auto* create, auto* release) {
        MPI_Comm graph;
        create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
               static_cast<int>(destinations.size()), destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
        release(&graph);
    };
    const Pair pair = compare([&] { creation(&MPI_Dist_graph_create_adjacent, &MPI_Comm_free); },
                              [&] { creation(behind, free_behind); }, 50);
    if (rank == 0)
        std::printf("creation and freeing of a graph that is no stencil: %.1f us, native %.1f us, ratio %.2f\n",
                    1e6 * pair.first, 1e6 * pair.second, pair.first / pair.second);
}

/// Two lines of memory, each written by one process and read by the other.
struct Lines {
    alignas(64) std::atomic<unsigned> value;
};

/// 26 blocks with the other of two processes, against their copying in and out of shared memory and a hand over in each
/// direction.
void floor_of_exchange(int rank, int block_bytes)
{
    constexpr int neighbors = 26;
    const std::size_t bytes = static_cast<std::size_t>(block_bytes) * neighbors;
    const std::size_t stride = (bytes + 63) / 64 * 64;
    const std::vector<int> other(neighbors, 1 - rank);
    MPI_Comm graph = make_graph(other, other, "auto");
    std::vector<char> send(bytes, 1);
    std::vector<char> receive(bytes, 0);

    MPI_Win window;
    char* own = nullptr;
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(64 + 2 * stride), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    char* theirs = nullptr;
    MPI_Aint length = 0;
    int unit = 0;
    MPI_Win_shared_query(window, 1 - rank, &length, &unit, &theirs);
    auto* const own_line = new (own) Lines;
    auto* const their_line = reinterpret_cast<Lines*>(theirs);
    own_line->value.store(0);
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned turn = 0;
    const auto least = [&] {
        std::memcpy(own + 64 + stride * (turn % 2), send.data(), bytes);
        own_line->value.store(++turn, std::memory_order_release);
        while (static_cast<int>(their_line->value.load(std::memory_order_acquire) - turn) < 0) {
        }
        std::memcpy(receive.data(), theirs + 64 + stride * ((turn - 1) % 2), bytes);
    };
    const auto exchange = [&] {
        MPI_Neighbor_alltoall(send.data(), block_bytes, MPI_BYTE, receive.data(), block_bytes, MPI_BYTE, graph);
    };
    seconds_of(exchange, 100); // the trial of auto
    const Pair pair = compare(exchange, least, 20000);
    if (rank == 0)
        std::printf("exchange of 26 blocks of %d bytes: %.1f ns, least %.1f ns, ratio %.2f\n", block_bytes,
                    1e9 * pair.first, 1e9 * pair.second, pair.first / pair.second);
    MPI_Win_free(&window);
    MPI_Comm_free(&graph);
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    passed_through(rank);
    declined_creation(rank, size);
    if (size == 2)
        for (const int block_bytes : {8, 400})
            floor_of_exchange(rank, block_bytes);
    MPI_Finalize();
    return 0;
}
