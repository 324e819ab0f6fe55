// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Asks the MPI library for facts of communicators and groups. Local. Throw: MpiError.
#pragma once

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/next.hpp"

#include <vector>

namespace hopscotch::shim
{

inline int rank_in(MPI_Comm comm)
{
    int rank = 0;
    check(next.MPI_Comm_rank(comm, &rank));
    return rank;
}

/// Of an inter-communicator the number of processes in the own group.
inline int size_of(MPI_Comm comm)
{
    int size = 0;
    check(next.MPI_Comm_size(comm, &size));
    return size;
}

/// MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH, or MPI_UNDEFINED without a topology.
inline int topology_kind(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    check(next.MPI_Topo_test(comm, &kind));
    return kind;
}

/// True for an inter-communicator.
inline bool is_between_groups(MPI_Comm comm)
{
    int flag = 0;
    check(next.MPI_Comm_test_inter(comm, &flag));
    return flag != 0;
}

/// The processes of a communicator, freed with this object.
class CommGroup
{
  public:
    explicit CommGroup(MPI_Comm comm) { check(next.MPI_Comm_group(comm, &group_)); }
    ~CommGroup() { next.MPI_Group_free(&group_); }
    CommGroup(const CommGroup&) = delete;
    CommGroup& operator=(const CommGroup&) = delete;

    MPI_Group get() const noexcept { return group_; }

  private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

/// Ranks in one group as ranks in another: MPI_UNDEFINED for processes that it does not have; MPI_PROC_NULL stays.
inline std::vector<int> translated(const std::vector<int>& ranks, const CommGroup& from, const CommGroup& to)
{
    std::vector<int> result(ranks.size(), MPI_UNDEFINED);
    check(next.MPI_Group_translate_ranks(from.get(), static_cast<int>(ranks.size()), ranks.data(), to.get(),
                                         result.data()));
    return result;
}

} // namespace hopscotch::shim
