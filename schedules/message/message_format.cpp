// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/message_format.hpp"

#include "schedules/plan/schedule.hpp"

#include <algorithm>
#include <cstdint>

namespace hopscotch::schedules
{

namespace
{

/// Blocks back to back, nothing else.
class KnownSizes final : public MessageFormat
{
  public:
    explicit KnownSizes(const Schedule& schedule)
        : MessageFormat(schedule, sizeof(std::uint64_t)), forwards_(schedule.phases.size() > 1),
          sends_(!schedule.copies.empty()), receives_(sends_)
    {
        for (const Round* round : rounds_of(schedule)) {
            receives_ = receives_ || !round->deliveries.empty();
            sends_ = sends_ || std::any_of(round->sends.begin(), round->sends.end(),
                                           [](const Slot& slot) { return slot.place == Place::send; });
        }
    }

    /// The size of blocks that are only sent on is known by that of the process's own.
    bool begin(std::size_t sent, std::size_t received) override
    {
        block_bytes_ = forwards_ && sends_ ? sent : received;
        return !forwards_ || !receives_ || block_bytes_ == received;
    }

    std::size_t capacity(std::size_t r, const BlockSize&) const override { return arrivals(r) * block_bytes_; }

    bool is_bare(std::size_t) const noexcept override { return true; }

    bool read(std::size_t r, const char*, std::size_t bytes, Arrived& arrived) override
    {
        if (bytes != arrivals(r) * block_bytes_)
            return false;
        MessageLayout& layout = arrived.layout;
        if (layout.payload_bytes == bytes && !layout.blocks.empty())
            return true; // the same as in the call before
        layout.clear();
        for (std::size_t q = 0; q < arrivals(r); ++q)
            layout.append(block_bytes_);
        return true;
    }

  private:
    bool forwards_;
    bool sends_; // blocks of the user's: else the size of those in the send buffer says nothing
    bool receives_;
    std::size_t block_bytes_ = 0; // bytes of received blocks
};

/// A message with one block is that block, one with several starts with their sizes.
class SentSizes final : public MessageFormat
{
  public:
    explicit SentSizes(const Schedule& schedule) : MessageFormat(schedule, sizeof(std::uint64_t))
    {
        for (const Round* round : rounds_of(schedule)) {
            slots_.emplace_back(static_cast<std::size_t>(round->arrivals), -1);
            for (const Move& move : round->deliveries) // all that get the same block know its size
                slots_.back()[static_cast<std::size_t>(move.from.index - round->first_arrival)] = move.to.index;
        }
    }

    std::size_t capacity(std::size_t r, const BlockSize& received) const override
    {
        std::size_t bytes = is_bare(arrivals(r)) ? 0 : header().plain_bytes(arrivals(r));
        for (const int slot : slots_[r])
            bytes += slot >= 0 ? received(slot) : 0;
        return bytes;
    }

    bool is_bare(std::size_t blocks) const noexcept override { return blocks <= 1; }

    bool read(std::size_t r, const char* message, std::size_t bytes, Arrived& arrived) override
    {
        if (!is_bare(arrivals(r))) {
            const bool readable = header().read(message, bytes, arrivals(r), arrived.layout);
            arrived.header_bytes = readable ? header().bytes(arrived.layout) : 0;
            return readable && arrived.bytes() == bytes;
        }
        arrived.layout.clear();
        arrived.layout.append(bytes);
        return true;
    }

  private:
    std::vector<std::vector<int>> slots_; // by round: the receive slot of each block that arrives, or -1
};

/// A header with the sizes of all blocks, then the blocks. Both ends derive the size of the first message from the same
/// history: if a call needs more, a second message brings the rest, and then both make more room. In the steady state
/// there is no second message. Bytes that blocks have in common are sent once; the header gives their place, so a
/// forwarder sends them on once as well.
class SelfDescribing final : public MessageFormat
{
  public:
    explicit SelfDescribing(const Schedule& schedule) : MessageFormat(schedule, sizeof(std::uint32_t))
    {
        const auto first_room = [this](std::size_t blocks) {
            constexpr std::size_t first_block_room = 256;
            return header().plain_bytes(blocks) + blocks * first_block_room;
        };
        for (const Round* round : rounds_of(schedule)) {
            in_.push_back(first_room(static_cast<std::size_t>(round->arrivals)));
            out_.push_back(first_room(round->sends.size()));
        }
    }

    bool is_bare(std::size_t) const noexcept override { return false; }
    std::size_t capacity(std::size_t r, const BlockSize&) const override { return in_[r]; }
    std::size_t most_header_bytes(std::size_t r) const noexcept override { return out_[r]; }
    std::size_t leaves_at_once(std::size_t r, std::size_t bytes) override { return at_once(out_[r], bytes); }

    bool read(std::size_t r, const char* message, std::size_t bytes, Arrived& arrived) override
    {
        if (!header().read(message, bytes, arrivals(r), arrived.layout))
            return false;
        arrived.header_bytes = header().bytes(arrived.layout);
        return bytes == std::min(arrived.bytes(), in_[r]) && at_once(in_[r], arrived.bytes()) == bytes;
    }

  private:
    /// The first part of a message of `bytes` bytes; makes room for the next one of that size.
    static std::size_t at_once(std::size_t& room, std::size_t bytes)
    {
        const std::size_t now = std::min(room, bytes);
        if (bytes > room)
            room = bytes + bytes / 2;
        return now;
    }

    std::vector<std::size_t> in_;  // by round, the same as the sender's
    std::vector<std::size_t> out_; // by round
};

} // namespace

MessageFormat::MessageFormat(const Schedule& schedule, std::size_t word_bytes) : header_(word_bytes)
{
    for (const Round* round : rounds_of(schedule))
        arrivals_.push_back(static_cast<std::size_t>(round->arrivals));
}

std::unique_ptr<MessageFormat> make_format(SizesAre sizes, const Schedule& schedule)
{
    switch (sizes) {
    case SizesAre::known:
        return std::make_unique<KnownSizes>(schedule);
    case SizesAre::sent:
        return std::make_unique<SentSizes>(schedule);
    case SizesAre::described:
        break;
    }
    return std::make_unique<SelfDescribing>(schedule);
}

} // namespace hopscotch::schedules
