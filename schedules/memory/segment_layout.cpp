// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/segment_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

constexpr std::size_t bytes_of_counters = 2 * line_bytes; // its own readings, and the processes that sleep until it
                                                          // writes

std::size_t whole_pages(std::size_t bytes)
{
    return (bytes + region_page_bytes - 1) / region_page_bytes * region_page_bytes;
}

} // namespace

SegmentLayout::SegmentLayout(std::size_t processes, std::vector<std::size_t> rooms)
    : processes_(processes), rooms_(std::move(rooms))
{
    std::transform(rooms_.begin(), rooms_.end(), rooms_.begin(), whole_pages);
}

std::size_t SegmentLayout::all_counters() const noexcept
{
    return whole_pages(rooms_.size() * buffers_per_stream * processes_ * front_bytes);
}

std::size_t SegmentLayout::all_buffers() const noexcept
{
    return all_counters() + whole_pages(rooms_.size() * processes_ * bytes_of_counters);
}

std::size_t SegmentLayout::buffers_before(std::size_t stream) const noexcept
{
    const auto end = rooms_.begin() + static_cast<std::ptrdiff_t>(stream);
    return buffers_per_stream * std::accumulate(rooms_.begin(), end, std::size_t{0});
}

std::size_t SegmentLayout::front(std::size_t process, std::size_t stream, std::size_t which) const noexcept
{
    return ((stream * buffers_per_stream + which) * processes_ + process) * front_bytes;
}

std::size_t SegmentLayout::readings(std::size_t process, std::size_t stream) const noexcept
{
    return all_counters() + (stream * processes_ + process) * bytes_of_counters;
}

std::size_t SegmentLayout::sleepers(std::size_t process, std::size_t stream) const noexcept
{
    return readings(process, stream) + line_bytes;
}

std::size_t SegmentLayout::buffer(std::size_t process, std::size_t stream, std::size_t which) const noexcept
{
    return all_buffers() + process * buffers_before(rooms_.size()) + buffers_before(stream) + which * rooms_[stream];
}

std::vector<Range> SegmentLayout::own(std::size_t process) const
{
    std::vector<Range> ranges;
    for (std::size_t stream = 0; stream < rooms_.size(); ++stream) {
        ranges.push_back({readings(process, stream), bytes_of_counters});
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            ranges.push_back({front(process, stream, which), front_bytes});
        ranges.push_back({buffer(process, stream, 0), buffers_per_stream * rooms_[stream]});
    }
    return ranges;
}

} // namespace hopscotch::schedules
