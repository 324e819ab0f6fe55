// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#include "shim/blocks/staged_buffers.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Pieces;

namespace
{

/// Blocks keep their place within a page, so alignment is preserved.
constexpr std::size_t page_bytes = 4096;

/// One entry more; single runs that follow one another become one entry.
void add(std::vector<Pieces>& pieces, const Pieces& entry)
{
    if (entry.count == 1)
        schedules::append(pieces, entry.offset, entry.length);
    else
        pieces.push_back(entry);
}

/// The pieces of a block that have to be copied. If only the MPI library reads the datatype, a block to be sent may
/// include its gaps.
void add_block(std::vector<Pieces>& pieces, const Block& block, Towards towards)
{
    if (block.bytes == 0)
        return;
    std::vector<Pieces> own;
    if (!block.type->flat && towards == Towards::host) {
        const schedules::AddressRange range = range_of(block);
        own.push_back({range.begin, range.end - range.begin});
    } else if (!block.type->flat) {
        for (const schedules::AddressRange& run : runs_of(block))
            own.push_back({run.begin, run.end - run.begin});
    } else {
        append_pieces(block, 0, own);
    }
    for (const Pieces& entry : own)
        add(pieces, entry);
}

bool stays(const Block& block, int peer, const Staying& staying) noexcept
{
    return peer != staying.rank && is_untouched(block, staying.most_packed);
}

/// The first byte of the buffer that a call uses. It stands for all of them: they belong to one object of the program.
/// Null: there is none.
const char* first_data(const BlockLayout& user, const std::vector<int>& peers, const Staying& staying)
{
    for (std::size_t i = 0; i < peers.size(); ++i)
        if (const Block block = user[static_cast<int>(i)];
            block.bytes != 0 && peers[i] != schedules::no_rank && !stays(block, peers[i], staying))
            return reinterpret_cast<const char*>(range_of(block).begin);
    return nullptr;
}

DevicePlace place_of_any(const std::vector<Pieces>& pieces)
{
    DevicePlace place;
    for (std::size_t i = 0; i < pieces.size() && !place; ++i)
        place = device_place(reinterpret_cast<const void*>(pieces[i].offset));
    return place;
}

/// The blocks moved, but for those that stay.
BlockLayout moved_blocks(BlockLayout user, const std::vector<int>& peers, const Staying& staying, std::ptrdiff_t shift)
{
    std::vector<char*> addresses;
    bool some_stay = false;
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const Block block = user[static_cast<int>(i)];
        const bool stay = stays(block, peers[i], staying);
        some_stay = some_stay || stay;
        addresses.push_back(moved(block.address, stay ? 0 : shift));
    }
    if (some_stay)
        return user.at(addresses);
    user.move(shift);
    return user;
}

} // namespace

std::unique_ptr<DeviceWindow> DeviceWindow::find(const BlockLayout& user, const std::vector<int>& peers,
                                                 Towards towards, const Staying& staying)
{
    const char* const first = first_data(user, peers, staying);
    if (first == nullptr)
        return nullptr;
    DevicePlace place = device_place(first);
    if (!place && user.buffer() != nullptr)
        return nullptr;
    std::vector<Pieces> pieces;
    for (std::size_t i = 0; i < peers.size(); ++i)
        if (const Block block = user[static_cast<int>(i)];
            peers[i] != schedules::no_rank && !stays(block, peers[i], staying))
            add_block(pieces, block, towards);
    if (!place)
        place = place_of_any(pieces);
    return place ? std::unique_ptr<DeviceWindow>(new DeviceWindow(place, towards, std::move(pieces))) : nullptr;
}

DeviceWindow::DeviceWindow(const DevicePlace& place, Towards towards, std::vector<Pieces> pieces)
    : place_(place), towards_(towards), pieces_(std::move(pieces)), begin_(pieces_.front().offset)
{
    for (const Pieces& entry : pieces_) {
        begin_ = std::min(begin_, entry.offset);
        end_ = std::max(end_, entry.end());
        bytes_ += entry.bytes();
    }
    const std::size_t within_page = begin_ % page_bytes;
    memory_ = std::make_unique<HostWindow>(within_page + end_ - begin_, place_);
    shift_ = memory_->data() + within_page - reinterpret_cast<char*>(begin_);
}

void DeviceWindow::copy()
{
    if (!place_.library->copy(*place_.owner, towards_, pieces_, shift_))
        throw MpiError{MPI_ERR_OTHER};
}

std::unique_ptr<StagedBuffers> StagedBuffers::find(const Layouts& user, const std::vector<int>& destinations,
                                                   const std::vector<int>& sources, const Staying& staying)
{
    auto send = DeviceWindow::find(user.send, destinations, Towards::host, staying);
    auto receive = DeviceWindow::find(user.receive, sources, Towards::device, staying);
    if (send == nullptr && receive == nullptr)
        return nullptr;
    std::unique_ptr<StagedBuffers> staged(new StagedBuffers);
    staged->shifts_ = {send != nullptr ? send->shift() : 0, receive != nullptr ? receive->shift() : 0};
    staged->blocks_ = {moved_blocks(user.send, destinations, staying, staged->shifts_.send),
                       moved_blocks(user.receive, sources, staying, staged->shifts_.receive)};
    staged->send_ = std::move(send);
    staged->receive_ = std::move(receive);
    return staged;
}

void StagedBuffers::copy(DeviceWindow* window)
{
    if (window == nullptr)
        return;
    const std::uint64_t begin = ticks();
    window->copy();
    copied_.bytes += window->bytes();
    copied_.ticks += ticks() - begin;
}

void StagedBuffers::bring()
{
    copy(send_.get());
}

void StagedBuffers::take_back()
{
    copy(receive_.get());
}

} // namespace hopscotch::shim
