// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#pragma once

#include "schedules/schedule.hpp"
#include "shim/direct_blocks.hpp"
#include "shim/operation.hpp"
#include "shim/segment.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// How the blocks of a collective lie in the sender's buffer.
enum class BufferForm : unsigned char {
    regular, // a header, then one block after the other: alltoall
    single,  // a header and the block: allgather, allgatherv
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

/// A process packs its blocks once into a buffer of its own, says so to its neighbors by counting up a word at each of
/// them, and copies what it needs out of its neighbors' buffers. Two buffers take turns, so that nobody waits for the
/// readers of the current call. Neighbors on other nodes get messages.
class SharedExchange final : public Exchange
{
  public:
    /// `stream`: the turns are common to all exchanges that use it. `off_node`: carries the edges to other nodes; may
    /// be null. `direct_tag`: of messages for blocks too large for the buffer, which only varying blocks may be.
    SharedExchange(std::shared_ptr<Stream> stream, std::shared_ptr<ProcessGroup> group, SharedEdges edges,
                   BufferForm form, std::unique_ptr<Exchange> off_node, int direct_tag, int most_blocks);

    std::uint32_t take_turn() noexcept override { return ++stream_->turns; }
    void begin(const BlockLayout& send, const BlockLayout& receive) override { begin_turn(send, receive, take_turn()); }
    void begin_turn(const BlockLayout& send, const BlockLayout& receive, std::uint32_t turn) override;
    bool advance() override;
    void idle(bool yields) noexcept override;

    /// Largest block that fits into a buffer with `most_blocks` others.
    static std::size_t largest_block(std::size_t buffer_bytes, int most_blocks) noexcept;

  private:
    enum class Stage : unsigned char { filling, arriving, delivered };

    /// What a buffer of blocks of one size begins with.
    struct Header {
        std::uint32_t size = 0; // of a block, in bytes
        std::uint32_t mark = 0; // tells a header of this turn from whatever else may lie there
    };

    struct Neighbor {
        Arrivals* arrivals = nullptr;
        Readings* readings = nullptr;
    };

    struct Source {
        int slot = 0;            // receive slot
        int remote_position = 0; // of its block at the sender
        const char* buffers[buffers_per_stream] = {};
    };

    bool buffer_is_free() const noexcept;
    void fill();
    void fill_varying(char* buffer);
    void publish() noexcept;
    bool all_arrived() const noexcept;
    void deliver();
    void deliver_regular();
    void deliver_single();
    void deliver_slot(const Source& source);
    std::uint32_t mark() const noexcept;
    std::size_t position(int slot) const noexcept
    {
        return static_cast<std::size_t>(edges_.positions[static_cast<std::size_t>(slot)]);
    }
    std::size_t which() const noexcept { return turn_ % buffers_per_stream; }
    std::uint32_t expected_count() const noexcept { return sources_on_node_ * ((turn_ + 1) / 2); }

    std::shared_ptr<Stream> stream_;
    std::shared_ptr<ProcessGroup> group_;
    SharedEdges edges_;
    BufferForm form_;
    std::unique_ptr<Exchange> off_node_;
    DirectBlocks direct_;
    Arrivals* own_arrivals_;
    Readings* own_readings_;
    char* own_buffers_[buffers_per_stream];
    std::vector<Neighbor> destinations_; // distinct ones on the node
    std::vector<Source> sources_;        // receive slots with a source on the node
    std::vector<int> sending_slots_;     // send slots with a destination on the node
    std::size_t blocks_sent_ = 0;        // send slots that are no MPI_PROC_NULL
    std::vector<std::size_t> direct_bytes_;
    std::uint32_t sources_on_node_ = 0; // distinct processes

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    std::uint32_t turn_ = 0;
    Stage stage_ = Stage::delivered;
    bool off_node_complete_ = true;
    unsigned idle_looks_ = 0;
};

} // namespace hopscotch::shim
