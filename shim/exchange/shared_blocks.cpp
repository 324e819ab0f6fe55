// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What processes write into shared memory and read from it: the blocks of a collective, and where they end.
#include "shim/exchange/shared_exchange.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <cstring>

namespace hopscotch::shim
{

namespace
{

/// A block as large as its sender said.
void take(const Block& block, const char* from, JoinedCopy& copies)
{
    if (block.contiguous())
        copies.add(block.data(), from, block.bytes);
    else
        unpack(from, block.bytes, block);
}

} // namespace

std::uint32_t SharedExchange::fill_regular(char* blocks)
{
    const std::size_t block_bytes = send_->block_bytes();
    filled_bytes_ = block_bytes * blocks_sent_;
    count_bytes(block_bytes * blocks_sent_on_node_);
    const bool dense = send_->dense();
    for (const SlotRun& run : sending_runs_) {
        char* to = blocks + static_cast<std::size_t>(run.position) * block_bytes;
        if (dense)
            copy_run(to, send_->dense_data(run.slot), static_cast<std::size_t>(run.count) * block_bytes);
        else
            for (int i = 0; i < run.count; ++i, to += block_bytes)
                pack((*send_)[run.slot + i], to);
    }
    return static_cast<std::uint32_t>(block_bytes);
}

std::uint32_t SharedExchange::fill_single(char* blocks)
{
    const Block block = (*send_)[0];
    if (direct_.direct(block))
        return direct_size;
    pack(block, blocks);
    filled_bytes_ = block.bytes;
    count_bytes(block.bytes * blocks_sent_on_node_);
    return static_cast<std::uint32_t>(block.bytes);
}

std::uint32_t SharedExchange::fill_varying(char* blocks)
{
    char* const data = blocks + table_bytes(blocks_sent_);
    TableEntry end = 0;
    int position = 0; // of the next entry
    const auto append = [&](TableEntry entry) {
        std::memcpy(blocks + table_bytes(static_cast<std::size_t>(position++)), &entry, sizeof entry);
    };
    JoinedCopy copies;
    for (const SlotRun& run : sending_runs_) {
        while (position < run.position) // blocks that do not go through memory
            append(end);
        for (int i = 0; i < run.count; ++i) {
            const Block block = (*send_)[run.slot + i];
            if (direct_.direct(block)) {
                append(end | direct_mark);
                continue;
            }
            if (block.contiguous())
                copies.add(data + end, block.data(), block.bytes);
            else
                pack(block, data + end);
            end += static_cast<TableEntry>(block.bytes);
            append(end);
        }
    }
    copies.flush();
    filled_bytes_ = table_bytes(blocks_sent_) + end;
    count_bytes(end);
    return varying_size;
}

/// Blocks of one size, which its sender has said.
void SharedExchange::deliver_regular(const Shown& shown, const Source& source)
{
    const std::size_t block_bytes = shown.size;
    const bool same = block_bytes == receive_->block_bytes();
    if (!same)
        fail(MPI_ERR_TRUNCATE);
    for (int i = 0; i < source.runs; ++i) {
        const SlotRun& run = receiving_runs_[static_cast<std::size_t>(source.first_run + i)];
        const std::size_t offset = static_cast<std::size_t>(run.position) * block_bytes;
        const std::size_t bytes = static_cast<std::size_t>(run.count) * block_bytes;
        if (offset + bytes > shown.room) {
            fail(MPI_ERR_TRUNCATE);
            continue;
        }
        const char* from = shown.blocks + offset;
        if (same && receive_->dense())
            copy_run(receive_->dense_data(run.slot), from, bytes);
        else
            for (int k = 0; k < run.count; ++k, from += block_bytes)
                unpack(from, block_bytes, (*receive_)[run.slot + k]);
    }
}

void SharedExchange::deliver_single(const Shown& shown, const Source& source)
{
    JoinedCopy copies;
    const bool direct = shown.size == direct_size;
    for (int i = 0; i < source.runs; ++i) {
        const int slot = receiving_runs_[static_cast<std::size_t>(source.first_run + i)].slot;
        const Block block = (*receive_)[slot];
        if (!direct && shown.size == block.bytes)
            take(block, shown.blocks, copies);
        else
            deliver_other(slot, shown.blocks, shown.size, direct);
    }
    copies.flush();
}

void SharedExchange::deliver_varying(const Shown& shown, const Source& source)
{
    const auto entry = [&shown](int position) {
        TableEntry value = 0;
        std::memcpy(&value, shown.blocks + table_bytes(static_cast<std::size_t>(position)), sizeof value);
        return value;
    };
    const std::size_t table = table_bytes(shown.entries);
    const char* const data = shown.blocks + table;
    const SlotRun* const runs = receiving_runs_.data() + source.first_run;
    JoinedCopy copies;
    for (const SlotRun* run = runs; run != runs + source.runs; ++run) {
        std::size_t begin = run->position > 0 ? entry(run->position - 1) & ~direct_mark : 0;
        for (int i = 0; i < run->count; ++i) {
            const std::size_t end = entry(run->position + i); // marked it is beyond all room
            const Block block = (*receive_)[run->slot + i];
            if (end - begin == block.bytes && table + end <= shown.room) {
                take(block, data + begin, copies);
                begin = end;
                continue;
            }
            const bool direct = (end & direct_mark) != 0;
            const std::size_t unmarked = end & ~std::size_t{direct_mark};
            const bool sound = begin <= unmarked && table + unmarked <= shown.room;
            deliver_other(run->slot + i, data + begin, sound ? unmarked - begin : 0, direct);
            begin = unmarked;
        }
    }
    copies.flush();
}

/// A block that comes as a message, or of another size than its receiver expects.
void SharedExchange::deliver_other(int slot, const char* from, std::size_t size, bool direct)
{
    const int code = direct_.settle(slot, direct);
    if (code != MPI_SUCCESS)
        fail(code);
    if (direct)
        return;
    fail(MPI_ERR_TRUNCATE);
    unpack(from, size, (*receive_)[slot]);
}

} // namespace hopscotch::shim
