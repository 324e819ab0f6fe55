// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The process boxes the program has shown, by what it computed or by hints: candidates for graphs to come.
#pragma once

#include "schedules/topology.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// A process box the program has shown us, with how.
struct Candidate {
    schedules::Topology topology;
    const char* found; // "parent", "hint", "recorded", "inferred"
};

/// Remembers a process box the program has computed (MPI_Dims_create, MPI_Cart_create) for graphs to come. Local.
void record_box(const std::vector<int>& dims, const std::vector<bool>* periods);

/// The recorded boxes over p processes, newest first.
std::vector<Candidate> recorded_boxes(int p);

/// Adds the box as it was given, then with all other periods: the program may think of it with other ones than it
/// showed us.
void append_patterns(std::vector<Candidate>& candidates, const schedules::Topology& box, const char* found);

/// Non-negative; equal on two processes that have the same hints.
std::int64_t hash_of(const std::vector<Candidate>& hints) noexcept;

} // namespace hopscotch::shim
