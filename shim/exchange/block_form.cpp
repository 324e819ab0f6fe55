// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The form of a collective's blocks in a buffer that neighbors read, and their delivery from neighbors' buffers.
#include "shim/exchange/block_form.hpp"

#include "schedules/memory/room.hpp"
#include "schedules/memory/slot_copies.hpp"
#include "shim/base/log.hpp"
#include "shim/base/no_memory.hpp"
#include <optional>
#include <string>

#include <algorithm>
#include <cstring>

namespace hopscotch::shim
{

using schedules::MemoryPlan;
using schedules::SlotRun;
using schedules::SlotRuns;

namespace
{

/// The entry of a position: the end of its block, counted from the end of the table, and marks for a block that comes
/// as a message or is lent. A lent block's address stands in its place. A block begins at the end of the one before.
using TableEntry = std::uint32_t;
constexpr TableEntry direct_mark = 0x80000000u;
constexpr TableEntry lent_here = 0x40000000u;
constexpr TableEntry unmarked = ~(direct_mark | lent_here);
static_assert(schedules::overhead_per_block >= sizeof(TableEntry));

constexpr std::size_t table_bytes(std::size_t entries)
{
    return entries * sizeof(TableEntry);
}

TableEntry entry_at(const char* table, int position) noexcept
{
    TableEntry entry = 0;
    std::memcpy(&entry, table + table_bytes(static_cast<std::size_t>(position)), sizeof entry);
    return entry;
}

LentBlock lent_at(const char* at) noexcept
{
    LentBlock lent;
    std::memcpy(&lent, at, sizeof lent);
    return lent;
}

} // namespace

BlockForm::BlockForm(const MemoryPlan& plan, DirectBlocks& direct, LentBlocks& lending)
    : plan_(plan), direct_(direct), lending_(lending), copies_(plan.copy_results),
      positions_(static_cast<std::size_t>(plan.positions))
{
    for (const SlotRun& run : plan.sending)
        blocks_sent_ += static_cast<std::size_t>(run.count);
}

bool BlockForm::should_lend(const BlockLayout& send) noexcept
{
    const std::size_t largest = send.largest_bytes();
    if (largest < plan_.lent_from_bytes)
        return false;
    if (plan_.lending_call_bytes == 0 || largest > plan_.buffer_bytes)
        return true;
    std::size_t bytes = 0;
    for (const SlotRun& run : plan_.sending)
        for (int i = 0; i < run.count; ++i)
            bytes += send[run.slot + i].bytes;
    if (table_bytes(positions_) + bytes > plan_.buffer_bytes)
        return true;
    const bool usual = bytes >= plan_.lending_call_bytes;
    return plan_.copy_results != nullptr ? copies_.once(bytes, usual) : usual;
}

bool BlockForm::fits(const BlockLayout& send, std::size_t room) const noexcept
{
    std::size_t largest = send.largest_bytes();
    if (largest >= lent_from()) // smaller ones are not lent; the addresses of the others are given
        largest = std::max(plan_.lent_from_bytes - 1, sizeof(LentBlock));
    return largest <= room && positions_ * ((has_table_ ? sizeof(TableEntry) : 0) + largest) <= room;
}

BlockForm::Filled BlockForm::fill(const BlockLayout& send, char* to)
{
    return has_table_ ? fill_table(send, to) : fill_positions(send, to);
}

int BlockForm::deliver(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive, Lent lent,
                       bool& missing)
{
    return (shown.word & table_mark) != 0 ? deliver_table(source, shown, receive, lent, missing)
                                          : deliver_positions(source, shown, receive);
}

BlockForm::Filled BlockForm::fill_positions(const BlockLayout& send, char* to) const
{
    const std::size_t block_bytes = send.block_bytes();
    if (send.dense())
        schedules::copy_to_positions(schedules::all(plan_.sending), block_bytes, send.dense_data(0), to);
    else
        for (const SlotRun& run : plan_.sending) {
            char* at = to + static_cast<std::size_t>(run.position) * block_bytes;
            for (int i = 0; i < run.count; ++i, at += block_bytes)
                pack(send[run.slot + i], at);
        }
    return {static_cast<FormWord>(block_bytes), positions_ * block_bytes,
            blocks_sent_ * block_bytes * static_cast<std::size_t>(plan_.destinations_per_block)};
}

int BlockForm::deliver_positions(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive) const
{
    const std::size_t block_bytes = shown.word;
    if (!has_positions(source, shown, block_bytes))
        return MPI_ERR_TRUNCATE;
    for (const SlotRun& run : plan_.receiving_from(source)) {
        const char* from = shown.begin + static_cast<std::size_t>(run.position) * block_bytes;
        for (int i = 0; i < run.count; ++i, from += block_bytes)
            unpack(from, block_bytes, receive[run.slot + i]);
    }
    return block_bytes == receive.block_bytes() ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

BlockForm::Filled BlockForm::fill_table(const BlockLayout& send, char* to)
{
    char* const data = to + table_bytes(positions_);
    const std::size_t least_lent = lent_from();
    const std::size_t cutoff = plan_.cutoff_bytes;
    TableEntry end = 0;
    int position = 0;           // position of the next entry
    std::size_t lent_bytes = 0; // addresses stand in place of so many bytes:
    std::size_t places_bytes = 0;
    const auto append = [&](TableEntry entry) {
        std::memcpy(to + table_bytes(static_cast<std::size_t>(position++)), &entry, sizeof entry);
    };
    for (const SlotRun run : schedules::all(plan_.sending)) {
        while (position < run.position) // blocks that do not go through memory
            append(end);
        for (int i = 0; i < run.count; ++i) {
            const Block block = send[run.slot + i];
            if (block.bytes >= least_lent) {
                const LentBlock lent = lending_.lend(block);
                std::memcpy(data + end, &lent, sizeof lent);
                end += sizeof lent;
                append(end | lent_here);
                lent_bytes += block.bytes;
                places_bytes += sizeof lent;
            } else if (block.bytes > cutoff) {
                append(end | direct_mark);
            } else {
                pack(block, data + end);
                end += static_cast<TableEntry>(block.bytes);
                append(end);
            }
        }
    }
    return {static_cast<FormWord>(positions_) | table_mark, table_bytes(positions_) + end,
            (end - places_bytes + lent_bytes) * static_cast<std::size_t>(plan_.destinations_per_block),
            lent_bytes != 0};
}

int BlockForm::deliver_table(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive,
                             Lent lent, bool& missing)
{
    const std::size_t table = table_bytes(shown.word & ~table_mark);
    const char* const data = shown.begin + table;
    int error = MPI_SUCCESS;
    bool borrows = false;
    for (const SlotRun& run : plan_.receiving_from(source)) {
        std::size_t begin = run.position > 0 ? entry_at(shown.begin, run.position - 1) & unmarked : 0;
        for (int i = 0; i < run.count; ++i) {
            const std::size_t end = entry_at(shown.begin, run.position + i); // marked it is beyond all room
            const Block block = receive[run.slot + i];
            if (end - begin == block.bytes && table + end <= shown.room) {
                unpack(data + begin, block.bytes, block);
                begin = end;
                continue;
            }
            const std::size_t true_end = end & unmarked;
            const bool sound = begin <= true_end && table + true_end <= shown.room;
            const bool is_lent = (end & lent_here) != 0;
            const bool direct = is_lent ? lent == Lent::sent : (end & direct_mark) != 0 && !plan_.one_size;
            const bool shows_place = is_lent && sound && true_end - begin == sizeof(LentBlock);
            const int code = direct_.settle(run.slot + i, direct);
            if (code != MPI_SUCCESS || !(direct || shows_place))
                error = MPI_ERR_TRUNCATE;
            if (direct)
                ; // a message brings it
            else if (shows_place && lent == Lent::copied)
                lending_.borrow(lent_at(data + begin), block);
            else if (shows_place)
                missing = true;
            else if (sound)
                unpack(data + begin, true_end - begin, block);
            borrows = borrows || (shows_place && lent == Lent::copied);
            begin = true_end;
        }
    }
    if (borrows && !lending_.copy_from(shown.process, error))
        missing = true;
    return error;
}

void BlockForm::note_copies(std::uint64_t copying, std::uint64_t payload_bytes) noexcept
{
    const std::optional<schedules::CopyTrials::Times> found = copies_.note(copying);
    if (!found || !log_enabled(LogLevel::debug))
        return;
    const auto microseconds = [](std::uint64_t time) { return std::to_string(seconds(time) * 1e6); };
    try {
        log(LogLevel::debug, "calls that hand neighbors " + std::to_string(payload_bytes) + " bytes: one copy takes " +
                                 microseconds(found->once) + " us, two copies take " + microseconds(found->twice));
    } catch (const NoMemory&) {
        // Then the log lacks this line.
    }
}

} // namespace hopscotch::shim
