// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/overlap.hpp"

#include <algorithm>
#include <numeric>

namespace hopscotch::schedules
{

namespace
{

/// More pieces than this in a message are not looked at.
constexpr std::size_t most_pieces = std::size_t{1} << 18;

/// Bytes that are in no block in turn: they lie behind all that are.
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// Memory [begin, end) that the message delivers: in the block `owner` from `offset` on.
struct Brought {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t owner = nobody;
    std::size_t offset = 0;
};

/// A part of a block as it is found in memory: brought already, or not.
struct OverlapPart {
    std::size_t address = 0;
    std::size_t bytes = 0;
    std::size_t block_offset = 0;
    bool known = false;
    std::size_t owner = nobody;
    std::size_t offset = 0;
};

/// Pieces of one owner.
struct OwnedPieces {
    std::size_t owner = nobody;
    Pieces pieces;
};

void append(std::vector<OwnedPieces>& entries, const OverlapPart& part)
{
    const bool same_owner = !entries.empty() && entries.back().owner == part.owner;
    if (!same_owner || !entries.back().pieces.extend(part.offset, part.bytes))
        entries.push_back({part.owner, {part.offset, part.bytes}});
}

/// The memory that the blocks taken so far deliver, in order of address, without overlaps.
class Memory
{
  public:
    /// The parts of a block, known ones and others.
    std::vector<OverlapPart> parts_of(const Footprint& block) const
    {
        std::vector<OverlapPart> parts;
        std::size_t block_offset = 0;
        for (const Pieces& pieces : block.pieces)
            for (std::size_t i = 0; i < pieces.count; ++i) {
                split(block.base + pieces.offset + i * pieces.stride, pieces.length, block_offset, parts);
                block_offset += pieces.length;
            }
        return parts;
    }

    /// From now on these parts are known; new ones get their owner and offset.
    void bring(const std::vector<OverlapPart>& parts)
    {
        const auto middle = static_cast<std::ptrdiff_t>(brought_.size());
        for (const OverlapPart& part : parts)
            if (!part.known)
                brought_.push_back({part.address, part.address + part.bytes, part.owner, part.offset});
        const auto before = [](const Brought& a, const Brought& b) { return a.begin < b.begin; };
        std::sort(brought_.begin() + middle, brought_.end(), before);
        remove_repeats(static_cast<std::size_t>(middle));
        std::inplace_merge(brought_.begin(), brought_.begin() + middle, brought_.end(), before);
    }

  private:
    void split(std::size_t address, std::size_t bytes, std::size_t block_offset, std::vector<OverlapPart>& parts) const
    {
        auto next = std::upper_bound(brought_.begin(), brought_.end(), address,
                                     [](std::size_t at, const Brought& brought) { return at < brought.end; });
        while (bytes > 0) {
            OverlapPart part;
            part.address = address;
            part.block_offset = block_offset;
            part.known = next != brought_.end() && next->begin <= address;
            if (part.known) {
                part.bytes = std::min(bytes, next->end - address);
                part.owner = next->owner;
                part.offset = next->offset + (address - next->begin);
                ++next;
            } else {
                part.bytes = next == brought_.end() ? bytes : std::min(bytes, next->begin - address);
            }
            parts.push_back(part);
            address += part.bytes;
            block_offset += part.bytes;
            bytes -= part.bytes;
        }
    }

    /// If a block overlaps itself, memory of an earlier entry is cut from the later one.
    void remove_repeats(std::size_t first)
    {
        std::size_t kept = first;
        for (std::size_t i = first; i < brought_.size(); ++i) {
            Brought entry = brought_[i];
            const std::size_t end = kept > first ? brought_[kept - 1].end : 0;
            if (kept > first && entry.begin < end) {
                if (entry.end <= end)
                    continue;
                entry.offset += end - entry.begin;
                entry.begin = end;
            }
            brought_[kept++] = entry;
        }
        brought_.resize(kept);
    }

    std::vector<Brought> brought_;
};

class OverlapPlanner
{
  public:
    OverlapPlanner(const std::vector<Footprint>& blocks, const HeaderFormat& format)
        : blocks_(blocks), format_(format), pieces_(blocks.size())
    {
    }

    MessagePlan plan()
    {
        std::vector<std::size_t> order(blocks_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return blocks_[a].bytes > blocks_[b].bytes; });
        for (const std::size_t q : order)
            if (!blocks_[q].absent && !blocks_[q].pieces.empty())
                take(q);
        return written_down();
    }

