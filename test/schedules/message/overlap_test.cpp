// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes that blocks have in common: sent once, found again by the receiver and by processes that forward blocks.
#include "schedules/message/overlap.hpp"

#include "schedules/grid/stencil.hpp"
#include "schedules/plan/combining.hpp"
#include "test/catch.hpp"

#include <cstdint>
#include <utility>

using namespace hopscotch::schedules;

namespace
{

using Bytes = std::vector<unsigned char>;

const HeaderFormat format(sizeof(std::uint32_t));

/// The bytes of a footprint with offsets that count from the start of `memory`.
Bytes read(const Footprint& block, const Bytes& memory)
{
    Bytes bytes;
    for (const Pieces& pieces : block.pieces)
        for (std::size_t i = 0; i < pieces.count; ++i) {
            const auto from = memory.begin() + static_cast<std::ptrdiff_t>(pieces.offset + i * pieces.stride);
            bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(pieces.length));
        }
    return bytes;
}

Footprint footprint(std::vector<Pieces> pieces)
{
    Footprint block;
    block.pieces = std::move(pieces);
    for (const Pieces& entry : block.pieces)
        block.bytes += entry.bytes();
    return block;
}

/// Header and payload, as a sender writes them.
Bytes write(const MessagePlan& plan, const std::vector<Footprint>& blocks, const Bytes& memory)
{
    const std::size_t header = format.bytes(plan.layout);
    Bytes message(header + plan.layout.payload_bytes);
    format.write(plan.layout, reinterpret_cast<char*>(message.data()));
    const auto payload = message.begin() + static_cast<std::ptrdiff_t>(header);
    for (std::size_t q = 0; q < blocks.size(); ++q) {
        const Bytes bytes = read(blocks[q], memory);
        if (plan.layout.blocks[q].placement == Placement::in_turn)
            std::copy(bytes.begin(), bytes.end(), payload + static_cast<std::ptrdiff_t>(plan.layout.blocks[q].offset));
    }
    for (const OwnBytes& own : plan.own) {
        const Bytes bytes = read(blocks[own.block], memory);
        const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(own.block_offset);
        std::copy(from, from + static_cast<std::ptrdiff_t>(own.bytes),
                  payload + static_cast<std::ptrdiff_t>(own.payload_offset));
    }
    return message;
}

/// Sends the blocks in one message and compares the received blocks. Returns the plan, for further checks.
MessagePlan check_message(const std::vector<Footprint>& blocks, const Bytes& memory)
{
    const MessagePlan plan = without_repeats(blocks, format);
    const Bytes message = write(plan, blocks, memory);
    MessageLayout layout;
    REQUIRE(format.read(reinterpret_cast<const char*>(message.data()), message.size(), blocks.size(), layout));
    REQUIRE(format.bytes(layout) + layout.payload_bytes == message.size());
    std::size_t together = 0;
    for (std::size_t q = 0; q < blocks.size(); ++q) {
        together += blocks[q].bytes;
        Bytes bytes(layout.blocks[q].bytes);
        gather(layout, q, reinterpret_cast<const char*>(message.data()) + format.bytes(layout),
               reinterpret_cast<char*>(bytes.data()));
        REQUIRE(bytes == read(blocks[q], memory));
    }
    CHECK(plan.saved_bytes == together - layout.payload_bytes);
    CHECK(message.size() <= format.plain_bytes(blocks.size()) + together);
    return plan;
}

Bytes random_bytes(std::size_t bytes, std::mt19937& random)
{
    Bytes memory(bytes);
    for (unsigned char& byte : memory)
        byte = static_cast<unsigned char>(random());
    return memory;
}

/// Cells of `cell` bytes in a grid [start, start + size) of an array of `width` cells in each dimension.
Footprint part(const std::vector<std::size_t>& start, const std::vector<std::size_t>& size, std::size_t width,
               std::size_t cell)
{
    std::vector<Pieces> pieces;
    std::vector<std::size_t> at(start.size(), 0);
    for (bool more = true; more;) {
        std::size_t offset = 0;
        for (std::size_t k = 0; k < at.size(); ++k)
            offset = offset * width + start[k] + at[k];
        append(pieces, offset * cell, cell);
        more = false;
        for (std::size_t k = at.size(); k > 0 && !more; --k) {
            more = ++at[k - 1] < size[k - 1];
            if (!more)
                at[k - 1] = 0;
        }
    }
    return footprint(pieces);
}

