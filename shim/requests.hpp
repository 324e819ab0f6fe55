// The nonblocking and persistent operations handed to the program, found again by their MPI_Request.
#pragma once

#include "shim/communicator.hpp"
#include "shim/neighborhood_call.hpp"
#include "shim/progress.hpp"
#include "shim/timed_requests.hpp"
#include "shim/verification.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// One request of ours in the program's hands. Its handle is a true request of the MPI library, made only to be unlike
/// any other: a persistent receive from MPI_PROC_NULL that is never started. Every completion function asks here first.
class Request final : public InFlight, public TimedOperation
{
  public:
    Request(std::shared_ptr<Communicator> communicator, MPI_Comm comm, Way& way, std::shared_ptr<Exchange> exchange,
            Layouts layouts, bool persistent);
    ~Request() override;

    /// From now on it is carried by a twin as well and compared. Null: it is not.
    void verify(std::unique_ptr<Verification> verification);

    /// Begins the operation; when the exchange is still busy with an earlier call, progress() begins it later.
    void start();

    bool advance() override;

    bool persistent() const noexcept { return persistent_; }
    bool active() const noexcept { return active_; }
    bool complete() const noexcept { return complete_.load(std::memory_order_acquire); }
    int error() const noexcept { return error_; }

    /// Lets the communicator's error handler see an error of this request. Returns the code.
    int raise(int code) const noexcept;

    bool yields() const noexcept { return communicator_->group()->yields(); }

    /// What to do between two fruitless looks at this request.
    void idle() noexcept { idle_in_flight(*exchange_, yields()); }
    MPI_Request token() const noexcept { return token_; }

    /// The program has seen the completion: a persistent request becomes inactive.
    void retire() noexcept { active_ = false; }

    /// The program does not ask for the completion. It may change its buffers as soon as it learns by its own means
    /// that the data has arrived, so there is nothing left to compare with.
    void disown() noexcept { disowned_.store(true, std::memory_order_relaxed); }

    /// What its neighbors may be told of it, while it waits and for a while after.
    void set_call(const NumberedCall& call);

  private:
    void begin();
    void finish(int error) noexcept;
    bool settled();
    void look();

    std::shared_ptr<Communicator> communicator_;
    MPI_Comm comm_; // valid as long as the program has not freed it
    std::shared_ptr<Exchange> exchange_;
    Layouts layouts_;
    std::unique_ptr<Verification> verification_;
    Turn turn_ = 0; // taken when the call was made, see Exchange::take_turn
    MPI_Request token_ = MPI_REQUEST_NULL;
    bool persistent_;
    bool active_ = false;
    bool begun_ = false;
    bool finished_ = false; // ours; its twin need not be
    std::atomic<bool> complete_{false};
    std::atomic<bool> disowned_{false};
    int error_ = 0;
    std::optional<WaitingCall> waiting_; // where neighbors may be told
    unsigned looks_ = 0;
};

/// Puts a request into the program's hands. Returns its handle.
MPI_Request hand_out(std::shared_ptr<Request> request);

/// The request behind a handle, or null when it is not ours.
std::shared_ptr<Request> find_request(MPI_Request handle);

/// The program gives the handle back (or has seen the end of a nonblocking operation).
void take_back(MPI_Request handle);

/// Before MPI ends: lets operations nobody has waited for finish, for a bounded time, and frees unused handles.
/// Throws: std::bad_alloc.
void drain();

} // namespace hopscotch::shim
