// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives that need no schedule: all messages of a process at once, then an action on the received data.
#pragma once

#include "shim/call/requests.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The messages of a process in one collective. Between two processes messages match in the order of a list.
struct CallPlan {
    struct Message {
        void* buffer;
        MPI_Count count;
        MPI_Datatype type;
        int peer; // MPI_PROC_NULL: none
    };
    std::vector<Message> receives;
    std::vector<Message> sends;

    /// Before they start, each time. Null: nothing is to be done.
    std::function<void()> preparation;

    /// Once all of them are complete; returns an MPI code. Null: nothing is left to do.
    std::function<int()> conclusion;

    /// Memory and handles that the messages and the conclusion use; they live as long as the plan.
    std::vector<std::shared_ptr<const void>> kept;

    void receive(void* buffer, MPI_Count count, MPI_Datatype type, int source)
    {
        receives.push_back({buffer, count, type, source});
    }
    void send(const void* buffer, MPI_Count count, MPI_Datatype type, int destination)
    {
        sends.push_back({const_cast<void*>(buffer), count, type, destination});
    }
};

/// The communicator and tag for messages of plans: never the program's communicator.
struct Channel {
    MPI_Comm comm = MPI_COMM_NULL;
    int tag = 0;
    bool yields = true;                // waiting gives the core away
    std::shared_ptr<const void> owner; // owner of the communicator
};

/// The messages of a plan under way. An error does not end the others, so that no process waits in vain.
class PlannedMessages
{
  public:
    /// Starts all of them. The plan must live as long.
    PlannedMessages(const CallPlan& plan, const Channel& channel);

    /// True if all are complete.
    bool complete();

    /// The first error, that of the conclusion included. Requires: all are complete.
    int conclude(const CallPlan& plan);

  private:
    void keep(int code) noexcept
    {
        if (error_ == MPI_SUCCESS)
            error_ = code;
    }

    int error_ = MPI_SUCCESS;
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
};

/// Carries a plan out. Returns the first error.
int run_plan(const CallPlan& plan, const Channel& channel);

/// The request of a plan in the program's hands: begun now, or persistent and not begun. The program may free the
/// types. `record`: that of `comm`, on which errors are raised; null if there is none. Throws: MpiError,
/// std::bad_alloc.
MPI_Request request_for(CallPlan plan, Channel channel, SelectionEntry& entry, std::shared_ptr<Communicator> record,
                        MPI_Comm comm, bool persistent);

/// Adds one call that the messages of a plan have carried. `elapsed`: ticks; 0 for a call with a request.
void count_plan(SelectionEntry& entry, const CallPlan& plan, const Channel& channel, std::uint64_t elapsed,
                int code) noexcept;

/// A handle that stays valid as long as `kept`, even if the program frees the type meanwhile; for calls that complete
/// later.
/// Throws: MpiError.
MPI_Datatype kept_type(MPI_Datatype type, std::vector<std::shared_ptr<const void>>& kept);

/// True if the program's completion functions are those of this library, so that it can complete such a request. False
/// if this library stands behind the MPI library.
bool completes_requests() noexcept;

} // namespace hopscotch::shim
