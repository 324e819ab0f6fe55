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

/// The network that predictions for these processes use. If any of them knows a measurement, that one. Else, with
/// `measures`, a new measurement: the mean time of messages between the first processes of the first and the second
/// node, of the third and the fourth and so on at once. Else the assumed values, as always for copies within nodes. The
/// same on all processes. Collective: over comm, a private communicator with its ranks on `nodes`, two or more. Throws:
/// MpiError. Cost: some fifty messages there and back.
schedules::Network agree_on_network(MPI_Comm comm, const schedules::Nodes& nodes, bool measures);

/// The measurement of this process or of others that it has agreed with; nothing if there was none. Local.
std::optional<schedules::Network> measured_network();

} // namespace hopscotch::shim
