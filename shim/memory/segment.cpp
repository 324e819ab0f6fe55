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
    const auto own_index = static_cast<std::size_t>(group.node_index(group.rank()));
    MemoryFile file = share_file(ground, layout.end(), layout.own(own_index));
    if (file.refusal() != Refusal::none)
        return {nullptr, file.refusal()};
    return {std::shared_ptr<Segment>(new Segment(std::move(file), std::move(layout)))};
}

Segment::Segment(MemoryFile file, SegmentLayout layout) : file_(std::move(file)), layout_(std::move(layout)) {}

// The file begins as zeros, which is what the counters start from.
Readings& Segment::readings(int process, int stream) const noexcept
{
    return *reinterpret_cast<Readings*>(
        file_.base() + layout_.readings(static_cast<std::size_t>(process), static_cast<std::size_t>(stream)));
}

Sleepers& Segment::sleepers(int process, int stream) const noexcept
{
    return *reinterpret_cast<Sleepers*>(
        file_.base() + layout_.sleepers(static_cast<std::size_t>(process), static_cast<std::size_t>(stream)));
}

Statement& Segment::statement(int process, std::size_t which) const noexcept
{
    return *reinterpret_cast<Statement*>(file_.base() + layout_.statement(static_cast<std::size_t>(process), which));
}

char* Segment::front(int process, int stream, std::size_t which) const noexcept
{
    return file_.base() + layout_.front(static_cast<std::size_t>(process), static_cast<std::size_t>(stream), which);
}

char* Segment::buffer(int process, int stream, std::size_t which) const noexcept
{
    return file_.base() + layout_.buffer(static_cast<std::size_t>(process), static_cast<std::size_t>(stream), which);
}

} // namespace hopscotch::shim
