// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Packs blocks of any sizes behind a table of where they end, and takes them out.
#include "schedules/room.hpp"
#include "shim/exchange/block_form.hpp"
#include "shim/exchange/direct_blocks.hpp"

#include <cstring>

namespace hopscotch::shim
{

using schedules::MemoryPlan;
using schedules::SlotRun;

namespace
{

/// Of a position: where its block ends, counted from the end of the table, and whether it comes as a message or is
/// lent; then it is said there where it lies. It begins where the one before ends.
using TableEntry = std::uint32_t;
constexpr TableEntry direct_mark = 0x80000000u;
constexpr TableEntry lent_here = 0x40000000u;
constexpr TableEntry unmarked = ~(direct_mark | lent_here);
static_assert(schedules::overhead_per_block >= sizeof(TableEntry));

constexpr std::size_t table_bytes(std::size_t entries)
{
    return entries * sizeof(TableEntry);
}

/// The word is the number of entries, and the mark.
class VaryingForm final : public BlockForm
{
  public:
    VaryingForm(const MemoryPlan& plan, DirectBlocks& direct, LentBlocks& lending)
        : BlockForm(plan, sizeof(TableEntry)), direct_(direct), lending_(lending)
    {
    }

    [[gnu::hot]] Filled fill(const BlockLayout& send, char* to) override
    {
        const std::size_t entries = positions();
        char* const data = to + table_bytes(entries);
        TableEntry end = 0;
        int position = 0;           // of the next entry
        std::size_t lent_bytes = 0; // in place of which so many stand here:
        std::size_t places_bytes = 0;
        const auto append = [&](TableEntry entry) {
            std::memcpy(to + table_bytes(static_cast<std::size_t>(position++)), &entry, sizeof entry);
        };
        for (const SlotRun& run : plan().sending) {
            while (position < run.position) // blocks that do not go through memory
                append(end);
            for (int i = 0; i < run.count; ++i) {
                const Block block = send[run.slot + i];
                if (direct_.direct(block)) {
                    append(end | direct_mark);
                    continue;
                }
                if (is_lent(block.bytes)) {
                    const LentBlock lent = lending_.lend(block);
                    std::memcpy(data + end, &lent, sizeof lent);
                    end += sizeof lent;
                    append(end | lent_here);
                    lent_bytes += block.bytes;
                    places_bytes += sizeof lent;
                    continue;
                }
                pack(block, data + end);
                end += static_cast<TableEntry>(block.bytes);
                append(end);
            }
        }
        return {static_cast<FormWord>(entries) | table_mark, table_bytes(entries) + end,
                (end - places_bytes + lent_bytes) * static_cast<std::size_t>(plan().destinations_per_block),
                lent_bytes != 0};
    }

    [[gnu::hot]] int deliver(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive) override
    {
        if ((shown.word & table_mark) == 0)
            return MPI_ERR_TRUNCATE;
        const auto entry = [&shown](int position) {
            TableEntry value = 0;
            std::memcpy(&value, shown.begin + table_bytes(static_cast<std::size_t>(position)), sizeof value);
            return value;
        };
        const std::size_t table = table_bytes(shown.word & ~table_mark);
        const char* const data = shown.begin + table;
        const SlotRun* const end_of_runs = begin_of(source) + source.runs;
        int error = MPI_SUCCESS;
        bool borrows = false;
        for (const SlotRun* run = begin_of(source); run != end_of_runs; ++run) {
            std::size_t begin = run->position > 0 ? entry(run->position - 1) & unmarked : 0;
            for (int i = 0; i < run->count; ++i) {
                const std::size_t end = entry(run->position + i); // marked it is beyond all room
                const Block block = receive[run->slot + i];
                if (end - begin == block.bytes && table + end <= shown.room) {
                    unpack(data + begin, block.bytes, block);
                    begin = end;
                    continue;
                }
                const std::size_t true_end = end & unmarked;
                const bool sound = begin <= true_end && table + true_end <= shown.room;
                const bool direct = (end & direct_mark) != 0;
                const bool lent = (end & lent_here) != 0 && sound && true_end - begin == sizeof(LentBlock);
                const int code = direct_.settle(run->slot + i, direct);
                if (code != MPI_SUCCESS || !(direct || lent))
                    error = MPI_ERR_TRUNCATE;
                borrows = borrows || lent;
                if (lent)
                    borrow(data + begin, block);
                else if (!direct && sound)
                    unpack(data + begin, true_end - begin, block);
                begin = true_end;
            }
        }
        const int code = borrows ? lending_.copy_from(shown.process) : MPI_SUCCESS;
        return code != MPI_SUCCESS ? code : error;
    }

  private:
    void borrow(const char* from, const Block& to)
    {
        LentBlock lent;
        std::memcpy(&lent, from, sizeof lent);
        lending_.borrow(lent, to);
    }

    DirectBlocks& direct_;
    LentBlocks& lending_;
};

} // namespace

std::unique_ptr<BlockForm> make_varying_form(const MemoryPlan& plan, DirectBlocks& direct, LentBlocks& lending)
{
    return std::make_unique<VaryingForm>(plan, direct, lending);
}

} // namespace hopscotch::shim
