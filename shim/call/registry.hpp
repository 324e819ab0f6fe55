// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists all communicators with a record, ties them by an attribute, and tells the report of them.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "shim/call/communicator.hpp"
#include "shim/report/statistics.hpp"

#include <map>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The record of a communicator, or null if there is none. Cost: nanoseconds if the thread asked for the same
/// communicator last, else one attribute look-up.
[[gnu::hot]] Communicator* find_communicator(MPI_Comm comm);

/// The same for an operation that outlives the call, and perhaps the communicator.
[[gnu::hot]] std::shared_ptr<Communicator> share_communicator(MPI_Comm comm);

/// Attaches a record to the communicator; it is deleted with it, its counters are kept for the report.
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

/// All that has been counted so far. Local.
GraphRecord record_of(const Communicator& communicator);

/// The same for all present and freed communicators, with the names of the functions that made them.
std::vector<GraphRecord> all_records();

/// The counters for calls on communicators without record; this is one. It stays. Local.
SelectionEntry& unknown_entry(Call call, MPI_Comm comm);

/// The same for calls that are passed on for this reason.
SelectionEntry& passed_entry(Call call, schedules::reason::Row reason);

/// Counts a call under it. Local.
[[gnu::hot]] void count_passed(SelectionEntry& entry, std::uint64_t elapsed_ticks, int code);

/// Counts a call on a communicator without record. Local.
void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed);

/// Before the end of MPI: communicators that the program has not freed give back their MPI objects.
void release_communicators() noexcept;

} // namespace hopscotch::shim
