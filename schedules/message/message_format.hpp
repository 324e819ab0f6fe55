// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the format in which messages of a schedule give the sizes of their blocks, by the processes' knowledge of
// them.
#pragma once

#include "schedules/message/message_layout.hpp"
#include "schedules/plan/schedule.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace hopscotch::schedules
{

/// The way in which processes learn the sizes of blocks.
enum class SizesAre : unsigned char {
    known,    // all blocks have one size, also those that are only sent on
    sent,     // both ends of an edge know it, and no process forwards blocks; a message with several blocks gives their
              // sizes, so that two wrong sizes with the right sum are noticed
    described // by each message: processes that forward blocks do not know their sizes
};

/// The content of a received message.
struct Arrived {
    std::size_t header_bytes = 0; // before the payload
    MessageLayout layout;

    std::size_t bytes() const noexcept { return header_bytes + layout.payload_bytes; }
};

/// The size of the block to be received in a slot. Units: bytes.
using BlockSize = std::function<std::size_t(int slot)>;

class MessageFormat
{
  public:
    virtual ~MessageFormat() = default;

    /// A call begins; `sent`, `received`: bytes of every block, if the blocks of a buffer are all alike. False: those
    /// of both must have one size, and they do not.
    virtual bool begin(std::size_t /*sent*/, std::size_t /*received*/) { return true; }

    /// True if a message with so many blocks has no header: they lie back to back.
    virtual bool is_bare(std::size_t blocks) const noexcept = 0;

    /// The most that comes at once in the message that a round receives. Units: bytes.
    virtual std::size_t capacity(std::size_t r, const BlockSize& received) const = 0;

    /// The longest header that the receiver of the message that a round sends can read.
    virtual std::size_t most_header_bytes(std::size_t /*r*/) const noexcept
    {
        return std::numeric_limits<std::size_t>::max();
    }

    /// The number of bytes that leave at once from a message of `bytes` bytes in this round; a second message brings
    /// the rest. To be asked once for each.
    virtual std::size_t leaves_at_once(std::size_t /*r*/, std::size_t bytes) { return bytes; }

    /// Finds the blocks of a message from its first bytes; the others follow. False: it is none of the round's
    /// messages.
    virtual bool read(std::size_t r, const char* message, std::size_t bytes, Arrived& arrived) = 0;

    /// The format of headers.
    HeaderFormat header() const noexcept { return header_; }

  protected:
    MessageFormat(const Schedule& schedule, std::size_t word_bytes);

    /// Blocks of the message that a round receives.
    std::size_t arrivals(std::size_t r) const noexcept { return arrivals_[r]; }

  private:
    HeaderFormat header_;
    std::vector<std::size_t> arrivals_; // by round
};

/// Requires: at most one phase if sizes are sent.
std::unique_ptr<MessageFormat> make_format(SizesAre sizes, const Schedule& schedule);

} // namespace hopscotch::schedules
