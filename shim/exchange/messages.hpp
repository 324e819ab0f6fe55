// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives the messages of a schedule's rounds, over the private communicator of a process group.
#pragma once

#include "schedules/plan/schedule.hpp"
#include "shim/blocks/block.hpp"
#include "shim/group/process_group.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// True if these are complete, so that their buffers may change; they become null. `error`: of one that failed.
bool all_sent(std::vector<MPI_Request>& sends, int& error);

/// Receives that complete in any order.
class Receives
{
  public:
    /// Called for a received message: its receive, its length, and MPI_SUCCESS or the reason if it is not whole
    /// (MPI_ERR_TRUNCATE: too long).
    using Take = std::function<void(std::size_t i, std::size_t bytes, int error)>;

    explicit Receives(std::size_t count) : requests_(count, MPI_REQUEST_NULL), indices_(count), statuses_(count) {}

    MPI_Request& operator[](std::size_t i) noexcept { return requests_[i]; }
    std::size_t size() const noexcept { return requests_.size(); }

    /// Takes the complete ones of [first, last), by one call for all: each call of the library makes progress, and
    /// yields the core if it finds nothing. True: none is left. Throws: MpiError.
    bool look(std::size_t first, std::size_t last, const Take& take);

  private:
    std::vector<MPI_Request> requests_;
    std::vector<int> indices_; // indices found by Testsome
    std::vector<MPI_Status> statuses_;
};

/// One message in and one out per round, numbered through all phases. Used call after call; a message of the next call
/// is never taken for one of this call, since messages between two processes under one tag keep their order.
class Messages
{
  public:
    Messages(const schedules::Schedule& schedule, std::shared_ptr<ProcessGroup> group, int tag);

    std::size_t rounds() const noexcept { return rounds_.size(); }
    const schedules::Round& round(std::size_t r) const noexcept { return *rounds_[r]; }

    /// The rounds of phase k are [first_round(k), first_round(k + 1)).
    std::size_t first_round(std::size_t phase) const noexcept { return first_round_[phase]; }
    std::size_t phases() const noexcept { return first_round_.size() - 1; }

    /// Posts the receive of a round; a round without source is left out. Throws: MpiError.
    void receive(std::size_t r, void* to, std::size_t bytes);

    /// Starts the send of a round; a round without destination is left out. Throws: MpiError.
    void send(std::size_t r, const void* from, std::size_t bytes);

    /// True if every message posted for the rounds of a phase is there. Errors are in error(r).
    bool arrived(std::size_t phase);

    /// For a received message: its length, and MPI_SUCCESS or the reason if it is not whole (MPI_ERR_TRUNCATE: too
    /// long).
    std::size_t bytes(std::size_t r) const noexcept { return bytes_[r]; }
    int error(std::size_t r) const noexcept { return errors_[r]; }

    /// Like all_sent, for the current call.
    bool sent(int& error) { return all_sent(sends_, error); }

  private:
    std::shared_ptr<ProcessGroup> group_;
    int tag_;
    std::vector<const schedules::Round*> rounds_;
    std::vector<std::size_t> first_round_; // by phase, and one past the last
    Receives receives_;
    std::vector<MPI_Request> sends_;
    std::vector<std::size_t> bytes_;
    std::vector<int> errors_;
};

} // namespace hopscotch::shim
