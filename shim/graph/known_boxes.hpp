// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The process boxes the program has shown, by what it computed or by hints: candidates for graphs to come.
#pragma once

#include "schedules/box_choice.hpp"

#include <vector>

namespace hopscotch::shim
{

using schedules::Candidate;

/// Remembers a process box the program has computed (MPI_Dims_create, MPI_Cart_create) for graphs to come. Local.
void record_box(const std::vector<int>& dims, const std::vector<bool>* periods);

/// The recorded boxes over p processes, newest first.
std::vector<Candidate> recorded_boxes(int p);

} // namespace hopscotch::shim
