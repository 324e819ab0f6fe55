// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists all communicators with a record, ties the records by an attribute, and counts calls on other communicators.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "shim/call/communicator.hpp"
#include "shim/selection/entry.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// The record of a communicator, or null if there is none. Cost: nanoseconds if the thread asked for the same
/// communicator last, else one attribute look-up.
[[gnu::hot]] Communicator* find_communicator(MPI_Comm comm);

/// The record of a communicator for an operation that outlives the call, and perhaps the communicator; null if there is
/// none.
[[gnu::hot]] std::shared_ptr<Communicator> share_communicator(MPI_Comm comm);

/// Attaches a record to the communicator. The record is deleted after the communicator and the last request on it.
void attach_communicator(MPI_Comm comm, std::unique_ptr<Communicator> record);

/// The records of all communicators, by key, and of the first few that the program has freed after requests on them;
/// the latter end with the returned map. Local.
std::map<std::uint64_t, std::shared_ptr<Communicator>> lasting_communicators();

/// The communicator and its duplicates get no record, for this reason. Local.
void mark_as_native(MPI_Comm comm, schedules::reason::Row reason);

/// Keeps the request of an info key on a communicator without record: communicators that are made from it take it.
/// Local.
/// Throws: MpiError.
void keep_algorithms(MPI_Comm comm, const Algorithms& algorithms);

/// The request of an info key on the communicator, with a record or without; none if there is no key. Local.
std::optional<Algorithms> algorithms_asked_on(MPI_Comm comm);

/// The counters of a function on this communicator, which has no record. They are never deleted. Local.
SelectionEntry& unknown_entry(Call call, MPI_Comm comm);

/// The counters of a function whose calls are left to the library for this reason. They are never deleted. Local.
SelectionEntry& passed_entry(Call call, schedules::reason::Row reason);

/// Counts a call under such an entry. Local.
[[gnu::hot]] void count_passed(SelectionEntry& entry, std::uint64_t elapsed_ticks, int code);

/// Counts a call on a communicator without record. Local.
void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed);

/// The counters of calls on communicators without record, by function and reason.
using UnknownCalls = std::map<std::pair<Call, schedules::reason::Row>, SelectionEntry>;

/// The counters of all calls on communicators that the program has not freed.
struct RegisteredCalls {
    const std::vector<Communicator*>& living;
    const UnknownCalls& unknown;
};

/// Shows them to `look`. No communicator is attached or closed meanwhile. Local; for all threads.
void look_at_registry(const std::function<void(const RegisteredCalls&)>& look);

/// The library calls `take` with each record that is about to be deleted, for its counters; never while
/// look_at_registry goes on. To be called before the first communicator is attached. Local.
using TakeClosed = void (*)(const Communicator& closed) noexcept;
void at_close(TakeClosed take) noexcept;

/// Before the end of MPI: communicators that the program has not freed give back their MPI objects.
void release_communicators() noexcept;

} // namespace hopscotch::shim
