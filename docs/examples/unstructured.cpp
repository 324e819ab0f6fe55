// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighbors of an unstructured mesh, which each process knows for itself: MPI_Neighbor_alltoallv on a graph
// communicator, in C++.
//
//     mpicxx.mpich -O2 docs/examples/unstructured.cpp -o unstructured
//     scripts/hopscotch run mpiexec.mpich -n 6 ./unstructured
#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace
{

/// The processes at these distances, in both directions.
std::vector<int> neighbors_of(int rank, int size)
{
    std::vector<int> neighbors;
    for (const int distance : {1, 2})
        if (2 * distance < size)
            neighbors.insert(neighbors.end(), {(rank + distance) % size, (rank + size - distance) % size});
    return neighbors;
}

/// The cells that two processes share.
int cells_between(int one, int other)
{
    return 10 + one + other;
}

std::vector<int> displacements(const std::vector<int>& counts)
{
    std::vector<int> result(counts.size(), 0);
    for (std::size_t i = 1; i < counts.size(); ++i)
        result[i] = result[i - 1] + counts[i - 1];
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int size = 0, rank = 0, wrong = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::vector<int> neighbors = neighbors_of(rank, size);
    const int degree = static_cast<int>(neighbors.size());
    MPI_Comm mesh;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors.data(), MPI_UNWEIGHTED, degree, neighbors.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &mesh);
    std::vector<int> counts;
    for (const int other : neighbors)
        counts.push_back(cells_between(rank, other));
    const std::vector<int> at = displacements(counts);
    const int cells = std::accumulate(counts.begin(), counts.end(), 0);
    std::vector<double> out(static_cast<std::size_t>(cells)), in(out.size());
    for (int step = 0; step < 100; ++step) {
        std::fill(out.begin(), out.end(), rank + step);
        MPI_Neighbor_alltoallv(out.data(), counts.data(), at.data(), MPI_DOUBLE, in.data(), counts.data(), at.data(),
                               MPI_DOUBLE, mesh);
        for (int i = 0; i < degree; ++i)
            wrong += in[static_cast<std::size_t>(at[i])] != neighbors[i] + step;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::puts(wrong == 0 ? "right" : "wrong");
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return wrong != 0;
}
