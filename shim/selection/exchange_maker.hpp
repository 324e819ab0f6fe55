// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes exchanges of one communicator: finds the schedule, the limits and the memory that a choice asks for.
#pragma once

#include "schedules/memory/copy_trials.hpp"
#include "schedules/selection/choice.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/graph/detection.hpp"

#include <array>
#include <cstddef>
#include <memory>

namespace hopscotch::shim
{

using schedules::Choice;

/// The memory of one exchange; only the shared and the aggregated algorithm need it.
struct ExchangeMemory {
    std::shared_ptr<Stream> stream;
    int region = -1; // of the staging buffers, for this exchange alone; for the aggregated algorithm
};

class ExchangeMaker
{
  public:
    /// `detected` must live as long. Local.
    explicit ExchangeMaker(const Detected& detected) : detected_(detected) {}

    /// Largest block of a regular call that fits into the memory of a stream. Requires: there is a segment.
    std::size_t largest_block(Collective collective, int stream) const;

    /// Largest block of a regular call that can share messages with others of the node; 0 if none can.
    std::size_t aggregated_bytes(Collective collective) const;

    /// True if all processes know the size of the blocks of a regular call by this algorithm.
    bool shares_block_size(Collective collective, Algorithm algorithm) const;

    /// Makes the exchange for a collective; its parallel edges match as in calls of this completion. Local. Requires:
    /// choice is not native; the memory its algorithm needs.
    std::shared_ptr<Exchange> make(Collective collective, Completion completion, const Choice& choice, int tag,
                                   ExchangeMemory memory);

  private:
    const Graph& graph() const noexcept { return *detected_.graph; }
    const std::shared_ptr<ProcessGroup>& group() const noexcept { return detected_.group; }
    std::shared_ptr<Exchange> shared(Collective collective, Completion completion, const schedules::Edges& edges,
                                     const Choice& choice, int tag, ExchangeMemory memory);
    std::shared_ptr<schedules::CopyTrials::Results> copy_results(Collective collective, Completion completion);
    std::unique_ptr<Exchange> off_node(Collective collective, const schedules::Edges& edges, int tag) const;
    std::unique_ptr<Exchange> aggregated(Collective collective, const schedules::Edges& edges, std::size_t cutoff_bytes,
                                         int tag, int region) const;

    const Detected& detected_;
    /// By collective, of requests and of blocking calls; null: not used yet.
    std::array<std::array<std::shared_ptr<schedules::CopyTrials::Results>, 2>, collective_count> copy_results_;
};

} // namespace hopscotch::shim