/// One process of a halo exchange. Its memory: the array, then the messages that have come.
struct Process {
    Schedule schedule;
    Edges edges;
    Bytes memory;
    std::vector<Footprint> send;
    std::vector<Footprint> receive;
    std::map<int, Footprint> arrived; // by transit index
    std::size_t payload_bytes = 0;    // sent
};

/// The block sent by offset i, or the one received from the process at minus that offset.
Footprint side(const Stencil& offsets, int i, std::size_t n, std::size_t depth, std::size_t cell, bool comes)
{
    std::vector<std::size_t> start;
    std::vector<std::size_t> size;
    for (int k = 0; k < offsets.dimensions(); ++k) {
        const int way = comes ? -offsets.shift(i, k) : offsets.shift(i, k);
        size.push_back(way == 0 ? n : depth);
        start.push_back(way == 0 ? depth : way < 0 ? (comes ? 0 : depth) : (comes ? n + depth : n));
    }
    return part(start, size, n + 2 * depth, cell);
}

/// All processes of a grid, each with an array of (n + 2 depth)^d cells and all neighbors around.
std::vector<Process> halo_processes(const Topology& topology, std::size_t n, std::size_t depth, std::size_t cell)
{
    const Stencil offsets = moore(topology.dimensions(), 1);
    std::mt19937 random(1);
    std::vector<Process> processes(static_cast<std::size_t>(topology.size()));
    for (int rank = 0; rank < topology.size(); ++rank) {
        Process& process = processes[static_cast<std::size_t>(rank)];
        process.edges = edges_of(topology, offsets, rank);
        process.schedule = combining_alltoall(place(topology, sorted(canonical(offsets, topology)), process.edges));
        std::size_t bytes = cell;
        for (int k = 0; k < topology.dimensions(); ++k)
            bytes *= n + 2 * depth;
        process.memory = random_bytes(bytes, random);
        for (int i = 0; i < offsets.size(); ++i) {
            process.send.push_back(side(offsets, i, n, depth, cell, false));
            process.receive.push_back(side(offsets, i, n, depth, cell, true));
        }
    }
    return processes;
}

Bytes message_of(Process& process, const Round& round)
{
    std::vector<Footprint> blocks;
    for (const Slot& slot : round.sends)
        blocks.push_back(slot.place == Place::send ? process.send[static_cast<std::size_t>(slot.index)]
                                                   : process.arrived.at(slot.index));
    const MessagePlan plan = check_message(blocks, process.memory);
    process.payload_bytes += plan.layout.payload_bytes;
    return write(plan, blocks, process.memory);
}

void take(Process& process, const Round& round, const Bytes& message)
{
    MessageLayout layout;
    REQUIRE(format.read(reinterpret_cast<const char*>(message.data()), message.size(),
                        static_cast<std::size_t>(round.arrivals), layout));
    const std::size_t payload = process.memory.size() + format.bytes(layout);
    process.memory.insert(process.memory.end(), message.begin(), message.end());
    for (int q = 0; q < round.arrivals; ++q) {
        const PlacedBlock& placed = layout.blocks[static_cast<std::size_t>(q)];
        std::vector<Pieces> pieces(layout.pieces.begin() + static_cast<std::ptrdiff_t>(placed.first_entry),
                                   layout.pieces.begin() +
                                       static_cast<std::ptrdiff_t>(placed.first_entry + placed.entries));
        if (placed.entries == 0)
            pieces.push_back({placed.offset, placed.bytes});
        for (Pieces& entry : pieces)
            entry.offset += payload;
        process.arrived[round.first_arrival + q] = footprint(pieces);
    }
    for (const Move& move : round.deliveries) {
        const Bytes block = read(process.arrived.at(move.from.index), process.memory);
        auto from = block.begin();
        const Footprint& to = process.receive[static_cast<std::size_t>(move.to.index)];
        REQUIRE(block.size() == to.bytes);
        for (const Pieces& pieces : to.pieces)
            for (std::size_t i = 0; i < pieces.count; ++i, from += static_cast<std::ptrdiff_t>(pieces.length))
                std::copy_n(from, pieces.length,
                            process.memory.begin() + static_cast<std::ptrdiff_t>(pieces.offset + i * pieces.stride));
    }
}