  private:
    /// Decides the placement of a block: in known memory, if that is worth its description.
    void take(std::size_t q)
    {
        std::vector<OverlapPart> parts = memory_.parts_of(blocks_[q]);
        std::size_t known = 0;
        std::size_t behind = behind_;
        for (OverlapPart& part : parts) {
            if (part.known) {
                known += part.bytes;
            } else {
                part.offset = behind;
                behind += part.bytes;
            }
        }
        std::vector<OwnedPieces> entries;
        if (known > 0)
            for (const OverlapPart& part : parts)
                append(entries, part);
        if (known > 0 && format_.added_bytes(plain(entries, {})) <= known) {
            pieces_[q] = std::move(entries);
            for (const OverlapPart& part : parts)
                if (!part.known)
                    own_.push_back({q, part.block_offset, part.bytes, part.offset});
            behind_ = behind;
        } else {
            for (OverlapPart& part : parts)
                if (!part.known) {
                    part.owner = q;
                    part.offset = part.block_offset;
                }
        }
        memory_.bring(parts);
    }

    /// The pieces in the payload, by the places of their owners; `starts`: empty, or by block.
    static std::vector<Pieces> plain(const std::vector<OwnedPieces>& entries, const std::vector<std::size_t>& starts)
    {
        std::vector<Pieces> result;
        for (const OwnedPieces& entry : entries) {
            result.push_back(entry.pieces);
            if (!starts.empty())
                result.back().offset += entry.owner == nobody ? starts.back() : starts[entry.owner];
        }
        return result;
    }

    MessagePlan written_down()
    {
        MessagePlan plan;
        plan.own = std::move(own_);
        std::vector<std::size_t> starts; // starts of the blocks, and the end
        std::size_t together = 0;
        for (std::size_t q = 0; q < blocks_.size(); ++q) {
            starts.push_back(plan.layout.payload_bytes);
            if (blocks_[q].absent) {
                plan.layout.append_absent();
                continue;
            }
            plan.layout.append(pieces_[q].empty() ? blocks_[q].bytes : 0);
            plan.layout.blocks.back().bytes = blocks_[q].bytes;
            together += blocks_[q].bytes;
        }
        starts.push_back(plan.layout.payload_bytes);
        for (OwnBytes& own : plan.own)
            own.payload_offset += starts.back();
        for (std::size_t q = 0; q < blocks_.size(); ++q)
            if (!pieces_[q].empty())
                plan.layout.scatter(q, plain(pieces_[q], starts));
        plan.saved_bytes = together - plan.layout.payload_bytes;
        return plan;
    }

    const std::vector<Footprint>& blocks_;
    const HeaderFormat& format_;
    std::vector<std::vector<OwnedPieces>> pieces_; // by block; empty: it lies in turn
    std::vector<OwnBytes> own_;
    std::size_t behind_ = 0; // bytes behind the blocks in turn
    Memory memory_;
};

} // namespace

void set_footprint(const MessageLayout& layout, std::size_t block, const char* payload, Footprint& footprint)
{
    const PlacedBlock& placed = layout.blocks[block];
    footprint.bytes = placed.bytes;
    footprint.absent = placed.placement == Placement::absent;
    footprint.base = reinterpret_cast<std::size_t>(payload);
    const auto first = layout.pieces.begin() + static_cast<std::ptrdiff_t>(placed.first_entry);
    footprint.pieces.assign(first, first + static_cast<std::ptrdiff_t>(placed.entries));
    if (placed.entries == 0 && placed.bytes > 0)
        footprint.pieces.push_back({placed.offset, placed.bytes});
}

void put_in_turn(const std::vector<Footprint>& blocks, MessageLayout& layout)
{
    layout.clear();
    for (const Footprint& block : blocks) {
        if (block.absent)
            layout.append_absent();
        else
            layout.append(block.bytes);
    }
}

MessagePlan without_repeats(const std::vector<Footprint>& blocks, const HeaderFormat& format)
{
    std::size_t pieces = 0;
    std::size_t bytes = 0;
    for (const Footprint& block : blocks) {
        for (const Pieces& entry : block.pieces)
            pieces += entry.count;
        bytes += block.bytes;
    }
    if (pieces > most_pieces || bytes > format.largest_offset()) {
        MessagePlan plan;
        put_in_turn(blocks, plan.layout);
        return plan;
    }
    return OverlapPlanner(blocks, format).plan();
}

} // namespace hopscotch::schedules
