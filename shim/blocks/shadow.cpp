// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a receive buffer, and compares what came there with what the MPI library has received.
#include "shim/blocks/shadow.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace hopscotch::shim
{

namespace
{

/// Room around blocks; blocks in the user's memory that are no further apart stay as they are to each other.
constexpr std::size_t margin = 512;

char pattern(std::size_t at) noexcept
{
    return static_cast<char>(0xa5u ^ (at * 7u));
}

} // namespace

Shadow::Shadow(const BlockLayout& user, const std::vector<int>& sources) : user_(user), sources_(sources)
{
    arrange(sources.size());
    memory_ = allocate();
    layout_ = layout_in(memory_);
    reset();
}

/// Finds a place for every block, in the order in which they lie in the user's memory.
void Shadow::arrange(std::size_t blocks)
{
    struct Placed {
        std::size_t block;
        AddressRange reach;
    };
    std::vector<Placed> order;
    spans_.resize(blocks);
    for (std::size_t i = 0; i < blocks; ++i) {
        const Block block = user_[static_cast<int>(i)];
        if (block.bytes == 0)
            continue;
        order.push_back({i, reach_of(block)});
        const AddressRange& reach = order.back().reach;
        spans_[i].origin = static_cast<std::ptrdiff_t>(reinterpret_cast<std::size_t>(block.address) - reach.begin);
    }
    std::sort(order.begin(), order.end(),
              [](const Placed& a, const Placed& b) { return a.reach.begin < b.reach.begin; });
    std::size_t end = 0;   // of the blocks placed so far, in the user's memory
    std::size_t shift = 0; // from there to here
    for (const auto& [block, reach] : order) {
        if (size_ == 0 || reach.begin > end + margin) {
            const std::size_t free = (size_ == 0 ? 0 : size_ + margin) + margin;
            shift = (free + sizeof(Line) - 1) / sizeof(Line) * sizeof(Line) + reach.begin % sizeof(Line) - reach.begin;
            end = 0;
        }
        spans_[block].begin = reach.begin + shift;
        spans_[block].origin += static_cast<std::ptrdiff_t>(spans_[block].begin);
        end = std::max(end, reach.end);
        size_ = end + shift;
    }
    size_ += margin;
}

void Shadow::fill(Memory& memory) const noexcept
{
    for (std::size_t i = 0; i < size_; ++i)
        begin_of(memory)[i] = pattern(i);
}

BlockLayout Shadow::layout_in(Memory& memory) const
{
    std::vector<char*> addresses;
    for (const Span& span : spans_)
        addresses.push_back(begin_of(memory) + span.origin);
    return user_.at(addresses);
}

std::optional<Difference> Shadow::difference() const
{
    Memory memory = allocate();
    fill(memory);
    const BlockLayout there = layout_in(memory);
    for (std::size_t i = 0; i < spans_.size(); ++i)
        if (sources_[i] != schedules::no_rank)
            copy(user_[static_cast<int>(i)], there[static_cast<int>(i)]);
    const char* const wanted = begin_of(memory);
    const char* const got = begin_of(memory_);
    if (std::memcmp(wanted, got, size_) == 0)
        return std::nullopt;
    std::size_t first = size_;
    std::size_t count = 0;
    for (std::size_t i = size_; i-- > 0;) {
        if (wanted[i] != got[i]) {
            first = i;
            ++count;
        }
    }
    Difference difference = describe(first);
    difference.expected = static_cast<unsigned char>(wanted[first]);
    difference.got = static_cast<unsigned char>(got[first]);
    difference.bytes = count;
    return difference;
}

/// Which block the byte `at` belongs to: the one that changes it when it is written.
Difference Shadow::describe(std::size_t at) const
{
    Memory marks = allocate();
    const BlockLayout there = layout_in(marks);
    Difference difference;
    difference.outside = true;
    std::ptrdiff_t nearest = PTRDIFF_MAX;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
        const Block block = there[static_cast<int>(i)];
        if (block.bytes == 0 || sources_[i] == schedules::no_rank)
            continue;
        const std::vector<char> ones(block.bytes, 1);
        unpack(ones.data(), ones.size(), block);
        const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(spans_[i].begin);
        const bool inside = begin_of(marks)[at] != 0;
        if (!inside && (distance < 0 || distance > nearest))
            continue;
        nearest = distance;
        difference.block = static_cast<int>(i);
        difference.offset = static_cast<std::ptrdiff_t>(at) - spans_[i].origin;
        difference.outside = !inside;
        if (inside)
            break;
    }
    return difference;
}

} // namespace hopscotch::shim
