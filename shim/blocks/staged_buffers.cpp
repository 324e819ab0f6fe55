// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#include "shim/blocks/staged_buffers.hpp"

#include "schedules/grid/topology.hpp"
#include "shim/base/clock.hpp"
#include "shim/device/host_window.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Pieces;

namespace
{

/// Blocks keep their place within a page, so alignment is preserved.
constexpr std::size_t page_bytes = 4096;

/// Adds the pieces of a block that have to be copied. If only the MPI library reads the datatype, a block to be sent
/// may include its gaps.
void add_block(std::vector<Pieces>& pieces, const Block& block, Towards towards)
{
    if (!block.type->flat) {
        const bool with_gaps = towards == Towards::host;
        for (const schedules::AddressRange& run : with_gaps ? std::vector{range_of(block)} : runs_of(block))
            schedules::append(pieces, run.begin, run.end - run.begin);
        return;
    }
    std::vector<Pieces> own;
    append_pieces(block, 0, own);
    for (const Pieces& entry : own)
        if (entry.count == 1)
            schedules::append(pieces, entry.offset, entry.length);
        else
            pieces.push_back(entry);
}

} // namespace

/// Host memory in place of one buffer: its blocks lie there as they do in the buffer.
struct StagedBuffers::Window {
    DeviceOwner& owner;
    Towards towards;
    std::vector<Pieces> pieces; // to be copied, and nothing else may be written; offsets are addresses in the buffer
    std::size_t bytes;          // of the pieces
    HostWindow memory;
    std::ptrdiff_t shift; // from the buffer

    /// Null if the memory is ordinary.
    static std::unique_ptr<Window> find(const BlockLayout& user, const std::vector<int>& peers, Towards towards);
};

std::unique_ptr<StagedBuffers::Window> StagedBuffers::Window::find(const BlockLayout& user,
                                                                   const std::vector<int>& peers, Towards towards)
{
    std::vector<Pieces> pieces;
    DeviceOwner* owner = nullptr;
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const Block block = user[static_cast<int>(i)];
        if (block.bytes == 0 || peers[i] == schedules::no_rank)
            continue;
        if (owner == nullptr)
            owner = device_owner(reinterpret_cast<const void*>(range_of(block).begin));
        if (owner == nullptr && user.buffer() != nullptr)
            return nullptr; // the other blocks belong to the same object of the program
        add_block(pieces, block, towards);
    }
    for (std::size_t i = 0; i < pieces.size() && owner == nullptr; ++i) // of MPI_BOTTOM each may lie elsewhere
        owner = device_owner(reinterpret_cast<const void*>(pieces[i].offset));
    if (owner == nullptr)
        return nullptr;
    std::size_t begin = pieces.front().offset;
    std::size_t end = 0;
    std::size_t bytes = 0;
    for (const Pieces& entry : pieces) {
        begin = std::min(begin, entry.offset);
        end = std::max(end, entry.end());
        bytes += entry.bytes();
    }
    const std::size_t within_page = begin % page_bytes;
    std::unique_ptr<Window> window(
        new Window{*owner, towards, std::move(pieces), bytes, {within_page + end - begin, *owner}, 0});
    window->shift = window->memory.data() + within_page - reinterpret_cast<char*>(begin);
    return window;
}

StagedBuffers::StagedBuffers() = default;
StagedBuffers::~StagedBuffers() = default;

std::unique_ptr<StagedBuffers> StagedBuffers::find(const Layouts& user, const std::vector<int>& destinations,
                                                   const std::vector<int>& sources)
{
    auto send = Window::find(user.send, destinations, Towards::host);
    auto receive = Window::find(user.receive, sources, Towards::device);
    if (send == nullptr && receive == nullptr)
        return nullptr;
    std::unique_ptr<StagedBuffers> staged(new StagedBuffers);
    staged->shifts_ = {send != nullptr ? send->shift : 0, receive != nullptr ? receive->shift : 0};
    staged->blocks_ = user;
    staged->blocks_.send.move(staged->shifts_.send);
    staged->blocks_.receive.move(staged->shifts_.receive);
    staged->send_ = std::move(send);
    staged->receive_ = std::move(receive);
    return staged;
}

void StagedBuffers::copy(const Window* window)
{
    if (window == nullptr)
        return;
    const std::uint64_t begin = ticks();
    if (!window->owner.library->copy(window->owner, window->towards, window->pieces, window->shift))
        throw MpiError{MPI_ERR_OTHER};
    copied_.bytes += window->bytes;
    copied_.ticks += ticks() - begin;
}

} // namespace hopscotch::shim
