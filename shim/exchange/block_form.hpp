// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The form of a collective's blocks in a buffer that neighbors read, and their delivery from neighbors' buffers.
#pragma once

#include "schedules/memory/memory_plan.hpp"
#include "shim/base/clock.hpp"
#include "shim/blocks/block_layout.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/lent_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace hopscotch::shim
{

/// The form of blocks, which a process shows beside them.
using FormWord = std::uint32_t;

/// Set in the words of blocks behind a table; of others the word is the size of each.
constexpr FormWord table_mark = 0x80000000u;
static_assert(schedules::most_lent_bytes < table_mark);

/// Adds the time of its scope to a sum of ticks, if a trial of copies measures the call.
class CopyTime
{
  public:
    CopyTime(const schedules::CopyTrials& trials, std::uint64_t& sum) noexcept
        : sum_(trials.measures() ? &sum : nullptr), began_(sum_ != nullptr ? ticks() : 0)
    {
    }
    ~CopyTime()
    {
        if (sum_ != nullptr)
            *sum_ += ticks() - began_;
    }
    CopyTime(const CopyTime&) = delete;
    CopyTime& operator=(const CopyTime&) = delete;

  private:
    std::uint64_t* sum_;
    std::uint64_t began_;
};

/// Blocks of one size, at their positions. If there are several sizes or blocks are lent: a table of their ends, then
/// the blocks in turn, without those that travel directly.
class BlockForm
{
  public:
    /// The result of fill().
    struct Filled {
        FormWord word = 0;
        std::size_t bytes = 0;       // written
        std::size_t block_bytes = 0; // bytes of blocks for others; a block for several counts several times
        bool lends = false;          // some of them
    };

    /// The buffer that a neighbor shows.
    struct Shown {
        const char* begin = nullptr;
        std::size_t room = 0; // bytes there may be
        FormWord word = 0;
        std::int64_t process = 0; // that shows it, as the system calls it
    };

    /// The treatment of lent blocks: this process copies them, or leaves them out, or their sender sends them.
    enum class Lent : unsigned char { copied, left, sent };

    /// All must live as long. If the plan says that blocks have one size, `direct` carries none.
    BlockForm(const schedules::MemoryPlan& plan, DirectBlocks& direct, LentBlocks& lending);

    /// Decides for the next fits() and fill() if blocks are lent, and if they stand behind a table, which has no room
    /// between them for blocks that go elsewhere. The receivers find it in the output of fill().
    void begin(const BlockLayout& send) noexcept
    {
        lends_ = should_lend(send);
        has_table_ = !plan_.one_size || lends_ || send.block_bytes() > plan_.buffer_bytes / std::max(positions_, {1});
    }

    /// The trials of one copy and two, if the plan allows them; used by begin().
    schedules::CopyTrials& copies() noexcept { return copies_; }

    /// Notes the ticks of a call that the trials measure. `payload_bytes`: for neighbors.
    void note_copies(std::uint64_t copying, std::uint64_t payload_bytes) noexcept;

    /// True if all output of fill() fits into `room`. No product of sizes that are not known to be small.
    [[gnu::hot]] bool fits(const BlockLayout& send, std::size_t room) const noexcept;

    /// Packs the blocks for neighbors on the node.
    [[gnu::hot]] Filled fill(const BlockLayout& send, char* to);

    /// Unpacks the blocks that one of them shows. MPI_ERR_TRUNCATE if they differ from this process's expectation.
    /// `missing`: becomes true if lent blocks are not there, since they were left out or the system did not let this
    /// process copy them.
    [[gnu::hot]] int deliver(const schedules::MemoryPlan::Source& source, const Shown& shown,
                             const BlockLayout& receive, Lent lent, bool& missing);

    /// True if the neighbor shows blocks of this size at their positions, all of them within the room.
    static bool has_positions(const schedules::MemoryPlan::Source& source, const Shown& shown,
                              std::size_t block_bytes) noexcept
    {
        return shown.word == block_bytes && block_bytes < table_mark &&
               static_cast<std::size_t>(source.end_position) * block_bytes <= shown.room;
    }

  private:
    [[gnu::hot]] bool should_lend(const BlockLayout& send) noexcept;
    /// Blocks of so many bytes and more are lent in this call.
    std::size_t lent_from() const noexcept
    {
        return lends_ ? plan_.lent_from_bytes : std::numeric_limits<std::size_t>::max();
    }
    [[gnu::hot]] Filled fill_table(const BlockLayout& send, char* to);
    [[gnu::hot]] Filled fill_positions(const BlockLayout& send, char* to) const;
    [[gnu::hot]] int deliver_table(const schedules::MemoryPlan::Source& source, const Shown& shown,
                                   const BlockLayout& receive, Lent lent, bool& missing);
    [[gnu::hot]] int deliver_positions(const schedules::MemoryPlan::Source& source, const Shown& shown,
                                       const BlockLayout& receive) const;

    const schedules::MemoryPlan& plan_;
    DirectBlocks& direct_;
    LentBlocks& lending_;
    schedules::CopyTrials copies_;
    std::size_t positions_;
    std::size_t blocks_sent_ = 0; // to other processes of the node
    bool lends_ = false;          // in this call
    bool has_table_ = true;
};

} // namespace hopscotch::shim
