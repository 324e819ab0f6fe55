// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the same call a second time, by other means than ours, into the user's buffer: what ours is compared with.
#pragma once

#include "schedules/neighborhood.hpp"
#include "shim/blocks/layouts.hpp"
#include "shim/graph/graph.hpp"
#include "shim/mpi/process_group.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

class ReferenceCall
{
  public:
    virtual ~ReferenceCall() = default;

    /// Starts it, once for every start of the call. Throws: MpiError.
    virtual void start() = 0;

    /// Does what can be done without waiting; true once everything has arrived.
    virtual bool complete() = 0;

    /// MPI_SUCCESS or the first error; valid once complete() has returned true.
    int error() const noexcept { return error_; }

  protected:
    void keep(int code) noexcept
    {
        if (error_ == MPI_SUCCESS)
            error_ = code;
    }

    int error_ = MPI_SUCCESS;
};

/// A request of the MPI library. A persistent one is freed with this, another one has been started already.
class LibraryReference final : public ReferenceCall
{
  public:
    LibraryReference(MPI_Request request, Completion completion) : request_(request), completion_(completion) {}
    ~LibraryReference() override;

    void start() override;
    bool complete() override;

  private:
    MPI_Request request_;
    Completion completion_;
};

/// One message per edge.
class MessageReference final : public ReferenceCall
{
  public:
    /// `edges`: parallel ones match as the call's do. `tag`: calls under one tag must be started in the same order on
    /// all processes.
    MessageReference(std::shared_ptr<ProcessGroup> group, int tag, schedules::Edges edges, Layouts layouts);

    void start() override;
    bool complete() override;

  private:
    struct Message {
        int slot = 0;
        int process = schedules::no_rank;
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<char> packed;
    };

    void deliver(const Message& message, const MPI_Status& status);

    std::shared_ptr<ProcessGroup> group_;
    int tag_;
    Layouts layouts_;
    std::vector<Message> receives_; // in the order in which those of one process are to match
    std::vector<Message> sends_;
};

} // namespace hopscotch::shim
