// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives the program a request of the MPI library for an operation of this library. Every function of the MPI library
// sees it incomplete until the operation is complete.
#pragma once

#include "shim/mpi/next.hpp"
#include "shim/mpi/threads.hpp"

namespace hopscotch::shim
{

/// The operation behind a token, for the MPI library's callbacks after the program has passed its request to a function
/// that is not intercepted.
class Represented
{
  public:
    /// Advances it and all others once. Another function waits for it.
    virtual void drive() = 0;

    /// The MPI code of its completion.
    virtual int outcome() const noexcept = 0;

    /// The program has given its request up, complete or not.
    virtual void end_elsewhere() noexcept = 0;

  protected:
    ~Represented() = default;
};

/// Nonblocking operations have a generalized request. The MPI library calls back while another function waits for it,
/// if it has MPIX_Grequest_start. Generalized requests cannot be started. A persistent operation has a persistent
/// receive of no bytes from this process, on a communicator of its own; a message to this process completes it.
class Token
{
  public:
    /// Throws: MpiError.
    [[gnu::hot]] Token(Represented& operation, bool persistent);
    [[gnu::hot]] ~Token();
    Token(const Token&) = delete;
    Token& operator=(const Token&) = delete;

    MPI_Request handle() const noexcept { return handle_; }
    bool persistent() const noexcept { return tag_ != 0; }

    /// A persistent operation starts. Throws: MpiError.
    [[gnu::hot]] void start();

    /// The operation is complete.
    [[gnu::hot]] void complete() noexcept;

    /// The program has learned from us that a persistent operation is complete, or the operation never completes.
    [[gnu::hot]] void end() noexcept;

    /// Actions of functions that are not intercepted on a persistent one.
    bool was_ended_elsewhere() noexcept;
    bool was_started_elsewhere() noexcept;

    // The callbacks of a generalized request.
    [[gnu::hot]] int tell(MPI_Status* status) const noexcept;
    [[gnu::hot]] void let_go() noexcept;
    Represented& operation() const noexcept { return operation_; }
    bool is_complete() const noexcept { return complete_.is_set(); }

  private:
    Represented& operation_;
    MPI_Request handle_ = MPI_REQUEST_NULL;
    int tag_ = 0; // tag of a persistent one
    bool started_ = false;
    Flag complete_;
    bool let_go_ = false; // the library has freed a generalized request, or is about to
};

/// The status of a completed collective.
[[gnu::hot]] void set_empty(MPI_Status* status) noexcept;

/// After the MPI library has made progress: MPICH's waiting functions look at their requests again only after some
/// request has been freed, or a message from another process has come.
void wake_waiting() noexcept;

/// Before the end of MPI: frees the objects kept for further requests.
void release_tokens() noexcept;

} // namespace hopscotch::shim
