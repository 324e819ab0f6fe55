// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The parts of a segment do not overlap, and all are aligned for processors.
#include "test/catch.hpp"

#include "schedules/memory/segment_layout.hpp"

#include <cstddef>

using namespace hopscotch::schedules;

namespace
{

constexpr std::size_t page_bytes = 4096;

/// Everything of all processes, one by one.
std::vector<Range> everything(const SegmentLayout& layout, std::size_t processes, std::size_t streams)
{
    std::vector<Range> all;
    for (std::size_t process = 0; process < processes; ++process)
        for (std::size_t stream = 0; stream < streams; ++stream) {
            all.push_back({layout.readings(process, stream), line_bytes});
            all.push_back({layout.sleepers(process, stream), line_bytes});
            for (std::size_t which = 0; which < buffers_per_stream; ++which) {
                all.push_back({layout.front(process, stream, which), front_bytes});
                all.push_back({layout.buffer(process, stream, which), layout.room(stream)});
            }
        }
    return all;
}

bool covers(const std::vector<Range>& ranges, const Range& part)
{
    return std::any_of(ranges.begin(), ranges.end(), [&part](const Range& range) {
        return range.offset <= part.offset && part.offset + part.bytes <= range.offset + range.bytes;
    });
}

/// True if the ranges are side by side in order, inside a file that ends there.
bool are_apart(std::vector<Range> ranges, std::size_t end)
{
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.offset < b.offset; });
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::size_t limit = i + 1 < ranges.size() ? ranges[i + 1].offset : end;
        if (ranges[i].offset > limit || ranges[i].bytes > limit - ranges[i].offset)
            return false;
    }
    return true;
}

void check(std::size_t processes, const std::vector<std::size_t>& rooms)
{
    INFO(processes << " processes, " << rooms.size() << " streams");
    const SegmentLayout layout(processes, rooms);
    const std::vector<Range> all = everything(layout, processes, rooms.size());
    CHECK(are_apart(all, layout.end()));
    CHECK(std::all_of(all.begin(), all.end(), [](const Range& range) { return range.offset % line_bytes == 0; }));
    for (std::size_t stream = 0; stream < rooms.size(); ++stream) {
        CHECK(layout.room(stream) >= rooms[stream]);
        CHECK(layout.room(stream) < rooms[stream] + page_bytes);
        CHECK(layout.buffer(processes - 1, stream, 1) % page_bytes == 0);
    }
    std::vector<Range> owned;
    for (std::size_t process = 0; process < processes; ++process) {
        const std::vector<Range> own = layout.own(process);
        owned.insert(owned.end(), own.begin(), own.end());
    }
    CHECK(are_apart(owned, layout.end())); // no part has two writers
    CHECK(std::all_of(all.begin(), all.end(), [&owned](const Range& range) { return covers(owned, range); }));
}

} // namespace

TEST_CASE("the parts of a segment do not overlap")
{
    check(1, {1});
    check(2, {page_bytes, page_bytes + 1});
    check(7, {100000, 1, 65536, 30000});
    check(64, std::vector<std::size_t>(first_nonblocking_stream + nonblocking_streams, 12345));
}

TEST_CASE("a process owns its things and no other's")
{
    const SegmentLayout layout(3, {1000, 2000});
    const std::vector<Range> own = layout.own(1);
    CHECK(covers(own, {layout.front(1, 1, 0), front_bytes}));
    CHECK(covers(own, {layout.sleepers(1, 0), line_bytes}));
    CHECK_FALSE(covers(own, {layout.readings(2, 1), line_bytes}));
    CHECK_FALSE(covers(own, {layout.buffer(0, 0, 0), 1}));
}
