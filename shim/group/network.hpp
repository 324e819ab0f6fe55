// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures the network between nodes once, for predictions.
#pragma once

#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/cost.hpp"
#include "shim/mpi/next.hpp"

#include <optional>

namespace hopscotch::shim
{

/// The network that these processes go by: what any of them knows of it already; else, with `measures`, what messages
/// between the first processes of neighboring nodes take, of the first and the second, the third and the fourth and so
/// on at once, as mean over these pairs; else what is assumed, as it always is of copies within nodes. The same on all
/// processes. Collective: over comm, a private communicator whose ranks are on `nodes`, two or more. Throws: MpiError.
/// Cost: some fifty messages there and back.
schedules::Network agree_on_network(MPI_Comm comm, const schedules::Nodes& nodes, bool measures);

/// What was measured, by this process or others it has agreed with; nothing where that was not. Local.
std::optional<schedules::Network> measured_network();

} // namespace hopscotch::shim