void exchange(std::vector<Process>& processes)
{
    std::size_t phases = 0;
    for (const Process& process : processes)
        phases = std::max(phases, process.schedule.phases.size());
    std::map<std::pair<int, int>, std::vector<Bytes>> under_way; // (from, to)
    const auto rounds = [](const Process& process, std::size_t phase) {
        return phase < process.schedule.phases.size() ? process.schedule.phases[phase].rounds : std::vector<Round>();
    };
    for (std::size_t phase = 0; phase < phases; ++phase) {
        for (Process& process : processes)
            for (const Round& round : rounds(process, phase))
                if (round.destination != no_rank)
                    under_way[{process.edges.rank, round.destination}].push_back(message_of(process, round));
        for (Process& process : processes)
            for (const Round& round : rounds(process, phase))
                if (round.source != no_rank) {
                    std::vector<Bytes>& messages = under_way[{round.source, process.edges.rank}];
                    REQUIRE_FALSE(messages.empty());
                    take(process, round, messages.front());
                    messages.erase(messages.begin());
                }
    }
}

/// Exchanges all halos and compares them with the neighbors' cells; no byte of them may have been sent twice.
void check_halos(const Topology& topology, std::size_t n, std::size_t depth, std::size_t cell)
{
    std::vector<Process> processes = halo_processes(topology, n, depth, cell);
    const std::vector<Process> before = processes;
    exchange(processes);
    const Stencil offsets = moore(topology.dimensions(), 1);
    std::size_t sent = 0;
    std::size_t received = 0;
    for (const Process& process : processes) {
        sent += process.payload_bytes;
        for (int i = 0; i < offsets.size(); ++i) {
            const int source = process.edges.sources[static_cast<std::size_t>(i)];
            if (source == no_rank)
                continue;
            const Process& sender = before[static_cast<std::size_t>(source)];
            const Footprint& to = process.receive[static_cast<std::size_t>(i)];
            REQUIRE(read(to, process.memory) == read(sender.send[static_cast<std::size_t>(i)], sender.memory));
            received += to.bytes;
        }
    }
    CHECK(sent == received);
}

} // namespace

// An array of 4x4 cells of 8 bytes and a halo of one. The block that goes up: the row of cells 7..10 and the corners 7
// and 10 (cell = 6 * row + column). The row lies in turn, the corners are in it: 32 bytes, not 48; the header has 3
// words and two offsets. The block that goes left, after the corners of the neighbors above and below have arrived: the
// column and both of them.
TEST_CASE("overlap: a block that is absent in a message is absent where it is sent on")
{
    MessageLayout layout;
    layout.append(8);
    layout.append_absent();
    layout.append(0);
    Footprint block;
    for (std::size_t q = 0; q < 3; ++q) {
        set_footprint(layout, q, nullptr, block);
        CHECK(block.absent == (q == 1));
        CHECK(block.bytes == (q == 0 ? 8 : 0));
        CHECK(block.pieces.size() == (q == 0 ? 1 : 0));
    }
}

TEST_CASE("rows and corners of a halo, by hand", "[overlap]")
{
    std::mt19937 random(2);
    const Bytes memory = random_bytes(6 * 6 * 8, random);
    const std::vector<Footprint> up = {part({1, 1}, {1, 1}, 6, 8), part({1, 1}, {1, 4}, 6, 8),
                                       part({1, 4}, {1, 1}, 6, 8)};
    const MessagePlan plan = check_message(up, memory);
    CHECK(plan.layout.payload_bytes == 32);
    CHECK(plan.saved_bytes == 16);
    CHECK(plan.own.empty());
    CHECK(format.bytes(plan.layout) == 5 * 4);
    CHECK(plan.layout.blocks[0].placement == Placement::run);
    CHECK(plan.layout.blocks[1].placement == Placement::in_turn);
    CHECK(plan.layout.blocks[2].placement == Placement::run);
    CHECK(plan.layout.blocks[2].offset == 24);
}

