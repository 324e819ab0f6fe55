// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Maps one file in memory into the processes of a node.
#include "shim/memory/shared_file.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/point_to_point.hpp"

#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The first process of the node makes the file and describes it to the others, which find it.
MemoryFile file_of_node(const Ground& ground, std::size_t bytes)
{
    const std::vector<int>& ranks = ground.group.node_ranks();
    SetUpMessages messages(ground.group.communicator(), ground.tag);
    if (ground.group.rank() != ranks.front()) {
        FileIdentity identity;
        messages.receive(&identity, sizeof identity, ranks.front());
        messages.finish();
        return MemoryFile::find(identity, bytes);
    }
    MemoryFile file = MemoryFile::make(bytes);
    for (const int rank : ranks)
        if (rank != ranks.front())
            messages.send(&file.identity(), sizeof file.identity(), rank);
    messages.finish();
    return file;
}

} // namespace

MemoryFile share_file(const Ground& ground, std::size_t bytes, const std::vector<Range>& own)
{
    MemoryFile file = file_of_node(ground, bytes);
    file.reserve(own);
    const std::int64_t refusal = CollectiveConsensus(ground.comm).maximum(static_cast<std::int64_t>(file.refusal()));
    file.close();
    return refusal == 0 ? std::move(file) : MemoryFile::refused(static_cast<Refusal>(refusal));
}

} // namespace hopscotch::shim
