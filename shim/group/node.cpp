// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Divides processes by the node they are on.
#include "shim/group/node.hpp"

#include "schedules/grid/hash.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// Different for any two machines: their names, and the number that Linux gives itself at its start.
std::string host()
{
    char name[HOST_NAME_MAX + 1] = {};
    gethostname(name, HOST_NAME_MAX);
    std::string started;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::getline(file, started);
    return name + ("/" + started);
}

int setting(const char* variable, int otherwise)
{
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

/// The part of its machine that this process is in, as MPICH 4.0.2 divides it (src/util/mpir_nodemap.c).
int clique()
{
    int rank = 0;
    int size = 0;
    check(next.Comm_rank(MPI_COMM_WORLD, &rank));
    check(next.Comm_size(MPI_COMM_WORLD, &size));
    if (setting("MPIR_CVAR_NOLOCAL", 0) != 0)
        return rank;
    const int cliques = std::clamp(setting("MPIR_CVAR_NUM_CLIQUES", 1), 1, size);
    if (setting("MPIR_CVAR_CLIQUES_BY_BLOCK", 0) == 0)
        return rank % cliques;
    const int least = size / cliques;
    const int larger = size % cliques; // so many have one process more
    return rank < (least + 1) * larger ? rank / (least + 1) : (rank - larger) / least;
}

/// The lowest rank on this process's host. Collective: over comm.
int first_on_host(MPI_Comm comm)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    const std::uint64_t own =
        schedules::hash_with(std::hash<std::string>{}(host()), static_cast<std::uint64_t>(clique()));
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size));
    check(next.Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm));
    return static_cast<int>(std::find(all.begin(), all.end(), own) - all.begin());
}

/// True if this process is the first on its node. Collective: over comm.
bool is_first_on_node(MPI_Comm comm)
{
    int rank = 0;
    try {
        MPI_Comm node = split_by_node(comm);
        check(next.Comm_rank(node, &rank));
        check(next.Comm_free(&node));
        return rank == 0;
    } catch (const MpiError&) { // there are as many communicators as there can be
        check(next.Comm_rank(comm, &rank));
        return first_on_host(comm) == rank;
    }
}

} // namespace

MPI_Comm split_by_host(MPI_Comm comm)
{
    MPI_Comm part = MPI_COMM_NULL;
    check(next.Comm_split(comm, first_on_host(comm), 0, &part));
    return part;
}

MPI_Comm split_by_node(MPI_Comm comm)
{
    int size = 0;
    check(next.Comm_size(comm, &size));
    MPI_Comm node = MPI_COMM_NULL;
    check(next.Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    int mates = 0;
    check(next.Comm_size(node, &mates));
    if (size == 1 || CollectiveConsensus(comm).maximum(mates) > 1)
        return node;
    check(next.Comm_free(&node));
    return split_by_host(comm);
}

std::vector<int> first_on_node(MPI_Comm comm)
{
    int first = 0;
    int size = 0;
    check(next.Comm_rank(comm, &first));
    check(next.Comm_size(comm, &size));
    MPI_Comm node = split_by_node(comm);
    const int code = next.Bcast(&first, 1, MPI_INT, 0, node);
    check(next.Comm_free(&node));
    check(code);
    std::vector<int> all(static_cast<std::size_t>(size));
    check(next.Allgather(&first, 1, MPI_INT, all.data(), 1, MPI_INT, comm));
    return all;
}

int count_nodes(MPI_Comm comm)
{
    return static_cast<int>(CollectiveConsensus(comm).sum(is_first_on_node(comm) ? 1 : 0));
}

} // namespace hopscotch::shim
