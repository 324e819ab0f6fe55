// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares memory among the processes of one graph communicator on one node: counters and double buffers.
#include "shim/memory/segment.hpp"

#include <utility>

namespace hopscotch::shim
{

Segment::Made Segment::create(const Ground& ground, const std::vector<std::size_t>& rooms)
{
    const ProcessGroup& group = ground.group;
    SegmentLayout layout(group.node_ranks().size(), rooms);
    MemoryFile file = share_file(ground, layout.end(), layout.own(group.node_index(group.rank())));
    if (file.refusal() != Refusal::none)
        return {nullptr, file.refusal()};
    return {std::shared_ptr<Segment>(new Segment(std::move(file), std::move(layout)))};
}

} // namespace hopscotch::shim
