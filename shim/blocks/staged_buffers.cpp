// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call, with host memory of ours in place of those in the memory of a device.
#include "shim/blocks/staged_buffers.hpp"

#include "shim/base/clock.hpp"

namespace hopscotch::shim
{

std::unique_ptr<StagedBuffers> StagedBuffers::find(const Layouts& user, const std::vector<int>& destinations,
                                                   const std::vector<int>& sources)
{
    auto send = DeviceWindow::find(user.send, destinations, Towards::host);
    auto receive = DeviceWindow::find(user.receive, sources, Towards::device);
    if (send == nullptr && receive == nullptr)
        return nullptr;
    std::unique_ptr<StagedBuffers> staged(new StagedBuffers);
    staged->blocks_ = user;
    staged->shifts_ = {send != nullptr ? send->shift() : 0, receive != nullptr ? receive->shift() : 0};
    staged->blocks_.send.move(staged->shifts_.send);
    staged->blocks_.receive.move(staged->shifts_.receive);
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
