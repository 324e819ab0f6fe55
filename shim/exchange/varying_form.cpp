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

/// Of a position: where its block ends, counted from the end of the table, and whether it comes as a message. It begins
/// where the one before ends.
using TableEntry = std::uint32_t;
constexpr TableEntry direct_mark = 0x80000000u;
static_assert(schedules::overhead_per_block >= sizeof(TableEntry));

constexpr std::size_t table_bytes(std::size_t entries)
{
    return entries * sizeof(TableEntry);
}

/// The word is the number of entries, and the mark.
class VaryingForm final : public BlockForm
{
  public:
    VaryingForm(const MemoryPlan& plan, DirectBlocks& direct) : BlockForm(plan, sizeof(TableEntry)), direct_(direct) {}

    [[gnu::hot]] Filled fill(const BlockLayout& send, char* to) override
    {
        const std::size_t entries = positions();
        char* const data = to + table_bytes(entries);
        TableEntry end = 0;
        int position = 0; // of the next entry
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
                pack(block, data + end);
                end += static_cast<TableEntry>(block.bytes);
                append(end);
            }
        }
        return {static_cast<FormWord>(entries) | table_mark, table_bytes(entries) + end,
                end * static_cast<std::size_t>(plan().destinations_per_block)};
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
        for (const SlotRun* run = begin_of(source); run != end_of_runs; ++run) {
            std::size_t begin = run->position > 0 ? entry(run->position - 1) & ~direct_mark : 0;
            for (int i = 0; i < run->count; ++i) {
                const std::size_t end = entry(run->position + i); // marked it is beyond all room
                const Block block = receive[run->slot + i];
                if (end - begin == block.bytes && table + end <= shown.room) {
                    unpack(data + begin, block.bytes, block);
                    begin = end;
                    continue;
                }
                const std::size_t unmarked = end & ~std::size_t{direct_mark};
                const bool sound = begin <= unmarked && table + unmarked <= shown.room;
                const bool direct = (end & direct_mark) != 0;
                const int code = direct_.settle(run->slot + i, direct);
                if (code != MPI_SUCCESS || !direct)
                    error = MPI_ERR_TRUNCATE;
                if (!direct && sound)
                    unpack(data + begin, unmarked - begin, block);
                begin = unmarked;
            }
        }
        return error;
    }

  private:
    DirectBlocks& direct_;
};

} // namespace

std::unique_ptr<BlockForm> make_varying_form(const MemoryPlan& plan, DirectBlocks& direct)
{
    return std::make_unique<VaryingForm>(plan, direct);
}

} // namespace hopscotch::shim
