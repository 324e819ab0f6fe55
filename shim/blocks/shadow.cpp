// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a receive buffer, and compares its content with the data that the MPI library has received.
#include "shim/blocks/shadow.hpp"

#include "schedules/grid/topology.hpp"
#include "schedules/message/stand_in.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

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
    std::vector<schedules::AddressRange> ranges;
    for (int i = 0; i < blocks(); ++i)
        ranges.push_back(range_of(user_[i]));
    const schedules::StandIn places = schedules::stand_in(ranges, margin, sizeof(Line));
    size_ = places.bytes;
    memory_ = allocate();
    std::vector<char*> addresses;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto address = reinterpret_cast<std::size_t>(user_[static_cast<int>(i)].address);
        const std::size_t offset = ranges[i].empty() ? 0 : address - ranges[i].begin;
        addresses.push_back(begin_of(memory_) + static_cast<std::ptrdiff_t>(places.begins[i] + offset));
    }
    layout_ = user_.at(addresses);
    reset();
}

void Shadow::fill(Memory& memory) const noexcept
{
    for (std::size_t i = 0; i < size_; ++i)
        begin_of(memory)[i] = pattern(i);
}

std::optional<Difference> Shadow::difference() const
{
    Memory memory = allocate();
    fill(memory);
    for (int i = 0; i < blocks(); ++i) {
        Block there = layout_[i];
        there.address = begin_of(memory) + (there.address - begin_of(memory_));
        if (sources_[static_cast<std::size_t>(i)] != schedules::no_rank)
            copy(user_[i], there);
    }
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

/// The block of the byte `at`.
Difference Shadow::describe(std::size_t at) const
{
    const std::size_t address = reinterpret_cast<std::size_t>(begin_of(memory_)) + at;
    Difference difference;
    difference.outside = true;
    std::size_t nearest = SIZE_MAX;
    for (int i = 0; i < blocks() && difference.outside; ++i) {
        const Block block = layout_[i];
        if (block.bytes == 0 || sources_[static_cast<std::size_t>(i)] == schedules::no_rank)
            continue;
        const std::vector<schedules::AddressRange> runs = runs_of(block);
        const bool inside = std::any_of(
            runs.begin(), runs.end(), [address](const schedules::AddressRange& run) { return run.contains(address); });
        const std::size_t begin = range_of(block).begin;
        if (!inside && (address < begin || address - begin > nearest))
            continue;
        nearest = address - begin;
        difference.block = i;
        difference.offset = static_cast<std::ptrdiff_t>(address - reinterpret_cast<std::size_t>(block.address));
        difference.outside = !inside;
    }
    return difference;
}

namespace
{

void add_runs(const BlockLayout& layout, const std::vector<int>& processes, bool sent,
              std::vector<schedules::BlockRun>& runs)
{
    for (int i = 0; i < static_cast<int>(processes.size()); ++i)
        if (processes[static_cast<std::size_t>(i)] != schedules::no_rank)
            for (const schedules::AddressRange& bytes : runs_of(layout[i]))
                runs.push_back({bytes, i, sent});
}

} // namespace

std::optional<schedules::Clash> find_overlap(const BlockLayout& send, const std::vector<int>& destinations,
                                             const BlockLayout& receive, const std::vector<int>& sources)
{
    std::vector<schedules::BlockRun> runs;
    add_runs(send, destinations, true, runs);
    add_runs(receive, sources, false, runs);
    return schedules::find_clash(std::move(runs));
}

} // namespace hopscotch::shim
