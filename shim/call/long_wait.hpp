// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a process whose call takes long tells its neighbors, and hears of them: sizes that disagree, wrongly, may have
// made one choose another algorithm, whose messages never come.
#pragma once

#include "shim/base/clock.hpp"
#include "shim/mpi/process_group.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
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
struct Deviation {
    int rank = 0;
    NumberedCall call;
    NumberedCall own;
};

/// Of one communicator, from its first long wait on. Safe to use from several threads.
class LongWait
{
  public:
    /// `neighbors`: ranks of the group, no_rank among them, in any order. Who is in nobody's list is not told. Local.
    LongWait(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<int> neighbors);

    /// Takes what has come too late, so that nothing is left when MPI ends.
    ~LongWait();
    LongWait(const LongWait&) = delete;
    LongWait& operator=(const LongWait&) = delete;

    /// To be asked while the call has not ended, whenever it hears. After a second, then after twice as long each time,
    /// the neighbors are told; what they say is held against calls of this process that they may wait in. Local.
    /// Throws: MpiError.
    std::optional<Deviation> deviation(WaitingCall& waiting, const std::vector<NumberedCall>& own);

  private:
    void tell(const NumberedCall& own);
    void hear();
    std::optional<Deviation> heard_of(const std::vector<NumberedCall>& own) const noexcept;
    bool told() noexcept;

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::vector<int> neighbors_;
    std::vector<MPI_Request> sends_;
    NumberedCall said_;                              // what is being sent
    std::deque<std::pair<int, NumberedCall>> heard_; // from whom, of whatever call
    std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
};

} // namespace hopscotch::shim
