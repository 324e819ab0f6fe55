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
    std::swap(early_, other_early_);
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
        if (take_early(transfer))
            continue;
        if (!block.contiguous())
            transfer.packed.resize(block.bytes);
        char* const to = block.contiguous() ? block.data() : transfer.packed.data();
        check(start_receive(group_->communicator(), to, block.bytes, transfer.source, tag_, transfer.request));
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
        char* from = block.data();
        if (!block.contiguous()) {
            packed_.emplace_back(block.bytes);
            from = packed_.back().data();
            pack(block, from);
        }
        sends_.push_back(MPI_REQUEST_NULL);
        check(start_send(group_->communicator(), from, block.bytes, rank, tag_, sends_.back()));
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

/// True if a receive of an earlier call has taken the message.
bool DirectBlocks::take_early(Transfer& transfer)
{
    const auto messages = early_.find(transfer.source);
    if (messages == early_.end())
        return false;
    transfer.packed = std::move(messages->second.front());
    transfer.early = true;
    messages->second.pop_front();
    if (messages->second.empty())
        early_.erase(messages);
    return true;
}

/// Takes the messages of a process that no receive is there for.
void DirectBlocks::take_more(int source, int messages)
{
    for (; messages > 0; --messages) {
        in_.emplace_back();
        in_.back().source = source;
        if (!take_early(in_.back()))
            check(start_receive(group_->communicator(), nullptr, 0, source, tag_, in_.back().request));
    }
}

/// The messages of parallel edges are taken in order, so it is the last receives that stay without one. Messages that
/// they have taken nevertheless belong to later calls under this tag, and are kept for those.
void DirectBlocks::take_less(int source, int messages)
{
    for (auto transfer = in_.rbegin(); transfer != in_.rend() && messages > 0; ++transfer) {
        if (transfer->source != source)
            continue;
        --messages;
        if (transfer->early || !cancelled(*transfer))
            early_[source].push_front(std::move(transfer->packed));
        transfer->early = false;
        transfer->slot = no_slot;
    }
}

/// False if the receive has taken a message, which is then in `packed`; nothing if it was too long.
bool DirectBlocks::cancelled(Transfer& transfer)
{
    check(next.MPI_Cancel(&transfer.request));
    MPI_Status status;
    const bool whole = next.MPI_Wait(&transfer.request, &status) == MPI_SUCCESS;
    int cancelled = 0;
    if (whole)
        check(next.MPI_Test_cancelled(&status, &cancelled));
    if (cancelled != 0)
        return true;
    const Block block = (*receive_)[transfer.slot];
    transfer.packed.resize(whole ? received_bytes(status) : 0);
    if (block.contiguous())
        std::copy_n(block.data(), transfer.packed.size(), transfer.packed.data());
    return false;
}

bool DirectBlocks::receive_complete(Transfer& transfer, int& error)
{
    int complete = 0;
    MPI_Status status;
    const int code = next.MPI_Test(&transfer.request, &complete, &status);
    if (code != MPI_SUCCESS)
        error = code;
    if (code == MPI_SUCCESS && complete != 0)
        deliver(transfer, received_bytes(status), error);
    return code != MPI_SUCCESS || complete != 0;
}

void DirectBlocks::deliver(Transfer& transfer, std::size_t bytes, int& error)
{
    if (transfer.slot == no_slot)
        return;
    const Block block = (*receive_)[transfer.slot];
    if (bytes != block.bytes)
        error = MPI_ERR_TRUNCATE;
    if (transfer.early || !block.contiguous())
        unpack(transfer.packed.data(), bytes, block);
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
    for (Transfer& transfer : in_) {
        if (transfer.request != MPI_REQUEST_NULL && !receive_complete(transfer, error))
            all = false;
        if (transfer.early)
            deliver(transfer, transfer.packed.size(), error);
        transfer.early = false;
    }
    if (!all_sent(sends_, error) || !all)
        return false;
    forget();
    return true;
}

} // namespace hopscotch::shim
