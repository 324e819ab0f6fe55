// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends each block that is too large for the algorithm of the others as one message between its two ends.
#include "shim/exchange/direct_blocks.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/returned_errors.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

DirectBlocks::DirectBlocks(std::shared_ptr<ProcessGroup> group, int tag, schedules::Edges edges,
                           std::size_t limit_bytes)
    : group_(std::move(group)), tag_(tag), other_tag_(tag + 1), edges_(std::move(edges)), limit_bytes_(limit_bytes)
{
    const auto without_self = [this](int rank) { return rank == group_->rank() ? schedules::no_rank : rank; };
    std::transform(edges_.destinations.begin(), edges_.destinations.end(), edges_.destinations.begin(), without_self);
    std::transform(edges_.sources.begin(), edges_.sources.end(), edges_.sources.begin(), without_self);
}

void DirectBlocks::start(const BlockLayout& send, const BlockLayout& receive, std::vector<std::size_t>& sent_bytes)
{
    std::swap(tag_, other_tag_);
    in_.clear();
    out_.clear();
    taken_ahead_.clear();
    receive_ = &receive;
    if (receive.largest_bytes() > limit_bytes_)
        start_receives();
    if (send.largest_bytes() > limit_bytes_)
        start_sends(send, sent_bytes);
}

void DirectBlocks::start_receives()
{
    for (std::size_t slot = 0; slot < edges_.sources.size(); ++slot)
        if (edges_.sources[slot] != schedules::no_rank && direct((*receive_)[static_cast<int>(slot)])) {
            in_.emplace_back();
            in_.back().slot = static_cast<int>(slot);
            in_.back().order = edges_.source_order[slot];
            in_.back().source = edges_.sources[slot];
        }
    std::sort(in_.begin(), in_.end(), [](const Transfer& a, const Transfer& b) { return a.order < b.order; });
    for (Transfer& transfer : in_) {
        const Block block = (*receive_)[transfer.slot];
        if (!block.contiguous())
            transfer.packed.resize(block.bytes);
        start_receive(*group_, block.contiguous() ? block.data() : transfer.packed.data(), block.bytes, transfer.source,
                      tag_, transfer.request);
    }
}

void DirectBlocks::start_sends(const BlockLayout& send, std::vector<std::size_t>& sent_bytes)
{
    for (std::size_t slot = 0; slot < edges_.destinations.size(); ++slot) {
        const Block block = send[static_cast<int>(slot)];
        if (edges_.destinations[slot] == schedules::no_rank || !direct(block))
            continue;
        out_.emplace_back();
        Transfer& transfer = out_.back();
        if (!block.contiguous()) {
            transfer.packed.resize(block.bytes);
            pack(block, transfer.packed.data());
        }
        start_send(*group_, block.contiguous() ? block.data() : transfer.packed.data(), block.bytes,
                   edges_.destinations[slot], tag_, transfer.request);
        sent_bytes.push_back(block.bytes);
    }
}

int DirectBlocks::settle(int slot, bool announced)
{
    const bool expected =
        std::any_of(in_.begin(), in_.end(), [slot](const Transfer& transfer) { return transfer.slot == slot; });
    if (announced == expected)
        return MPI_SUCCESS;
    const int source = edges_.sources[static_cast<std::size_t>(slot)];
    announced ? take_one_more(source) : take_one_less(source);
    return MPI_ERR_TRUNCATE;
}

void DirectBlocks::take_one_more(int source)
{
    if (int& taken = taken_ahead_[source]; taken > 0) {
        --taken;
        return;
    }
    in_.emplace_back();
    in_.back().slot = -1;
    in_.back().source = source;
    start_receive(*group_, nullptr, 0, source, tag_, in_.back().request);
}

/// The messages of parallel edges are taken in order, so it is the last receive that stays without one. Where that has
/// already got one, another slot is still to be announced for it.
void DirectBlocks::take_one_less(int source)
{
    const auto last = std::find_if(in_.rbegin(), in_.rend(), [source](const Transfer& transfer) {
        return transfer.source == source && !transfer.cancelled;
    });
    last->cancelled = true;
    int cancelled = 0;
    if (last->request != MPI_REQUEST_NULL) {
        const ReturnedErrors returned; // what has come may be too long
        MPI_Status status;
        check(next.Cancel(&last->request));
        const bool ended = next.Wait(&last->request, &status) == MPI_SUCCESS;
        if (ended)
            check(next.Test_cancelled(&status, &cancelled));
    }
    if (cancelled == 0)
        ++taken_ahead_[source];
}

bool DirectBlocks::receive_complete(Transfer& transfer, int& error)
{
    int complete = 0;
    MPI_Status status;
    const int code = next.Test(&transfer.request, &complete, &status);
    if (code != MPI_SUCCESS)
        error = code;
    if (code != MPI_SUCCESS || complete == 0 || transfer.slot < 0 || transfer.cancelled)
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
    bool all = true;
    for (Transfer& transfer : in_)
        if (transfer.request != MPI_REQUEST_NULL && !receive_complete(transfer, error))
            all = false;
    for (Transfer& transfer : out_) {
        if (transfer.request == MPI_REQUEST_NULL)
            continue;
        int one = 0;
        const int code = next.Test(&transfer.request, &one, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            error = code;
        else if (one == 0)
            all = false;
    }
    return all;
}

} // namespace hopscotch::shim
