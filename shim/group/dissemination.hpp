// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree by messages, if no collective of the MPI library is allowed.
#pragma once

#include "shim/group/consensus.hpp"
#include "shim/group/process_group.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The largest of some values of all processes of a group, found as they make progress, without waiting: after k rounds
/// every process knows the maximum over itself and the 2^k - 1 processes before it. Several one after the other may
/// have the same tag, if all processes have them in the same order.
class Dissemination
{
  public:
    /// `values`: as many on all processes. Local.
    Dissemination(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<std::int64_t> values);
    Dissemination(const Dissemination&) = delete;
    Dissemination& operator=(const Dissemination&) = delete;

    /// Advances as far as possible; true once values() are those of all. The object must not be destroyed before that.
    /// Errors end the job.
    bool advance();

    const std::vector<std::int64_t>& values() const noexcept { return values_; }

  private:
    void begin_round();

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::vector<std::int64_t> values_;
    std::vector<std::int64_t> sent_; // in this round
    std::vector<std::int64_t> received_;
    int distance_ = 1; // distance to the receiver of this round
    bool in_round_ = false;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// Between blocking calls of one communicator: all wait for each other.
class MessageConsensus final : public Consensus
{
  public:
    /// `tag`: of its messages alone. Local.
    MessageConsensus(std::shared_ptr<const ProcessGroup> group, int tag) : group_(std::move(group)), tag_(tag) {}

    void maxima(std::int64_t* values, std::size_t count) override;

  private:
    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
};

} // namespace hopscotch::shim
