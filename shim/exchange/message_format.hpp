// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says how the messages of a schedule tell the sizes of their blocks, by what processes know of them.
#pragma once

#include "schedules/schedule.hpp"
#include "shim/blocks/message_writer.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// How processes learn the sizes of blocks.
enum class SizesAre : unsigned char {
    known, // all blocks have one size, also those that are only sent on
    sent,  // both ends of an edge know it, and nobody sends blocks on; it is told where a message has several blocks,
           // so that two of wrong sizes that make up the right sum are noticed
    described // by each message: those who send blocks on do not know
};

/// What a message has been found to hold.
struct Arrived {
    std::size_t header_bytes = 0; // before the payload
    schedules::MessageLayout layout;

    std::size_t bytes() const noexcept { return header_bytes + layout.payload_bytes; }
};

class MessageFormat
{
  public:
    virtual ~MessageFormat() = default;

    /// A call begins. False: all its blocks must have one size, and they do not.
    virtual bool begin(const BlockLayout&, const BlockLayout&) { return true; }

    /// Whether a message with so many blocks has no header: they lie back to back.
    virtual bool is_bare(std::size_t blocks) const noexcept = 0;

    /// The most that comes at once in the message that a round receives. Units: bytes.
    virtual std::size_t capacity(std::size_t r, const BlockLayout& receive) const = 0;

    /// Decides how the blocks lie behind the header of the message that a round sends. Returns how many of its bytes
    /// leave at once; the others follow in a second message.
    virtual std::size_t plan(std::size_t r, MessageWriter& writer);

    /// Finds the blocks of a message of which so many bytes have come; the others follow. False: it is none of the
    /// round's messages.
    virtual bool read(std::size_t r, const char* message, std::size_t bytes, Arrived& arrived) = 0;

    /// Of headers.
    schedules::HeaderFormat header() const noexcept { return header_; }

  protected:
    MessageFormat(const schedules::Schedule& schedule, std::size_t word_bytes);

    /// Blocks of the message that a round receives.
    std::size_t arrivals(std::size_t r) const noexcept { return arrivals_[r]; }

  private:
    schedules::HeaderFormat header_;
    std::vector<std::size_t> arrivals_; // by round
};

/// Requires: at most one phase where sizes are sent.
std::unique_ptr<MessageFormat> make_format(SizesAre sizes, const schedules::Schedule& schedule);

} // namespace hopscotch::shim
