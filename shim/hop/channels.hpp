// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives tags and a communicator to messages of ours that belong to no schedule of the engine.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/exchange/plan_exchange.hpp"

#include <memory>

namespace hopscotch::shim
{

/// A communicator of the same processes without topology and attributes, which returns errors.
class PrivateCommunicator
{
  public:
    /// Collective: over comm. Throws: MpiError.
    explicit PrivateCommunicator(MPI_Comm comm);
    ~PrivateCommunicator();
    PrivateCommunicator(const PrivateCommunicator&) = delete;
    PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

    MPI_Comm get() const noexcept { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Channels of one communicator of the program, told apart by their tags.
class Channels
{
  public:
    /// On the private communicator that the record's messages travel on. Local. Requires: the record has one.
    explicit Channels(const Communicator& record);

    /// On that communicator. Local.
    explicit Channels(std::shared_ptr<PrivateCommunicator> own) : own_(std::move(own)) {}

    /// Plans of blocking and nonblocking calls, begun in the order of the calls, have channel 0 in common.
    static constexpr int plans = 0;
    static constexpr int count = schedules::own_tags;

    /// Requires: 0 <= number < count. Local.
    Channel numbered(int number) const;

    /// One for a persistent request alone. `record`: that of the constructor, if any. Collective: over the
    /// communicator. Throws: MpiError.
    Channel persistent(Communicator* record);

  private:
    std::shared_ptr<ProcessGroup> group_; // null: own_
    int first_tag_ = 0;
    std::shared_ptr<PrivateCommunicator> own_;
    int persistent_made_ = 0;
};

} // namespace hopscotch::shim
