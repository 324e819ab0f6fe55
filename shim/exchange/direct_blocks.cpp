// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends each block that is too large for the algorithm of the others as one message between its two ends.
#include "shim/exchange/direct_blocks.hpp"

#include "shim/exchange/messages.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

DirectBlocks::DirectBlocks(std::shared_ptr<ProcessGroup> group, int tag, schedules::Edges edges,
                           std::size_t limit_bytes)
    : group_(std::move(group)), tag_(tag), other_tag_(tag + 1),
      edges_(schedules::part_of(std::move(edges), [this](int rank) { return rank != group_->rank(); })),
      limit_bytes_(limit_bytes)
{
    for (std::size_t slot = 0; slot < edges_.sources.size(); ++slot)
        if (edges_.sources[slot] != schedules::no_rank)
            receive_slots_.push_back(static_cast<int>(slot));
    const auto order = [this](int slot) { return edges_.source_order[static_cast<std::size_t>(slot)]; };
    std::sort(receive_slots_.begin(), receive_slots_.end(), [order](int a, int b) { return order(a) < order(b); });
}

SentMessages DirectBlocks::start(const BlockLayout& send, const BlockLayout& receive)
{
    std::swap(tag_, other_tag_);
    forget();
    if (receive.largest_bytes() > limit_bytes_)
        start_receives(receive, any_rank);
    return send.largest_bytes() > limit_bytes_ ? start_sends(send, any_rank) : SentMessages();
}

SentMessages DirectBlocks::send_to(int rank, const BlockLayout& send)
{
    return start_sends(send, rank);
}

void DirectBlocks::receive_from(int rank, const BlockLayout& receive)
{
    start_receives(receive, rank);
}

void DirectBlocks::forget() noexcept
{
    in_.clear();
    sends_.clear();
    packed_.clear();
}

void DirectBlocks::start_receives(const BlockLayout& receive, int only)
{
    receive_ = &receive;
    for (const int slot : receive_slots_) {
        const Block block = receive[slot];
        if (!direct(block) || (only != any_rank && edges_.sources[static_cast<std::size_t>(slot)] != only))
            continue;
        in_.emplace_back();
        Transfer& transfer = in_.back();
        transfer.slot = slot;
        transfer.source = edges_.sources[static_cast<std::size_t>(slot)];
        if (!block.contiguous())
            transfer.packed.resize(block.bytes);
        start_receive(*group_, block.contiguous() ? block.data() : transfer.packed.data(), block.bytes, transfer.source,
                      tag_, transfer.request);
    }
}

SentMessages DirectBlocks::start_sends(const BlockLayout& send, int only)
{
    SentMessages sent;
    for (std::size_t slot = 0; slot < edges_.destinations.size(); ++slot) {
        const Block block = send[static_cast<int>(slot)];
        const int rank = edges_.destinations[slot];
        if (rank == schedules::no_rank || !direct(block) || (only != any_rank && rank != only))
            continue;
        const char* from = block.data();
        if (!block.contiguous()) {
            packed_.emplace_back(block.bytes);
            pack(block, packed_.back().data());
            from = packed_.back().data();
        }
        sends_.push_back(MPI_REQUEST_NULL);
        start_send(*group_, from, block.bytes, rank, tag_, sends_.back());
        ++sent.messages;
        sent.bytes += block.bytes;
        sent.payload_bytes += block.bytes;
    }
    return sent;
}

int DirectBlocks::settle(int slot, bool announced)
{
    const bool expected =
        std::any_of(in_.begin(), in_.end(), [slot](const Transfer& transfer) { return transfer.slot == slot; });
    if (announced == expected)
        return MPI_SUCCESS;
    unexpected_[edges_.sources[static_cast<std::size_t>(slot)]] += announced ? 1 : -1;
    return MPI_ERR_TRUNCATE;
}

/// Takes the messages of a process that no receive is there for.
void DirectBlocks::take_more(int source, int messages)
{
    for (; messages > 0; --messages) {
        in_.emplace_back();
        in_.back().source = source;
        start_receive(*group_, nullptr, 0, source, tag_, in_.back().request);
    }
}

/// The messages of parallel edges are taken in order, so it is the last receives that stay without one.
void DirectBlocks::take_less(int source, int messages)
{
    for (auto transfer = in_.rbegin(); transfer != in_.rend() && messages > 0; ++transfer) {
        if (transfer->source != source)
            continue;
        --messages;
        transfer->slot = no_slot;
        if (transfer->request == MPI_REQUEST_NULL)
            continue;
        check(next.Cancel(&transfer->request));
        next.Wait(&transfer->request, MPI_STATUS_IGNORE);
    }
}

bool DirectBlocks::receive_complete(Transfer& transfer, int& error)
{
    int complete = 0;
    MPI_Status status;
    const int code = next.Test(&transfer.request, &complete, &status);
    if (code != MPI_SUCCESS)
        error = code;
    if (code != MPI_SUCCESS || complete == 0 || transfer.slot == no_slot)
        return code != MPI_SUCCESS || complete != 0;
    const Block block = (*receive_)[transfer.slot];
    const std::size_t bytes = received_bytes(status);
    if (bytes != block.bytes)
        error = MPI_ERR_TRUNCATE;
    if (!block.contiguous())
        unpack(transfer.packed.data(), bytes, block);
    return true;
}

bool DirectBlocks::complete(int& error)
{
    const ReturnedErrors returned;
    for (const auto& [source, messages] : unexpected_) {
        take_more(source, messages);
        take_less(source, -messages);
    }
    unexpected_.clear();
    bool all = true;
    for (Transfer& transfer : in_)
        if (transfer.request != MPI_REQUEST_NULL && !receive_complete(transfer, error))
            all = false;
    if (!all_sent(sends_, error) || !all)
        return false;
    forget();
    return true;
}

} // namespace hopscotch::shim
