// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2020 paper: neighborhoods on graph communicators, the MPI function on all others.
#include "include/hopscotch.h"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/signatures.hpp"
#include "shim/papers/orthogonal_call.hpp"

#include <climits>
#include <optional>
#include <vector>

using namespace hopscotch::shim;

namespace
{

/// Calls `with_neighbors()` if the communicator has neighborhoods, else `elsewhere()`.
template <class WithNeighbors, class Elsewhere>
int by_topology(MPI_Comm comm, WithNeighbors&& with_neighbors, Elsewhere&& elsewhere)
{
    return bordered(comm, [&] { return has_neighborhoods(comm) ? with_neighbors() : elsewhere(); });
}

int refuse_undefined()
{
    throw Refused{{undefined_on_graphs()}};
}

/// Processes that a process of comm exchanges blocks with in a collective: those of the other group, if there are two.
int peers_in(MPI_Comm comm)
{
    int between_groups = 0;
    int peers = 0;
    check(next.Comm_test_inter(comm, &between_groups));
    check(between_groups != 0 ? next.Comm_remote_size(comm, &peers) : next.Comm_size(comm, &peers));
    return peers;
}

/// Displacements in the form of MPI_Alltoallw; none if one is beyond an int. Shape: n.
std::optional<std::vector<int>> as_ints(const MPI_Aint* displacements, int n)
{
    std::vector<int> result;
    for (int i = 0; displacements != nullptr && i < n; ++i) {
        if (displacements[i] < INT_MIN || displacements[i] > INT_MAX)
            return std::nullopt;
        result.push_back(static_cast<int>(displacements[i]));
    }
    return result;
}

/// Blocks as one element each of a type that begins at the displacement: for functions that take displacements as int.
class PlacedBlocks
{
  public:
    PlacedBlocks(int n, const int* counts, const MPI_Aint* displacements, const MPI_Datatype* types)
        : ones(static_cast<std::size_t>(n), 1), zeros(ones.size(), 0), placed(ones.size(), MPI_DATATYPE_NULL)
    {
        for (std::size_t i = 0; i < placed.size(); ++i) {
            check(next.Type_create_hindexed(1, &counts[i], &displacements[i], types[i], &placed[i]));
            check(next.Type_commit(&placed[i]));
        }
    }
    PlacedBlocks(const PlacedBlocks&) = delete;
    PlacedBlocks& operator=(const PlacedBlocks&) = delete;
    ~PlacedBlocks()
    {
        for (MPI_Datatype& type : placed)
            next.Type_free(&type);
    }

    std::vector<int> ones;
    std::vector<int> zeros;
    std::vector<MPI_Datatype> placed;
};

/// MPI_Alltoallw with displacements of every size. `sendbuf` may be MPI_IN_PLACE.
int alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
              void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls, const MPI_Datatype* recvtypes,
              MPI_Comm comm)
{
    const int peers = peers_in(comm);
    const bool in_place = sendbuf == MPI_IN_PLACE;
    const std::optional<std::vector<int>> sent = as_ints(in_place ? nullptr : sdispls, peers);
    const std::optional<std::vector<int>> received = as_ints(rdispls, peers);
    if (sent && received)
        return next.Alltoallw(sendbuf, sendcounts, sent->data(), sendtypes, recvbuf, recvcounts, received->data(),
                              recvtypes, comm);
    const PlacedBlocks out(in_place ? 0 : peers, sendcounts, sdispls, sendtypes);
    const PlacedBlocks in(peers, recvcounts, rdispls, recvtypes);
    return next.Alltoallw(sendbuf, out.ones.data(), out.zeros.data(), out.placed.data(), recvbuf, in.ones.data(),
                          in.zeros.data(), in.placed.data(), comm);
}

} // namespace

// A row defines the function of ours that it names, with int counts. The displacements of Hop_Alltoallw are larger.
#define FORM(ours, native, parameters, arguments, ...)                                                                 \
    int ours parameters                                                                                                \
    {                                                                                                                  \
        [[maybe_unused]] constexpr Call call = Call::native;                                                           \
        [[maybe_unused]] const Completing completing;                                                                  \
        return by_topology(                                                                                            \
            comm, [&] { return __VA_ARGS__; }, [&] { return next.native arguments; });                                 \
    }
#define OURS(signature, ours, native) signature(FORM, ours HOPSCOTCH_COMMA native, int, , )
#define PLANNED(...) by_plan(call, comm, completing, [&]([[maybe_unused]] auto& links) { return __VA_ARGS__; })
#define REDUCED(...) by_reduction(comm, completing, __VA_ARGS__)
#define UNDEFINED refuse_undefined()
OURS(OF_BARRIER, Hop_Barrier, Barrier)
OURS(OF_BCAST, Hop_Bcast, Bcast)
OURS(OF_GATHER, Hop_Gather, Gather)
OURS(OF_GATHERV, Hop_Gatherv, Gatherv)
OURS(OF_SCATTER, Hop_Scatter, Scatter)
OURS(OF_SCATTERV, Hop_Scatterv, Scatterv)
OURS(OF_ALLGATHER, Hop_Allgather, Allgather)
OURS(OF_ALLGATHERV, Hop_Allgatherv, Allgatherv)
OURS(OF_ALLTOALL, Hop_Alltoall, Alltoall)
OURS(OF_ALLTOALLV, Hop_Alltoallv, Alltoallv)
OURS(OF_REDUCE, Hop_Reduce, Reduce)
OURS(OF_ALLREDUCE, Hop_Allreduce, Allreduce)
OURS(OF_REDUCE_SCATTER_BLOCK, Hop_Reduce_scatter_block, Reduce_scatter_block)
OURS(OF_REDUCE_SCATTER, Hop_Reduce_scatter, Reduce_scatter)
OURS(OF_SCAN, Hop_Scan, Scan)
OURS(OF_SCAN, Hop_Exscan, Exscan)

int Hop_Allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] { return graph_allgatherw(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, comm); },
        [&] {
            demand(sendbuf != MPI_IN_PLACE && recvbuf != MPI_IN_PLACE, MPI_ERR_BUFFER);
            demand(sendcount >= 0, MPI_ERR_COUNT);
            const auto n = static_cast<std::size_t>(peers_in(comm));
            const std::vector<int> sendcounts(n, sendcount);
            const std::vector<MPI_Aint> sdispls(n, 0);
            const std::vector<MPI_Datatype> sendtypes(n, sendtype);
            return alltoallw(sendbuf, sendcounts.data(), sdispls.data(), sendtypes.data(), recvbuf, recvcounts, rdispls,
                             recvtypes, comm);
        });
}

int Hop_Alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                  void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                  MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return neighbor_alltoallw(Completing{}, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                      rdispls, recvtypes, comm);
        },
        [&] {
            return alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
        });
}
