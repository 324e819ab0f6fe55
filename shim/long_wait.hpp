// What a process that waits for long in a blocking call tells its neighbors, and hears of them: sizes that disagree,
// wrongly, may have made one choose another algorithm, whose messages never come.
#pragma once

#include "shim/clock.hpp"
#include "shim/process_group.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// A call as a process makes it. All processes number the blocking calls of a collective alike.
struct WaitingCall {
    std::uint64_t collective = 0;
    std::uint64_t number = 0;
    std::uint64_t algorithm = 0;
    std::uint64_t block_bytes = 0;

    bool same_call(const WaitingCall& other) const noexcept
    {
        return collective == other.collective && number == other.number;
    }
};

/// A neighbor that waits in the same call under another algorithm, so that neither can end.
struct Deviation {
    int rank = 0;
    WaitingCall call;
};

/// Of one communicator, from its first long wait on.
class LongWait
{
  public:
    /// `neighbors`: ranks of the group, no_rank among them, in any order. Who is in nobody's list is not told. Local.
    LongWait(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<int> neighbors);

    /// Takes what has come too late, so that nothing is left when MPI ends.
    ~LongWait();
    LongWait(const LongWait&) = delete;
    LongWait& operator=(const LongWait&) = delete;

    /// To be asked again and again while the call waits. After a second, then after twice as long each time, the
    /// neighbors are told; what they say is heard a hundred times a second. Local. Throws: MpiError.
    std::optional<Deviation> deviation(const WaitingCall& own);

  private:
    void tell(const WaitingCall& own);
    std::optional<Deviation> hear(const WaitingCall& own);
    bool told() noexcept;

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::vector<int> neighbors_;
    std::vector<MPI_Request> sends_;
    WaitingCall said_; // what is being sent
    WaitingCall call_; // that waits
    Patience patience_;
    double hears_at_ = 0.0; // seconds of patience
    double tells_at_ = 0.0;
};

} // namespace hopscotch::shim
