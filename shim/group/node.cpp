// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/node.hpp"

#include "schedules/selection/agreement.hpp"
#include "shim/base/text.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// Different for any two machines: their names, and the number that Linux gives itself at its start. Different for
/// containers that talk over a network: its name space.
std::string host()
{
    char name[HOST_NAME_MAX + 1] = {};
    gethostname(name, HOST_NAME_MAX);
    char network[64] = {};
    if (readlink("/proc/self/ns/net", network, sizeof network - 1) < 0)
        network[0] = '\0';
    return name + ("/" + trimmed(text_of_file("/proc/sys/kernel/random/boot_id"), "\n")) + "/" + network;
}

int setting(const char* variable, int otherwise)
{
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

/// The part of its machine that this process is in, as MPICH 4.0.2 divides it (src/util/mpir_nodemap.c).
int clique()
{
    const int rank = rank_in(MPI_COMM_WORLD);
    const int size = size_of(MPI_COMM_WORLD);
    if (setting("MPIR_CVAR_NOLOCAL", 0) != 0)
        return rank;
    const int cliques = std::clamp(setting("MPIR_CVAR_NUM_CLIQUES", 1), 1, size);
    if (setting("MPIR_CVAR_CLIQUES_BY_BLOCK", 0) == 0)
        return rank % cliques;
    const int least = size / cliques;
    const int larger = size % cliques; // so many have one process more
    return rank < (least + 1) * larger ? rank / (least + 1) : (rank - larger) / least;
}

} // namespace

std::uint64_t own_node()
{
    static const std::size_t own_host = std::hash<std::string>{}(host());
    return schedules::hash_with(own_host, static_cast<std::uint64_t>(clique()));
}

std::vector<int> first_on_node(const std::vector<std::uint64_t>& nodes)
{
    std::unordered_map<std::uint64_t, int> first;
    std::vector<int> result;
    for (const std::uint64_t node : nodes)
        result.push_back(first.emplace(node, static_cast<int>(result.size())).first->second);
    return result;
}

std::vector<int> first_on_node(MPI_Comm comm)
{
    const int size = size_of(comm);
    const std::uint64_t own = own_node();
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size));
    check(next.MPI_Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm));
    return first_on_node(all);
}

int count_nodes(MPI_Comm comm)
{
    const std::vector<int> first = first_on_node(comm);
    return static_cast<int>(std::set<int>(first.begin(), first.end()).size());
}

} // namespace hopscotch::shim
