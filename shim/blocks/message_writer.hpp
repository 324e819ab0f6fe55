// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts blocks into a message, the user's own and those in transit; what several have in common is put there once.
#pragma once

#include "schedules/overlap.hpp"
#include "shim/blocks/block_layout.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// Writes the messages of one round, call after call: a header, then the blocks. Whether blocks overlap depends on
/// where they lie relative to each other; what was found for one arrangement is remembered.
class MessageWriter
{
  public:
    explicit MessageWriter(schedules::HeaderFormat format) : format_(format) {}

    /// A new message, without blocks.
    void begin() noexcept { contents_.clear(); }
    void add(const Block& block) { contents_.push_back({block, nullptr, nullptr, 0, false}); }
    void add_absent() { contents_.push_back({Block(), nullptr, nullptr, 0, true}); }

    /// A block in transit: one that has come with a message. Both must stay until this message has been written.
    void add_arrived(const char* payload, const schedules::MessageLayout& layout, std::size_t position)
    {
        const bool absent = layout.blocks[position].placement == schedules::Placement::absent;
        contents_.push_back({Block(), payload, &layout, position, absent});
    }

    /// All blocks have been added. Decides how they lie; a header longer than `most_header_bytes` is avoided if
    /// possible.
    void plan(std::size_t most_header_bytes);

    /// Of the message planned.
    std::size_t header_bytes() const noexcept { return header_bytes_; }
    std::size_t payload_bytes() const noexcept { return planned().layout.payload_bytes; }
    std::size_t bytes() const noexcept { return header_bytes_ + payload_bytes(); }
    std::size_t saved_bytes() const noexcept { return planned().saved_bytes; }

    /// Writes bytes() bytes.
    void write(char* to);

  private:
    struct Content {
        Block block;                   // of the user's, or
        const char* payload = nullptr; // in transit: of the message that brought it,
        const schedules::MessageLayout* layout = nullptr;
        std::size_t position = 0; // and its place there
        bool absent = false;

        const schedules::PlacedBlock& placed() const { return layout->blocks[position]; }
        std::size_t bytes() const { return layout != nullptr ? placed().bytes : block.bytes; }
    };

    struct Known {
        std::vector<std::uint64_t> arrangement;
        schedules::MessagePlan plan;
    };

    static AddressRange range_of(const Content& content);
    static schedules::Footprint footprint_of(const Content& content);
    bool may_overlap();
    void describe_arrangement();
    void plan_without_repeats();
    void plan_in_turn();
    const schedules::MessagePlan& planned() const noexcept { return in_turn_ ? plan_ : known_.front().plan; }
    void write_content(const Content& content, char* to);

    schedules::HeaderFormat format_;
    std::vector<Content> contents_;
    bool in_turn_ = true;         // all blocks lie in turn,
    schedules::MessagePlan plan_; // as this says; else as the first one known
    std::vector<Known> known_;    // the one used last in front
    std::size_t header_bytes_ = 0;
    std::vector<AddressRange> ranges_;
    std::vector<std::uint64_t> arrangement_;
    std::vector<char> packed_;
};

/// Unpacks a block of a message into the user's. `scratch`: room, kept from call to call.
inline void unpack(const schedules::MessageLayout& layout, std::size_t position, const char* payload,
                   const Block& block, std::vector<char>& scratch)
{
    const schedules::PlacedBlock& placed = layout.blocks[position];
    if (placed.entries == 0)
        return unpack(payload + placed.offset, placed.bytes, block);
    scratch.resize(placed.bytes);
    schedules::gather(layout, position, payload, scratch.data());
    unpack(scratch.data(), placed.bytes, block);
}

} // namespace hopscotch::shim
