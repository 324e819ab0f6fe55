// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts blocks into a message, the user's own and those in transit; what several have in common is put there once.
#include "shim/blocks/message_writer.hpp"

#include <algorithm>
#include <cstring>

namespace hopscotch::shim
{

using schedules::Footprint;
using schedules::MessageLayout;
using schedules::OwnBytes;
using schedules::Pieces;
using schedules::PlacedBlock;
using schedules::Placement;

namespace
{

/// Arrangements remembered per message: a program's fields of different types and dimensions take turns.
constexpr std::size_t most_known = 8;

bool in_pieces(const PlacedBlock& placed)
{
    return placed.entries > 0;
}

} // namespace

AddressRange MessageWriter::range_of(const Content& content)
{
    if (content.absent || content.bytes() == 0)
        return {};
    if (content.layout == nullptr)
        return shim::range_of(content.block);
    const PlacedBlock& placed = content.placed();
    const auto start = reinterpret_cast<std::size_t>(content.payload);
    if (!in_pieces(placed))
        return {start + placed.offset, start + placed.offset + placed.bytes};
    AddressRange range{static_cast<std::size_t>(-1), 0};
    for (std::size_t e = placed.first_entry; e < placed.first_entry + placed.entries; ++e) {
        range.begin = std::min(range.begin, start + content.layout->pieces[e].offset);
        range.end = std::max(range.end, start + content.layout->pieces[e].end());
    }
    return range;
}

/// Blocks that lie behind each other as a whole have nothing in common: that is most often so, and quickly seen.
bool MessageWriter::may_overlap()
{
    ranges_.clear();
    bool sorted = true;
    for (const Content& content : contents_) {
        const AddressRange range = range_of(content);
        if (range.begin == range.end)
            continue;
        sorted = sorted && (ranges_.empty() || ranges_.back().end <= range.begin);
        ranges_.push_back(range);
    }
    if (sorted)
        return false;
    std::sort(ranges_.begin(), ranges_.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
    return std::adjacent_find(ranges_.begin(), ranges_.end(), [](const AddressRange& a, const AddressRange& b) {
               return b.begin < a.end;
           }) != ranges_.end();
}

/// Everything a plan depends on: the same numbers, the same plan. Blocks of the user's count from the first of them, so
/// that it makes no difference where the array lies. Which message brings a block in transit is always the same.
void MessageWriter::describe_arrangement()
{
    arrangement_.clear();
    std::size_t origin = 0;
    for (const Content& content : contents_) {
        if (content.bytes() == 0) {
            arrangement_.push_back(content.absent ? 0 : 1);
            continue;
        }
        if (content.layout == nullptr) {
            const Block& block = content.block;
            const auto address = reinterpret_cast<std::size_t>(block.address);
            if (origin == 0)
                origin = address;
            arrangement_.insert(arrangement_.end(), {2, block.type->id, block.bytes, address - origin});
            continue;
        }
        const PlacedBlock& placed = content.placed();
        arrangement_.insert(arrangement_.end(), {3, placed.bytes, placed.offset, placed.entries});
        for (std::size_t e = placed.first_entry; e < placed.first_entry + placed.entries; ++e) {
            const Pieces& pieces = content.layout->pieces[e];
            arrangement_.insert(arrangement_.end(), {pieces.offset, pieces.length, pieces.stride, pieces.count});
        }
    }
}

Footprint MessageWriter::footprint_of(const Content& content)
{
    Footprint footprint;
    footprint.absent = content.absent;
    if (content.absent)
        return footprint;
    footprint.bytes = content.bytes();
    if (content.layout == nullptr) {
        footprint.pieces = pieces_of(content.block);
        return footprint;
    }
    const PlacedBlock& placed = content.placed();
    const auto start = reinterpret_cast<std::size_t>(content.payload);
    if (!in_pieces(placed) && placed.bytes > 0)
        footprint.pieces.push_back({start + placed.offset, placed.bytes});
    for (std::size_t e = placed.first_entry; e < placed.first_entry + placed.entries; ++e) {
        footprint.pieces.push_back(content.layout->pieces[e]);
        footprint.pieces.back().offset += start;
    }
    return footprint;
}

void MessageWriter::plan_without_repeats()
{
    describe_arrangement();
    auto found = std::find_if(known_.begin(), known_.end(),
                              [this](const Known& known) { return known.arrangement == arrangement_; });
    if (found == known_.end()) {
        if (known_.size() == most_known)
            known_.pop_back();
        std::vector<Footprint> footprints;
        for (const Content& content : contents_)
            footprints.push_back(footprint_of(content));
        known_.push_back({arrangement_, schedules::without_repeats(footprints, format_)});
        found = known_.end() - 1;
    }
    std::rotate(known_.begin(), found, found + 1);
    in_turn_ = false;
    header_bytes_ = format_.bytes(planned().layout);
}

void MessageWriter::plan_in_turn()
{
    plan_.layout.clear();
    for (const Content& content : contents_) {
        if (content.absent)
            plan_.layout.append_absent();
        else
            plan_.layout.append(content.bytes());
    }
    in_turn_ = true;
    header_bytes_ = format_.plain_bytes(contents_.size());
}

void MessageWriter::plan(std::size_t most_header_bytes)
{
    if (may_overlap())
        plan_without_repeats();
    else
        plan_in_turn();
    if (header_bytes_ > most_header_bytes)
        plan_in_turn();
}

inline void MessageWriter::write_content(const Content& content, char* to)
{
    if (content.layout == nullptr)
        pack(content.block, to);
    else
        schedules::gather(*content.layout, content.position, content.payload, to);
}

void MessageWriter::write(char* to)
{
    const MessageLayout& layout = planned().layout;
    format_.write(layout, to);
    char* const payload = to + header_bytes_;
    for (std::size_t q = 0; q < contents_.size(); ++q)
        if (layout.blocks[q].placement == Placement::in_turn)
            write_content(contents_[q], payload + layout.blocks[q].offset);
    std::size_t packed = contents_.size(); // the block that was packed last
    for (const OwnBytes& own : planned().own) {
        if (packed != own.block) {
            packed = own.block;
            packed_.resize(contents_[packed].bytes());
            write_content(contents_[packed], packed_.data());
        }
        std::memcpy(payload + own.payload_offset, packed_.data() + own.block_offset, own.bytes);
    }
}

} // namespace hopscotch::shim
