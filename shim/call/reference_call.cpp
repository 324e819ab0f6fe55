// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the same call a second time, by other means than ours, into the user's buffer: what ours is compared with.
#include "shim/call/reference_call.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <algorithm>

namespace hopscotch::shim
{

LibraryReference::~LibraryReference()
{
    if (completion_ == Completion::persistent && mpi_goes_on())
        next.Request_free(&request_);
}

void LibraryReference::start()
{
    error_ = MPI_SUCCESS;
    if (completion_ == Completion::persistent)
        check(next.Start(&request_));
}

bool LibraryReference::complete()
{
    const ReturnedErrors returned;
    int flag = 0;
    const int code = next.Test(&request_, &flag, MPI_STATUS_IGNORE); // complete already, it says so again
    keep(code);
    return flag != 0 || code != MPI_SUCCESS;
}

MessageReference::MessageReference(std::shared_ptr<ProcessGroup> group, int tag, schedules::Edges edges,
                                   Layouts layouts)
    : group_(std::move(group)), tag_(tag), layouts_(std::move(layouts))
{
    for (std::size_t i = 0; i < edges.destinations.size(); ++i)
        if (edges.destinations[i] != schedules::no_rank)
            sends_.push_back({static_cast<int>(i), edges.destinations[i], MPI_REQUEST_NULL, {}});
    for (std::size_t i = 0; i < edges.sources.size(); ++i)
        if (edges.sources[i] != schedules::no_rank)
            receives_.push_back({static_cast<int>(i), edges.sources[i], MPI_REQUEST_NULL, {}});
    std::stable_sort(receives_.begin(), receives_.end(), [&edges](const Message& a, const Message& b) {
        return edges.source_order[static_cast<std::size_t>(a.slot)] <
               edges.source_order[static_cast<std::size_t>(b.slot)];
    });
}

void MessageReference::start()
{
    error_ = MPI_SUCCESS;
    for (Message& message : receives_) {
        message.packed.resize(layouts_.receive[message.slot].bytes);
        start_receive(*group_, message.packed.data(), message.packed.size(), message.process, tag_, message.request);
    }
    for (Message& message : sends_) {
        const Block block = layouts_.send[message.slot];
        message.packed.resize(block.bytes);
        pack(block, message.packed.data());
        start_send(*group_, message.packed.data(), message.packed.size(), message.process, tag_, message.request);
    }
}

void MessageReference::deliver(const Message& message, const MPI_Status& status)
{
    const std::size_t bytes = received_bytes(status);
    if (bytes != message.packed.size())
        keep(MPI_ERR_TRUNCATE);
    unpack(message.packed.data(), bytes, layouts_.receive[message.slot]);
}

bool MessageReference::complete()
{
    const ReturnedErrors returned;
    bool all = true;
    for (std::vector<Message>* const messages : {&receives_, &sends_}) {
        for (Message& message : *messages) {
            if (message.request == MPI_REQUEST_NULL)
                continue;
            int flag = 0;
            MPI_Status status;
            const int code = next.Test(&message.request, &flag, &status);
            if (code != MPI_SUCCESS)
                keep(code);
            else if (flag == 0)
                all = false;
            else if (messages == &receives_)
                deliver(message, status);
        }
    }
    return all;
}

} // namespace hopscotch::shim
