// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#pragma once

#include "schedules/memory/memory_plan.hpp"
#include "shim/exchange/block_form.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/memory/segment.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A process packs its blocks once into memory of its own, with their turn at its front, and copies its blocks out of
/// its neighbors' memory. Two buffers take turns, so that nobody waits for the readers of the current call. If two
/// processes have the memory to themselves, buffers change hands: the reader of one writes it next, since its lines are
/// in that core's cache. Large blocks are lent, and no process leaves before they have been read. A process that the
/// system does not let read them asks for messages. Neighbors on other nodes get messages.
class SharedExchange final : public Exchange
{
  public:
    /// `stream`: the turns are common to all exchanges that use it. `tag`: the first of the exchange. `off_node`:
    /// carries the edges to other nodes; may be null.
    SharedExchange(schedules::MemoryPlan plan, std::shared_ptr<Stream> stream, std::shared_ptr<ProcessGroup> group,
                   int tag, std::unique_ptr<Exchange> off_node);

    SequenceNumber take_turn() noexcept override { return ++stream_->turns().last; }
    [[gnu::hot]] void begin(const BlockLayout& send, const BlockLayout& receive) override
    {
        begin_turn(send, receive, take_turn());
    }
    [[gnu::hot]] void begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn) override;
    [[gnu::hot]] bool advance() override;
    [[gnu::hot]] void idle(bool yields) override;

  private:
    enum class Stage : unsigned char { filling, arriving, asking, lending, delivered };

    /// The beginning of a front. Few bytes of blocks follow; others are in the buffer.
    struct Header {
        Stamp stamp;         // stamp of the blocks
        std::uint32_t done;  // last turn of the other buffer in which the writer completed its reads
        FormWord word;       // form of the blocks
        std::uint32_t place; // place of the blocks
    };

    /// Places of blocks: behind the header, in the buffer of the turn, or from here on in one of RecentBuffers.
    static constexpr std::uint32_t in_front = 0;
    static constexpr std::uint32_t in_turn = 1;
    static constexpr std::uint32_t first_recent = 2;

    /// A process on the node that this one sends to.
    struct Destination {
        int process = -1; // by its index on the node
        const Readings* readings = nullptr;
        SequenceNumber ready_for = no_turn; // the buffer of this turn is known to have been read
        SequenceNumber answered = no_turn;  // the last turn in which it asked for lent blocks and was sent them
    };

    /// A process on the node that sends to this one.
    struct Source {
        schedules::MemoryPlan::Source plan;
        int process = -1;           // by its index on the node
        std::int64_t system_id = 0; // of the process
        Header* headers[buffers_per_stream] = {};
        bool unread = false;  // the system once did not let this process copy its lent blocks: that is not tried again
        bool missing = false; // its lent blocks of this turn are missing
    };

    /// The state of one call, assigned anew by each.
    struct Turn {
        const BlockLayout* send = nullptr;
        const BlockLayout* receive = nullptr;
        SequenceNumber number = no_turn;
        std::size_t delivered = 0; // sources
        std::size_t asked = 0;     // sources up to the one that is asked for missing blocks
        std::size_t read_by = 0;   // destinations that have read the lent blocks
        std::size_t ready = 0;     // destinations known to have read the other buffer
        std::uint64_t copying = 0; // ticks spent on copies and for readers of what is lent, where that is tried
        std::uint32_t asks_seen = 0;
        unsigned idle_looks = 0;
        Stage stage = Stage::delivered;
        bool lends = false;
        bool missing = false; // lent blocks of a source are missing
        bool asks = false;    // one of them, now
        bool off_node_complete = true;
    };

    /// For blocks. Less if buffers change hands: more than some kilobytes gain by that.
    static constexpr std::size_t front_room = schedules::front_bytes - sizeof(Header);
    static constexpr std::size_t front_room_of_two = 4096 - sizeof(Header);

    static char* behind(Header* header) noexcept { return reinterpret_cast<char*>(header + 1); }

    Header* header_of(int process, std::size_t which) const noexcept;
    [[gnu::hot]] void move_own_blocks();
    [[gnu::hot]] bool buffer_is_free() noexcept;
    [[gnu::hot]] char* find_place(std::uint32_t& place);
    bool is_read(int stream, SequenceNumber turn) const noexcept;
    char* at(std::uint32_t place, int process) const noexcept;
    [[gnu::hot]] void prefetch_lines(std::size_t which) const noexcept;
    [[gnu::hot]] bool fill();
    [[gnu::hot]] BlockForm::Shown shown(const Source& source, Header& header) const noexcept;
    [[gnu::hot]] bool deliver_arrived();
    [[gnu::hot]] void finish_reading() noexcept;
    bool missing_is_there();
    void answer();
    bool lent_is_read();
    std::size_t which() const noexcept { return place_of(now_.number); }

    schedules::MemoryPlan plan_;
    std::shared_ptr<Stream> stream_;
    std::shared_ptr<ProcessGroup> group_;
    DirectBlocks direct_;
    LentBlocks lending_;
    BlockForm form_;
    std::unique_ptr<Exchange> off_node_;
    Readings* own_readings_;
    Sleepers* own_sleepers_;
    Header* own_headers_[buffers_per_stream];
    char* own_buffers_[buffers_per_stream]; // written by this process
    std::vector<Destination> destinations_;
    std::vector<Source> sources_;

    bool changes_hands_ = false; // the buffer that this process writes in a turn is written by the other one in the
                                 // next
    std::size_t front_room_ = front_room;

    Turn now_;
    SequenceNumber all_ready_for_ = no_turn;
    std::size_t filled_bytes_ = 0; // of a buffer, by the last call
};

} // namespace hopscotch::shim
