// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the 2020 paper: neighborhoods on graph communicators, the MPI function on all others.
#include "include/hopscotch.h"
#include "shim/mpi/mpi_error.hpp"
#include "shim/papers/orthogonal_call.hpp"

#include <climits>
#include <optional>
#include <vector>

using namespace hopscotch::shim;

namespace
{

/// `with_neighbors()` where the communicator has neighborhoods, `elsewhere()` where not.
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

/// Displacements as MPI_Alltoallw has them; none where one is beyond an int. Shape: n.
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

int Hop_Barrier(MPI_Comm comm)
{
    return by_topology(
        comm, [&] { return by_plan(Call::Barrier, comm, {}, barrier_plan); }, [&] { return next.Barrier(comm); });
}

int Hop_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Bcast, comm, {},
                           [&](auto& links) { return bcast_plan(links, buffer, count, datatype, root); });
        },
        [&] { return next.Bcast(buffer, count, datatype, root, comm); });
}

int Hop_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Gather, comm, {}, [&](auto& links) {
                return gather_plan(links, sendbuf, sendcount, sendtype, regular_blocks(recvbuf, recvcount, recvtype),
                                   root);
            });
        },
        [&] { return next.Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Hop_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Gatherv, comm, {}, [&](auto& links) {
                return gather_plan(links, sendbuf, sendcount, sendtype,
                                   varying_blocks(recvbuf, recvcounts, displs, recvtype), root);
            });
        },
        [&] { return next.Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm); });
}

int Hop_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Scatter, comm, {}, [&](auto& links) {
                return scatter_plan(links, regular_blocks(sendbuf, sendcount, sendtype), recvbuf, recvcount, recvtype,
                                    root);
            });
        },
        [&] { return next.Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Hop_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Scatterv, comm, {}, [&](auto& links) {
                return scatter_plan(links, varying_blocks(sendbuf, sendcounts, displs, sendtype), recvbuf, recvcount,
                                    recvtype, root);
            });
        },
        [&] { return next.Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Hop_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return neighbor_allgather(Completing{}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        },
        [&] { return next.Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Hop_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return neighbor_allgatherv(Completing{}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, comm);
        },
        [&] { return next.Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm); });
}

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

int Hop_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return neighbor_alltoall(Completing{}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        },
        [&] { return next.Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Hop_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return neighbor_alltoallv(Completing{}, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, comm);
        },
        [&] {
            return next.Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
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

int Hop_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_plan(Call::Reduce, comm, {}, [&](auto& links) {
                return reduce_plan(links, {sendbuf, recvbuf, count, datatype, op}, root, {});
            });
        },
        [&] { return next.Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

int Hop_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return by_topology(
        comm,
        [&] {
            return by_reduction(comm, {}, {sendbuf, recvbuf, count, datatype, op});
        },
        [&] { return next.Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Hop_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm)
{
    return by_topology(comm, refuse_undefined,
                       [&] { return next.Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

int Hop_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm)
{
    return by_topology(comm, refuse_undefined,
                       [&] { return next.Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int Hop_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return by_topology(comm, refuse_undefined, [&] { return next.Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Hop_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return by_topology(comm, refuse_undefined,
                       [&] { return next.Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}
