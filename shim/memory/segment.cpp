// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares memory among the processes of one graph communicator on one node: counters and double buffers.
#include "shim/memory/segment.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// Few: programs that make many graphs for a few calls each keep few of them at a time.
constexpr std::size_t most_spares = 4;

struct Spares {
    std::mutex mutex;
    std::vector<std::unique_ptr<Segment>> newest_last; // in the order in which they were given back
};

} // namespace

Segment::Segment(const ProcessGroup& group, MemoryFile file, SegmentLayout layout, std::size_t streams, std::int64_t id)
    : file_(std::move(file)), layout_(std::move(layout)), turns_(streams), id_(id), group_(group.id()),
      first_process_(group.members().front()), own_index_(group.node_index(group.rank()))
{
}

Segment::Made Segment::create(const Ground& ground, const std::vector<std::size_t>& rooms, std::int64_t id)
{
    const ProcessGroup& group = ground.group;
    SegmentLayout layout(group.node_ranks().size(), rooms);
    MemoryFile file = share_file(ground, layout.end(), layout.own(group.node_index(group.rank())));
    if (file.refusal() != Refusal::none)
        return {nullptr, file.refusal()};
    std::unique_ptr<Segment> made(new Segment(group, std::move(file), std::move(layout), rooms.size(), id));
    return {id != 0 ? std::shared_ptr<Segment>(made.release(), give_back) : std::shared_ptr<Segment>(std::move(made))};
}

void Segment::give_back(Segment* segment) noexcept
{
    std::unique_ptr<Segment> given(segment);
    if (!given->turns_are_over())
        return;
    Spares& spares = immortal<Spares>();
    const LockAmongThreads lock(spares.mutex);
    std::vector<std::unique_ptr<Segment>>& all = spares.newest_last;
    try {
        all.reserve(most_spares);
    } catch (const NoMemory&) {
        return;
    }
    if (all.size() < most_spares) {
        all.push_back(std::move(given));
    } else {
        all.front().swap(given); // freed after the lock
        std::rotate(all.begin(), all.begin() + 1, all.end());
    }
}

std::shared_ptr<Segment> Segment::take_spare(const ProcessGroup& group)
{
    Spares& spares = immortal<Spares>();
    const LockAmongThreads lock(spares.mutex);
    std::vector<std::unique_ptr<Segment>>& all = spares.newest_last;
    auto best = all.end();
    for (auto one = all.begin(); one != all.end(); ++one)
        if ((*one)->is_of(group) && (best == all.end() || (*one)->comes_before(**best)))
            best = one;
    if (best == all.end())
        return nullptr;
    std::unique_ptr<Segment> taken = std::move(*best);
    all.erase(best);
    return {taken.release(), give_back};
}

/// The larger one first, then the newer one: processes with different spares make a new one, and then get the same.
bool Segment::comes_before(const Segment& other) const noexcept
{
    return layout_.end() != other.layout_.end() ? layout_.end() > other.layout_.end() : id_ > other.id_;
}

bool Segment::is_of(const ProcessGroup& group) const noexcept
{
    return group_ == group.id() && first_process_ == group.members().front();
}

/// True if this process has completed all its reads: after a failed call, neighbors may wait for it.
bool Segment::turns_are_over() const noexcept
{
    for (std::size_t stream = 0; stream < turns_.size(); ++stream)
        for (std::size_t back = 0; back < buffers_per_stream; ++back) {
            const SequenceNumber turn = turns_[stream].last - back;
            if (turn > no_turn && readings(own_index_, static_cast<int>(stream)).last_done(turn) != word_of(turn))
                return false;
        }
    return std::all_of(extensions_.begin(), extensions_.end(),
                       [](const std::shared_ptr<Segment>& more) { return more->turns_are_over(); });
}

bool Segment::has_rooms(const std::vector<std::size_t>& rooms) const noexcept
{
    bool enough = rooms.size() == turns_.size();
    for (std::size_t stream = 0; enough && stream < rooms.size(); ++stream)
        enough = layout_.room(stream) >= rooms[stream];
    return enough;
}

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
