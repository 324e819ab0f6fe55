// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Maps one file in memory into the processes of a node.
#include "shim/memory/shared_file.hpp"

#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The first process of the node makes the file and tells the others.
MemoryFile make_and_tell(const Ground& ground, std::size_t bytes)
{
    const ProcessGroup& group = ground.group;
    MemoryFile file = MemoryFile::make(bytes);
    const FileIdentity& identity = file.identity();
    std::vector<MPI_Request> requests;
    for (const int rank : group.node_ranks())
        if (rank != group.rank())
            start_send(group, reinterpret_cast<const char*>(&identity), sizeof identity, rank, ground.tag,
                       requests.emplace_back(MPI_REQUEST_NULL));
    check(next.Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    return file;
}

MemoryFile hear_and_find(const Ground& ground, std::size_t bytes)
{
    FileIdentity identity;
    MPI_Request request = MPI_REQUEST_NULL;
    start_receive(ground.group, reinterpret_cast<char*>(&identity), sizeof identity, ground.group.node_ranks().front(),
                  ground.tag, request);
    check(next.Waitall(1, &request, MPI_STATUSES_IGNORE));
    return MemoryFile::find(identity, bytes);
}

} // namespace

MemoryFile share_file(const Ground& ground, std::size_t bytes, const std::vector<Range>& own)
{
    const ProcessGroup& group = ground.group;
    const bool first = group.rank() == group.node_ranks().front();
    MemoryFile file = first ? make_and_tell(ground, bytes) : hear_and_find(ground, bytes);
    file.reserve(own);
    const std::int64_t refusal = CollectiveConsensus(ground.comm).maximum(static_cast<std::int64_t>(file.refusal()));
    file.close();
    return refusal == 0 ? std::move(file) : MemoryFile::refused(static_cast<Refusal>(refusal));
}

} // namespace hopscotch::shim
