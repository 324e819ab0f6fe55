// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#pragma once

#include "schedules/schedule.hpp"
#include "shim/blocks/slot_run.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/operation.hpp"
#include "shim/memory/segment.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// How the blocks of a collective lie in the sender's buffer.
enum class BufferForm : unsigned char {
    regular, // blocks of one size: alltoall
    single,  // one block for all: allgather, allgatherv
    varying  // a table of places and sizes, then the blocks: alltoallv, alltoallw
};

/// The edges of one process as shared memory sees them.
struct SharedEdges {
    std::vector<int> destinations;     // of all send slots
    schedules::Edges on_node;          // others are no_rank
    schedules::Edges off_node;         // others are no_rank
    std::vector<int> positions;        // of the send slots among those that are no MPI_PROC_NULL
    std::vector<int> remote_positions; // of the receive slots' blocks at their senders, as in Graph
    std::vector<schedules::Move> self; // blocks that stay on this process
};

/// A process packs its blocks once into memory of its own, whose front says what turn they are of, and copies what it
/// needs out of its neighbors'. Two buffers take turns, so that nobody waits for the readers of the current call.
/// Neighbors on other nodes get messages.
class SharedExchange final : public Exchange
{
  public:
    /// `stream`: the turns are common to all exchanges that use it. `off_node`: carries the edges to other nodes; may
    /// be null. `direct_tag`: of messages for blocks too large for the buffer, which only varying blocks may be.
    SharedExchange(std::shared_ptr<Stream> stream, std::shared_ptr<ProcessGroup> group, SharedEdges edges,
                   BufferForm form, std::unique_ptr<Exchange> off_node, int direct_tag, int most_blocks);

    SequenceNumber take_turn() noexcept override { return ++stream_->last_turn; }
    [[gnu::hot]] void begin(const BlockLayout& send, const BlockLayout& receive) override
    {
        begin_turn(send, receive, take_turn());
    }
    [[gnu::hot]] void begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn) override;
    [[gnu::hot]] bool advance() override;
    [[gnu::hot]] void idle(bool yields) noexcept override;

  private:
    enum class Stage : unsigned char { filling, arriving, delivered };

    // In place of a size:
    static constexpr std::uint32_t direct_size = 0x7fffffffu;         // the block comes as a message
    static constexpr std::uint32_t varying_size = 0x7ffffffeu;        // a table precedes the blocks
    static constexpr std::uint32_t in_buffer = 0x80000000u;           // a mark: not in front
    static constexpr std::uint32_t no_size = direct_size | in_buffer; // which nobody says

    /// An entry of that table: where the block of a position ends, counted from the end of the table, and whether it
    /// comes as a message. It begins where the one before ends.
    using TableEntry = std::uint32_t;
    static constexpr TableEntry direct_mark = 0x80000000u;
    static constexpr std::size_t table_bytes(std::size_t entries) { return entries * sizeof(TableEntry); }

    /// What a front begins with. Few bytes of blocks follow; others are in the buffer.
    struct Header {
        Stamp stamp;           // of the blocks
        std::uint32_t size;    // of a block in bytes, or what is there instead, and where
        std::uint32_t done;    // last turn of the other buffer in which the writer read what it wanted
        std::uint32_t entries; // of the table in front of varying blocks
    };

    /// A process on the node that this one sends to.
    struct Destination {
        const Readings* readings = nullptr;
        SequenceNumber ready_for = no_turn; // known to have read what was in the buffer of this turn
    };

    /// A process on the node that sends to this one.
    struct Source {
        Header* headers[buffers_per_stream] = {};
        int process = -1;     // by its index on the node
        int destination = -1; // the same process among the destinations
        int first_run = 0;    // of its blocks
        int runs = 0;
    };

    /// What a neighbor shows.
    struct Shown {
        const char* blocks;
        std::size_t room;
        std::uint32_t size; // of a block, or what there is instead
        std::uint32_t entries;
    };

    /// For blocks.
    static constexpr std::size_t front_room = schedules::front_bytes - sizeof(Header);

    static char* behind(Header* header) noexcept { return reinterpret_cast<char*>(header + 1); }

    void add_destinations(const Segment& segment);
    void add_sources(const Segment& segment);
    [[gnu::hot]] void move_own_blocks();
    [[gnu::hot]] bool buffer_is_free() noexcept;
    [[gnu::hot]] bool fits_in_front() const noexcept;
    [[gnu::hot]] void prefetch_lines(std::size_t which) const noexcept;
    [[gnu::hot]] void fill();
    [[gnu::hot]] std::uint32_t fill_regular(char* blocks);
    [[gnu::hot]] std::uint32_t fill_single(char* blocks);
    [[gnu::hot]] std::uint32_t fill_varying(char* blocks);
    [[gnu::hot]] void publish(Header& header) noexcept;
    [[gnu::hot]] std::uint32_t plain_size() const noexcept;
    [[gnu::hot]] Shown shown(const Source& source) const noexcept;
    [[gnu::hot]] void deliver(const Source& source);
    [[gnu::hot]] void deliver_regular(const Shown& shown, const Source& source);
    [[gnu::hot]] void deliver_single(const Shown& shown, const Source& source);
    [[gnu::hot]] void deliver_varying(const Shown& shown, const Source& source);
    void deliver_other(int slot, const char* from, std::size_t size, bool direct);
    [[gnu::hot]] void deliver_arrived();
    std::size_t which() const noexcept { return place_of(turn_); }

    std::shared_ptr<Stream> stream_;
    std::shared_ptr<ProcessGroup> group_;
    SharedEdges edges_;
    BufferForm form_;
    std::unique_ptr<Exchange> off_node_;
    DirectBlocks direct_;
    Readings* own_readings_;
    Sleepers* own_sleepers_;
    Header* own_headers_[buffers_per_stream];
    char* own_buffers_[buffers_per_stream];
    std::vector<Destination> destinations_;
    std::vector<Source> sources_;
    std::vector<SlotRun> receiving_runs_; // of all sources: receive slots, and the senders' positions
    std::vector<SlotRun> sending_runs_;   // send slots with a destination on the node, and their positions
    std::vector<SlotRun> own_block_runs_; // receive slots filled from this process's own, and the send slots
    std::size_t blocks_sent_ = 0;         // send slots that are no MPI_PROC_NULL
    std::size_t blocks_sent_on_node_ = 0; // to other processes
    std::size_t most_positions_ = 0;      // of the blocks of a sender, as far as this process wants them
    std::vector<std::size_t> direct_bytes_;

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    SequenceNumber turn_ = no_turn;
    std::size_t delivered_ = 0; // sources of this turn
    std::size_t ready_ = 0;     // destinations known to have read what was in the other buffer
    SequenceNumber all_ready_for_ = no_turn;
    std::size_t filled_bytes_ = 0; // of a buffer, by the last call
    Stage stage_ = Stage::delivered;
    bool off_node_complete_ = true;
    unsigned idle_looks_ = 0;
};

} // namespace hopscotch::shim
