// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out memory that the processes of one graph communicator on one node share: counters and double buffers.
#include "shim/memory/segment.hpp"

#include <algorithm>
#include <climits>
#include <linux/futex.h>
#include <numeric>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t bytes_of_controls = sizeof(Readings) + sizeof(Sleepers);

std::size_t whole_pages(std::size_t bytes)
{
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

} // namespace

std::size_t Segment::Places::all_controls() const noexcept
{
    return whole_pages(rooms.size() * buffers_per_stream * processes * front_bytes);
}

std::size_t Segment::Places::all_statements() const noexcept
{
    return all_controls() + whole_pages(rooms.size() * processes * bytes_of_controls);
}

std::size_t Segment::Places::all_buffers() const noexcept
{
    return all_statements() + whole_pages(buffers_per_stream * processes * sizeof(Statement));
}

std::size_t Segment::Places::buffers_before(std::size_t stream) const noexcept
{
    const auto end = rooms.begin() + static_cast<std::ptrdiff_t>(stream);
    return buffers_per_stream * std::accumulate(rooms.begin(), end, std::size_t{0});
}

std::size_t Segment::Places::front(std::size_t process, std::size_t stream, std::size_t which) const noexcept
{
    return ((stream * buffers_per_stream + which) * processes + process) * front_bytes;
}

std::size_t Segment::Places::controls(std::size_t process, std::size_t stream) const noexcept
{
    return all_controls() + (stream * processes + process) * bytes_of_controls;
}

std::size_t Segment::Places::statement(std::size_t process, std::size_t which) const noexcept
{
    return all_statements() + (which * processes + process) * sizeof(Statement);
}

std::size_t Segment::Places::buffer(std::size_t process, std::size_t stream, std::size_t which) const noexcept
{
    return all_buffers() + process * buffers_before(rooms.size()) + buffers_before(stream) + which * rooms[stream];
}

std::vector<Range> Segment::Places::own(std::size_t process) const
{
    std::vector<Range> ranges;
    for (std::size_t which = 0; which < buffers_per_stream; ++which)
        ranges.push_back({statement(process, which), sizeof(Statement)});
    for (std::size_t stream = 0; stream < rooms.size(); ++stream) {
        ranges.push_back({controls(process, stream), bytes_of_controls});
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            ranges.push_back({front(process, stream, which), front_bytes});
        ranges.push_back({buffer(process, stream, 0), buffers_per_stream * rooms[stream]});
    }
    return ranges;
}

Segment::Made Segment::create(const Ground& ground, const std::vector<std::size_t>& rooms)
{
    const ProcessGroup& group = ground.group;
    Places places{group.node_ranks().size(), rooms};
    std::transform(rooms.begin(), rooms.end(), places.rooms.begin(), whole_pages);
    MemoryFile file =
        share_file(ground, places.end(), places.own(static_cast<std::size_t>(group.node_index(group.rank()))));
    if (file.refusal() != Refusal::none)
        return {nullptr, file.refusal()};
    return {std::shared_ptr<Segment>(new Segment(std::move(file), std::move(places)))};
}

Segment::Segment(MemoryFile file, Places places) : file_(std::move(file)), places_(std::move(places)) {}

// The file begins as zeros, which is what the counters start from.
char* Segment::controls(int process, int stream) const noexcept
{
    return file_.base() + places_.controls(static_cast<std::size_t>(process), static_cast<std::size_t>(stream));
}

Readings& Segment::readings(int process, int stream) const noexcept
{
    return *reinterpret_cast<Readings*>(controls(process, stream));
}

Sleepers& Segment::sleepers(int process, int stream) const noexcept
{
    return *reinterpret_cast<Sleepers*>(controls(process, stream) + sizeof(Readings));
}

Statement& Segment::statement(int process, std::size_t which) const noexcept
{
    return *reinterpret_cast<Statement*>(file_.base() + places_.statement(static_cast<std::size_t>(process), which));
}

char* Segment::front(int process, int stream, std::size_t which) const noexcept
{
    return file_.base() + places_.front(static_cast<std::size_t>(process), static_cast<std::size_t>(stream), which);
}

char* Segment::buffer(int process, int stream, std::size_t which) const noexcept
{
    return file_.base() + places_.buffer(static_cast<std::size_t>(process), static_cast<std::size_t>(stream), which);
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept
{
    const timespec most{0, 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &most, nullptr, 0);
}

void wake_all(std::atomic<std::uint32_t>& word) noexcept
{
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace hopscotch::shim
