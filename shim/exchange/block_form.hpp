// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says how the blocks of a collective lie in a buffer that neighbors read, and takes them out of theirs.
#pragma once

#include "schedules/memory_plan.hpp"
#include "shim/blocks/block_layout.hpp"
#include "shim/exchange/lent_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hopscotch::shim
{

class DirectBlocks;

/// What a process shows beside its blocks: their form.
using FormWord = std::uint32_t;

class BlockForm
{
  public:
    /// What fill() has made.
    struct Filled {
        FormWord word = 0;
        std::size_t bytes = 0;       // written
        std::size_t block_bytes = 0; // of blocks for others, those for several counted as often
        bool lends = false;          // some of them
    };

    /// What a neighbor shows.
    struct Shown {
        const char* begin = nullptr;
        std::size_t room = 0; // bytes there may be
        FormWord word = 0;
        std::int64_t process = 0; // that shows it, as the system calls it
    };

    virtual ~BlockForm() = default;

    /// Whether all that fill() may write is no longer than `room`. No product of sizes that are not known to be small.
    bool fits(const BlockLayout& send, std::size_t room) const noexcept
    {
        const std::size_t largest = largest_written(send.largest_bytes());
        return largest <= room && positions() * (entry_bytes_ + largest) <= room;
    }

    /// Packs the blocks for neighbors on the node.
    virtual Filled fill(const BlockLayout& send, char* to) = 0;

    /// Unpacks what one of them shows. MPI_ERR_TRUNCATE where it is not as this process expects.
    virtual int deliver(const schedules::MemoryPlan::Source& source, const Shown& shown,
                        const BlockLayout& receive) = 0;

  protected:
    /// `entry_bytes`: written for each position besides its block.
    BlockForm(const schedules::MemoryPlan& plan, std::size_t entry_bytes) : plan_(plan), entry_bytes_(entry_bytes) {}

    const schedules::MemoryPlan& plan() const noexcept { return plan_; }
    std::size_t positions() const noexcept { return static_cast<std::size_t>(plan_.positions); }
    const schedules::SlotRun* begin_of(const schedules::MemoryPlan::Source& source) const noexcept
    {
        return plan_.receiving.data() + source.first_run;
    }

    bool is_lent(std::size_t block_bytes) const noexcept { return block_bytes >= plan_.lent_from_bytes; }

  private:
    /// Of blocks up to a size: of one that is lent, where it lies.
    std::size_t largest_written(std::size_t block_bytes) const noexcept
    {
        return is_lent(block_bytes) ? std::max(plan_.lent_from_bytes - 1, sizeof(LentBlock)) : block_bytes;
    }

    const schedules::MemoryPlan& plan_;
    std::size_t entry_bytes_;
};

/// Blocks of one size, at their positions. Both must live as long.
std::unique_ptr<BlockForm> make_regular_form(const schedules::MemoryPlan& plan, LentBlocks& lending);

/// A table of where they end, then the blocks in turn; without those that `direct` carries. All must live as long.
std::unique_ptr<BlockForm> make_varying_form(const schedules::MemoryPlan& plan, DirectBlocks& direct,
                                             LentBlocks& lending);

/// Set in the words of varying blocks.
constexpr FormWord table_mark = 0x80000000u;

/// Set in the words of blocks of one size that are lent.
constexpr FormWord lent_mark = 0x40000000u;
static_assert(schedules::most_lent_bytes < lent_mark);

} // namespace hopscotch::shim
