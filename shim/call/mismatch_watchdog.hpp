// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds calls that can never end, since sizes disagree, wrongly, and a neighbor has chosen another algorithm: a process
// whose call takes long tells its neighbors, and hears of them.
#pragma once

#include "shim/base/clock.hpp"
#include "shim/base/flag.hpp"
#include "shim/graph/graph.hpp"
#include "shim/mpi/process_group.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Added to the algorithm of a call whose blocks take the memory for large ones.
constexpr std::uint64_t with_large_blocks = 16;

/// A call as a process makes it. All processes number the calls of a series alike.
struct NumberedCall {
    std::uint64_t series = 0;
    std::uint64_t number = 0;
    std::uint64_t algorithm = 0; // and with_large_blocks
    std::uint64_t block_bytes = 0;

    bool same_call(const NumberedCall& other) const noexcept
    {
        return series == other.series && number == other.number;
    }
};

/// A call of this process that has not ended yet.
struct WaitingCall {
    NumberedCall call;
    std::optional<Patience> patience = {}; // since somebody has asked
    double hears_at = 0.01;                // seconds of patience
    double tells_at = 1.0;

    /// Whether to hear what the others say: a hundred times a second. To be asked again and again.
    bool hears() noexcept;
};

/// A process that has the same call under another algorithm: it waits for messages that nobody sends.
struct Mismatch {
    int rank = 0;
    NumberedCall call;
    NumberedCall own;
};

/// Of one communicator. Safe to use from several threads.
class MismatchWatchdog
{
  public:
    /// `group`: null where there are no messages of ours, and nothing is asked. Who is in nobody's list is not told.
    /// Local.
    MismatchWatchdog(const Graph& graph, std::shared_ptr<const ProcessGroup> group, int tag);

    /// Takes what has come too late, so that nothing is left when MPI ends.
    ~MismatchWatchdog();
    MismatchWatchdog(const MismatchWatchdog&) = delete;
    MismatchWatchdog& operator=(const MismatchWatchdog&) = delete;

    /// Remembers a nonblocking call for a while: a neighbor may wait in it after this process has left it. Local.
    void remember(const NumberedCall& call);

    /// To be asked now and then while a call waits: a neighbor that carries it, or a call remembered, by another
    /// algorithm, since its blocks are of another size. After a second, then after twice as long each time, the
    /// neighbors are told of the call. Local. Throws: MpiError.
    std::optional<Mismatch> mismatch(WaitingCall& waiting);

    /// Gives back what must not outlive MPI.
    void release() noexcept;

  private:
    void tell(const NumberedCall& own);
    void hear();
    std::optional<Mismatch> heard_of(const std::vector<NumberedCall>& own) const noexcept;
    bool told() noexcept;

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::mutex mutex_;                // of what is remembered
    std::deque<NumberedCall> recent_; // nonblocking calls
    Flag in_use_;                     // of the rest
    std::vector<int> neighbors_;
    std::vector<MPI_Request> sends_;
    NumberedCall said_;                              // what is being sent
    std::deque<std::pair<int, NumberedCall>> heard_; // from whom, of whatever call
};

} // namespace hopscotch::shim
