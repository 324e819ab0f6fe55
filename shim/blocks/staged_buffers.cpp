// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#include "shim/blocks/staged_buffers.hpp"

#include "shim/base/clock.hpp"

namespace hopscotch::shim
{

namespace
{

/// The peers, with no_rank also for blocks that stay.
std::vector<int> staged_only(const BlockLayout& user, std::vector<int> peers, const Staying& staying)
{
    for (std::size_t i = 0; i < peers.size(); ++i)
        if (peers[i] != staying.rank && is_untouched(user[static_cast<int>(i)], staying.most_packed))
            peers[i] = schedules::no_rank;
    return peers;
}

/// The blocks of `staged` moved, the others not.
BlockLayout moved_blocks(BlockLayout user, const std::vector<int>& peers, const std::vector<int>& staged,
                         std::ptrdiff_t shift)
{
    if (staged == peers) {
        user.move(shift);
        return user;
    }
    std::vector<char*> addresses;
    for (std::size_t i = 0; i < peers.size(); ++i)
        addresses.push_back(moved(user[static_cast<int>(i)].address, staged[i] == schedules::no_rank ? 0 : shift));
    return user.at(addresses);
}

} // namespace

std::unique_ptr<StagedBuffers> StagedBuffers::find(const Layouts& user, const std::vector<int>& destinations,
                                                   const std::vector<int>& sources, const Staying& staying)
{
    const std::vector<int> sent = staged_only(user.send, destinations, staying);
    const std::vector<int> received = staged_only(user.receive, sources, staying);
    auto send = DeviceWindow::find(user.send, sent, Towards::host);
    auto receive = DeviceWindow::find(user.receive, received, Towards::device);
    if (send == nullptr && receive == nullptr)
        return nullptr;
    std::unique_ptr<StagedBuffers> staged(new StagedBuffers);
    staged->shifts_ = {send != nullptr ? send->shift() : 0, receive != nullptr ? receive->shift() : 0};
    staged->blocks_ = {moved_blocks(user.send, destinations, sent, staged->shifts_.send),
                       moved_blocks(user.receive, sources, received, staged->shifts_.receive)};
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
