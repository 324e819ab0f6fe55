// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a call that its graph does not have, and their exchange: a message each.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/sparse/block_arguments.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Both ends of an edge know the size of its block, so both know that it has one.
class OutsideBlocks
{
  public:
    /// `destinations`, `sources`: by rank. `rank`: of this process. Local. Requires: the record of the graph has a
    /// group. Throws: WrongArgument.
    OutsideBlocks(const Communicator& graph, int rank, std::vector<int> destinations, std::vector<int> sources,
                  const BlockArguments& send, const BlockArguments& receive);
    OutsideBlocks(const OutsideBlocks&) = delete;
    OutsideBlocks& operator=(const OutsideBlocks&) = delete;

    const std::vector<int>& sources() const noexcept { return edges_.sources; }

    /// Refer to this object.
    const Layouts& blocks() const noexcept { return blocks_; }

    /// For one call. Messages of several calls have one tag: they begin in the order of the calls.
    Exchange& exchange() const noexcept { return *exchange_; }

  private:
    schedules::Edges edges_;
    GatheredArguments send_, receive_;
    Layouts blocks_;
    std::unique_ptr<Exchange> exchange_;
};

} // namespace hopscotch::shim
