// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares the staging buffers of a node: memory in which blocks wait for the processes that carry or receive them.
#include "shim/memory/staging_buffers.hpp"

#include <utility>

namespace hopscotch::shim
{

std::shared_ptr<StagingBuffers> StagingBuffers::create(const Ground& ground, int most_blocks, int most_messages)
{
    const ProcessGroup& group = ground.group;
    const StagingFileLayout layout(group.most_on_node(), most_blocks, most_messages);
    MemoryFile file = share_file(ground, layout.end(static_cast<int>(group.node_ranks().size())),
                                 {layout.own(group.node_index(group.rank()))});
    if (file.refusal() != Refusal::none)
        return nullptr;
    return std::shared_ptr<StagingBuffers>(new StagingBuffers(std::move(file), layout));
}

} // namespace hopscotch::shim
