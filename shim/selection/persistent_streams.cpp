// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/persistent_streams.hpp"

#include "schedules/memory/room.hpp"
#include "shim/group/collective_consensus.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The bit of a stream in words that hold one for each.
constexpr std::uint64_t bit_of_stream(std::size_t index) noexcept
{
    return std::uint64_t{1} << index;
}

/// The bits of the first streams.
constexpr std::uint64_t streams_up_to(std::size_t count) noexcept
{
    return bit_of_stream(count) - 1;
}

} // namespace

void PersistentStreams::take_streams_of(const std::shared_ptr<Segment>& segment, Segment& extension)
{
    for (int i = 0; i < extension.streams(); ++i) {
        unused_ |= bit_of_stream(streams_.size());
        streams_.push_back(std::make_shared<Stream>(Stream{std::shared_ptr<Segment>(segment, &extension), i}));
    }
}

/// Doubles the streams, four at least, with as much room as calls have: one file, which costs as much as hundreds of
/// agreements. Collective: over the communicator.
void PersistentStreams::make_more(const std::shared_ptr<Segment>& segment, const Ground& ground)
{
    const std::size_t made = streams_.size();
    const std::size_t more = std::min(std::max<std::size_t>(made, 4), schedules::persistent_streams - made);
    const std::vector<std::size_t> rooms(more, segment->buffer_bytes(schedules::calls_stream));
    std::shared_ptr<Segment> extension = Segment::create(ground, rooms).segment;
    if (extension == nullptr)
        return;
    take_streams_of(segment, *extension);
    segment->extend(std::move(extension));
}

StreamLease PersistentStreams::lend(std::size_t index)
{
    const std::uint64_t bit = bit_of_stream(index);
    unused_ &= ~bit;
    lent_->fetch_or(bit);
    const auto give_back = [stream = streams_[index], lent = lent_, bit](Stream*) { lent->fetch_and(~bit); };
    return {std::shared_ptr<Stream>(streams_[index].get(), give_back), static_cast<int>(index)};
}

StreamLease PersistentStreams::take(Algorithm algorithm, const std::shared_ptr<Segment>& segment, const Ground& ground)
{
    // Those that requests of earlier graphs have had. No request has them on any process: a request keeps the segment
    // that is extended from the next graph.
    if (streams_.empty())
        for (const std::shared_ptr<Segment>& extension : segment->extensions())
            take_streams_of(segment, *extension);
    const std::size_t most =
        algorithm == Algorithm::aggregated ? schedules::persistent_regions : schedules::persistent_streams;
    const std::uint64_t usable = streams_up_to(most);
    if ((unused_ & usable) == 0 && in_vain_ % 16 == 0) {
        const std::uint64_t given_back = streams_up_to(streams_.size()) & ~lent_->load();
        unused_ = streams_.empty() ? 0 : CollectiveConsensus(ground.comm).common_bits(given_back);
        if ((unused_ & usable) == 0 && streams_.size() < most)
            make_more(segment, ground);
    }
    for (std::size_t i = 0; i < most; ++i)
        if ((unused_ & bit_of_stream(i)) != 0) {
            in_vain_ = 0;
            return lend(i);
        }
    ++in_vain_;
    return {};
}

} // namespace hopscotch::shim
