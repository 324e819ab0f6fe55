// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries collectives that need no schedule: all messages of a process at once.
#pragma once

#include "shim/exchange/exchange.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Actions of a call: before its blocks are sent, each time, and after all have arrived, before the program sees the
/// completion; the second one returns an MPI code. Null: nothing.
struct Hooks {
    std::function<void()> before_start;
    std::function<int()> after_arrival;
};

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
    Hooks hooks; // of the operation that carries the plan

    /// Memory and handles that the messages and the hooks use; they live as long as the plan.
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

/// The messages of a plan. An error does not end the others, so that no process waits in vain.
class PlanExchange final : public Exchange
{
  public:
    PlanExchange(CallPlan plan, Channel channel);

    /// The blocks are those of the plan.
    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;

  private:
    void count_messages();

    CallPlan plan_;
    Channel channel_;
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
};

/// Carries the messages of a plan without hooks. Returns the first error.
int run_plan(CallPlan plan, Channel channel);

/// A handle that stays valid as long as `kept`, even if the program frees the type meanwhile; for calls that complete
/// later.
/// Throws: MpiError.
MPI_Datatype kept_type(MPI_Datatype type, std::vector<std::shared_ptr<const void>>& kept);

/// All types of a plan's messages stay valid as long as the plan. Throws: MpiError.
void keep_types(CallPlan& plan);

} // namespace hopscotch::shim
