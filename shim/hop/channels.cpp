// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives tags and a communicator to messages of ours that belong to no schedule of the engine.
#include "shim/hop/channels.hpp"

#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

namespace hopscotch::shim
{

PrivateCommunicator::PrivateCommunicator(MPI_Comm comm)
{
    check(next.MPI_Comm_create(comm, CommGroup(comm).get(), &comm_));
    check(next.MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
}

PrivateCommunicator::~PrivateCommunicator()
{
    if (comm_ != MPI_COMM_NULL && mpi_goes_on())
        next.MPI_Comm_free(&comm_);
}

Channels::Channels(const Communicator& record)
    : group_(record.share_group()), first_tag_(record.exchanges().first_own_tag())
{
}

Channel Channels::numbered(int number) const
{
    if (group_ != nullptr)
        return {group_->communicator(), first_tag_ + number, group_->yields(), group_};
    return {own_->get(), number, true, own_};
}

Channel Channels::persistent(Communicator* record)
{
    Channel channel = numbered(0);
    if (group_ != nullptr) {
        channel.tag = record->exchanges().persistent_tag();
        return channel;
    }
    constexpr int least_largest_tag = 32767; // that every MPI library allows
    channel.tag = count + persistent_made_++ % (least_largest_tag - count);
    return channel;
}

} // namespace hopscotch::shim
