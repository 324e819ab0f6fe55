// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a communicator with a topology once more, with its ranks mapped to the nodes of its processes.
#pragma once

#include "schedules/grid/whole_graph.hpp"
#include "shim/graph/detection.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// The wish of this process to have ranks mapped, for a communicator made by that function with that argument
/// `reorder`; the info key "hopscotch_reorder" takes precedence over HOPSCOTCH_REORDER. Local.
Reordering wanted_reordering(Call created_by, int reorder, MPI_Info info);

/// A communicator with the same topology on the same processes, and fewer edges between nodes; MPI_COMM_NULL if ranks
/// stay as they are. In both cases detected.graph becomes one whose `reorder` gives the result with its reason.
/// `consensus`: over the communicator that was looked at; `info`: the program's info object, with the objective.
/// Requires: detected.may_reorder. Collective: over it. Throws: MpiError.
MPI_Comm reordered(CollectiveConsensus& consensus, Detected& detected, MPI_Info info);

/// The reason of ranks that stay.
inline constexpr const char no_better_mapping[] = "no mapping was found that has fewer edges between nodes";

/// The topology of the consensus's communicator once more, with the processes in another order. MPI_COMM_NULL on all of
/// them if a process fails. Collective: over it.
MPI_Comm made_again(CollectiveConsensus& consensus, int old_rank, int new_rank, MPI_Info info);

/// Every process hands numbers that belong to its old rank to the process that has this rank now, among these.
/// Collective: over processes, a communicator in no other use yet. Throws: MpiError.
std::vector<int> handed_over(const std::vector<int>& own, int old_rank, MPI_Comm processes);

/// Gives one communicator the error handler of another. Local. Throws: MpiError.
void hand_on_handler(MPI_Comm from, MPI_Comm to);

/// The program gets `made` instead, with the error handler that `comm` has. Collective: over comm.
void replace(MPI_Comm& comm, MPI_Comm made);

/// The ranks that the first `size` processes of comm would get in a communicator made by that function without weights,
/// as far as one process can tell: if all have the same settings. Nothing if the MPI library decides. `make`: returns
/// the grid to be mapped, or nothing; called only if it matters. Local. Throws: MpiError.
using MakeKnown = std::function<std::optional<schedules::StencilOnGrid>()>;
std::optional<std::vector<int>> ranks_without_asking(Call created_by, MPI_Comm comm, int size, const MakeKnown& make);

} // namespace hopscotch::shim
