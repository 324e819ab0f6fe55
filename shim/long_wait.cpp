// What a process that waits for long in a blocking call tells its neighbors, and hears of them: sizes that disagree,
// wrongly, may have made one choose another algorithm, whose messages never come.
#include "shim/long_wait.hpp"

#include "schedules/topology.hpp"
#include "shim/messages.hpp"
#include "shim/mpi_error.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr double first_told_seconds = 1.0;
constexpr double heard_every_seconds = 0.01;

/// Each other process once.
std::vector<int> others(std::vector<int> neighbors, int own_rank)
{
    std::sort(neighbors.begin(), neighbors.end());
    neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
    const auto nobody = [own_rank](int rank) { return rank == own_rank || rank == schedules::no_rank; };
    neighbors.erase(std::remove_if(neighbors.begin(), neighbors.end(), nobody), neighbors.end());
    return neighbors;
}

} // namespace

LongWait::LongWait(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<int> neighbors)
    : group_(std::move(group)), tag_(tag), neighbors_(others(std::move(neighbors), group_->rank())),
      sends_(neighbors_.size(), MPI_REQUEST_NULL)
{
}

LongWait::~LongWait()
{
    try {
        hear({});
    } catch (const MpiError&) {
        // Nothing depends on it.
    }
    for (MPI_Request& send : sends_)
        if (send != MPI_REQUEST_NULL)
            next.Request_free(&send);
}

std::optional<Deviation> LongWait::deviation(const WaitingCall& own)
{
    if (!own.same_call(call_)) {
        call_ = own;
        patience_ = Patience();
        hears_at_ = 0.0;
        tells_at_ = first_told_seconds;
    }
    const double spent = patience_.spent();
    if (spent < hears_at_)
        return std::nullopt;
    hears_at_ = spent + heard_every_seconds;
    if (spent >= tells_at_ && told()) {
        tells_at_ = 2 * spent;
        tell(own);
    }
    return hear(own);
}

/// Whether what was said last has been sent, so that more may be said.
bool LongWait::told() noexcept
{
    int flag = 0;
    next.Testall(static_cast<int>(sends_.size()), sends_.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0;
}

void LongWait::tell(const WaitingCall& own)
{
    said_ = own;
    for (std::size_t i = 0; i < neighbors_.size(); ++i)
        start_send(*group_, reinterpret_cast<const char*>(&said_), sizeof said_, neighbors_[i], tag_, sends_[i]);
}

/// A neighbor in another call is not waited for: it has not come to this one yet, or has left it.
std::optional<Deviation> LongWait::hear(const WaitingCall& own)
{
    std::optional<Deviation> result;
    for (;;) {
        int flag = 0;
        MPI_Status status;
        check(next.Iprobe(MPI_ANY_SOURCE, tag_, group_->communicator(), &flag, &status));
        if (flag == 0)
            return result;
        WaitingCall theirs;
        MPI_Request receive = MPI_REQUEST_NULL;
        start_receive(*group_, reinterpret_cast<char*>(&theirs), sizeof theirs, status.MPI_SOURCE, tag_, receive);
        check(next.Wait(&receive, MPI_STATUS_IGNORE));
        if (own.same_call(theirs) && own.algorithm != theirs.algorithm)
            result = Deviation{status.MPI_SOURCE, theirs};
    }
}

} // namespace hopscotch::shim
