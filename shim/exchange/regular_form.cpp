// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Packs blocks of one size, one at each position, and takes them out.
#include "shim/exchange/block_form.hpp"
#include "shim/mpi/next.hpp"

#include <cstring>

namespace hopscotch::shim
{

using schedules::MemoryPlan;
using schedules::SlotRun;

namespace
{

/// The word is the size of a block in bytes; of lent ones, marked, of which the buffer says where they lie.
class RegularForm final : public BlockForm
{
  public:
    RegularForm(const MemoryPlan& plan, LentBlocks& lending) : BlockForm(plan, 0), lending_(lending)
    {
        for (const SlotRun& run : plan.sending)
            blocks_sent_ += static_cast<std::size_t>(run.count);
    }

    [[gnu::hot]] Filled fill(const BlockLayout& send, char* to) override
    {
        const std::size_t block_bytes = send.block_bytes();
        if (is_lent(block_bytes))
            return lend(send, to);
        const bool dense = send.dense();
        for (const SlotRun& run : plan().sending) {
            char* at = to + static_cast<std::size_t>(run.position) * block_bytes;
            if (dense)
                copy_run(at, send.dense_data(run.slot), static_cast<std::size_t>(run.count) * block_bytes);
            else
                for (int i = 0; i < run.count; ++i, at += block_bytes)
                    pack(send[run.slot + i], at);
        }
        return {static_cast<FormWord>(block_bytes), positions() * block_bytes, blocks_sent_ * block_bytes};
    }

    [[gnu::hot]] int deliver(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive) override
    {
        if ((shown.word & table_mark) != 0)
            return MPI_ERR_TRUNCATE;
        if ((shown.word & lent_mark) != 0)
            return borrow(source, shown, receive);
        const std::size_t block_bytes = shown.word;
        const bool same = block_bytes == receive.block_bytes();
        const bool dense = same && receive.dense();
        int error = same ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
        const SlotRun* const end = begin_of(source) + source.runs;
        for (const SlotRun* run = begin_of(source); run != end; ++run) {
            const std::size_t offset = static_cast<std::size_t>(run->position) * block_bytes;
            const std::size_t bytes = static_cast<std::size_t>(run->count) * block_bytes;
            const char* from = shown.begin + offset;
            if (offset + bytes > shown.room)
                error = MPI_ERR_TRUNCATE;
            else if (dense)
                copy_run(receive.dense_data(run->slot), from, bytes);
            else
                for (int i = 0; i < run->count; ++i, from += block_bytes)
                    unpack(from, block_bytes, receive[run->slot + i]);
        }
        return error;
    }

  private:
    Filled lend(const BlockLayout& send, char* to)
    {
        for (const SlotRun& run : plan().sending)
            for (int i = 0; i < run.count; ++i) {
                const LentBlock lent = lending_.lend(send[run.slot + i]);
                std::memcpy(to + place_of_lent(run.position + i), &lent, sizeof lent);
            }
        const std::size_t block_bytes = send.block_bytes();
        return {static_cast<FormWord>(block_bytes) | lent_mark, positions() * sizeof(LentBlock),
                blocks_sent_ * block_bytes, true};
    }

    int borrow(const MemoryPlan::Source& source, const Shown& shown, const BlockLayout& receive)
    {
        int error = MPI_SUCCESS;
        const SlotRun* const end = begin_of(source) + source.runs;
        for (const SlotRun* run = begin_of(source); run != end; ++run)
            for (int i = 0; i < run->count; ++i) {
                LentBlock lent;
                const std::size_t place = place_of_lent(run->position + i);
                if (place + sizeof lent > shown.room) {
                    error = MPI_ERR_TRUNCATE;
                    continue;
                }
                std::memcpy(&lent, shown.begin + place, sizeof lent);
                lending_.borrow(lent, receive[run->slot + i]);
            }
        const int code = lending_.copy_from(shown.process);
        return code != MPI_SUCCESS ? code : error;
    }

    static std::size_t place_of_lent(int position) { return static_cast<std::size_t>(position) * sizeof(LentBlock); }

    LentBlocks& lending_;
    std::size_t blocks_sent_ = 0; // to other processes of the node
};

} // namespace

std::unique_ptr<BlockForm> make_regular_form(const MemoryPlan& plan, LentBlocks& lending)
{
    return std::make_unique<RegularForm>(plan, lending);
}

} // namespace hopscotch::shim