TEST_CASE("blocks that lie in one another in part", "[overlap]")
{
    std::mt19937 random(3);
    const Bytes memory = random_bytes(400, random);
    const Footprint large = footprint({{100, 200}});
    const MessagePlan plan = check_message({footprint({{60, 80}}), large, footprint({{250, 130}})}, memory);
    CHECK(plan.layout.payload_bytes == 320); // 60 to 380
    CHECK(plan.own.size() == 2);
    CHECK(check_message({large, large, large}, memory).layout.payload_bytes == 200);
    // Saved bytes must be worth their description: 4 bytes for an offset.
    CHECK(check_message({large, footprint({{104, 4}})}, memory).saved_bytes == 4);
    CHECK(check_message({large, footprint({{104, 3}})}, memory).saved_bytes == 0);
    // The pieces of a block are unknown, or the block is missing.
    Footprint unknown = large;
    unknown.pieces.clear();
    CHECK(without_repeats({large, unknown, large}, format).layout.payload_bytes == 400);
    Footprint absent;
    absent.absent = true;
    const MessagePlan without = without_repeats({large, absent, large}, format);
    CHECK(without.layout.payload_bytes == 200);
    CHECK(without.layout.blocks[1].placement == Placement::absent);
}

TEST_CASE("blocks too large or in too many pieces are sent as they are", "[overlap]")
{
    const std::size_t large = std::size_t{1} << 29;
    const std::vector<Footprint> seven(7, footprint({{1, large}}));
    CHECK(without_repeats(seven, format).layout.payload_bytes == large);
    const std::vector<Footprint> nine(9, footprint({{1, large}})); // together more than a word of 4 bytes counts
    CHECK(without_repeats(nine, format).layout.payload_bytes == 9 * large);
    CHECK(without_repeats(nine, HeaderFormat(sizeof(std::uint64_t))).layout.payload_bytes == large);
    const std::vector<Footprint> scattered(2, footprint({{1, 1, 3, 200000}}));
    CHECK(without_repeats(scattered, format).saved_bytes == 0);
}

// No process gets a byte of its halo twice, for any number of dimensions: the sum of all payloads is the sum of all
// halos. On a torus of two dimensions that is two rows of n and two columns of n + 2 per process.
TEST_CASE("halos of all neighbors: every byte arrives once", "[overlap]")
{
    check_halos(Topology({3, 3}, {true, true}), 4, 1, 8);
    check_halos(Topology({3, 4}, {false, false}), 4, 1, 8);
    check_halos(Topology({3, 4}, {true, false}), 5, 2, 8);
    check_halos(Topology({3, 3, 3}, {true, true, true}), 3, 1, 8);
    check_halos(Topology({3, 2, 4}, {false, false, true}), 4, 2, 16);
    check_halos(Topology({2, 2}, {true, true}), 4, 1, 8);
}

TEST_CASE("any blocks: the received bytes are those in memory", "[overlap]")
{
    std::mt19937 random(4);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int trial = 0; trial < 3000; ++trial) {
        const Bytes memory = random_bytes(40 + below(600), random);
        std::vector<Footprint> blocks;
        std::set<std::size_t> touched;
        bool repeats = false;
        for (std::size_t count = 1 + below(8); count > 0; --count) {
            std::vector<Pieces> pieces;
            std::set<std::size_t> own;
            for (std::size_t entries = below(4); entries > 0; --entries) {
                const std::size_t length = 1 + below(below(2) == 0 ? 4 : memory.size() / 2);
                const std::size_t start = below(memory.size() - length + 1);
                const std::size_t stride = below(2 * length + 1);
                for (std::size_t at = start; at + length <= memory.size() && at < start + 5 * stride + 1;
                     at += stride + 1) {
                    append(pieces, at, length);
                    for (std::size_t i = at; i < at + length; ++i) {
                        repeats = repeats || !own.insert(i).second;
                        touched.insert(i);
                    }
                }
            }
            blocks.push_back(footprint(pieces));
        }
        const MessagePlan plan = check_message(blocks, memory);
        CHECK(plan.layout.payload_bytes >= (repeats ? 0 : touched.size()));
    }
}
