// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a new communicator learn of each other in one collective, and what follows from it.
#include "schedules/selection/agreement.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

namespace
{

bool wants_messages(const Algorithms& algorithms)
{
    return std::any_of(algorithms.begin(), algorithms.end(),
                       [](Algorithm algorithm) { return algorithm != Algorithm::native; });
}

} // namespace

std::string_view unusable_reason(const Agreement& agreed, const Algorithms& algorithms)
{
    if (!agreed.equal(Field::version_max, Field::version_min))
        return "processes run different versions of Hopscotch";
    if (!agreed.equal(Field::settings_max, Field::settings_min))
        return "processes have different HOPSCOTCH settings";
    if (!wants_messages(algorithms))
        return "HOPSCOTCH_ALGORITHM=native";
    if (agreed[Field::out_degree_max] == 0 && agreed[Field::in_degree_max] == 0)
        return "no process has a neighbor";
    if (agreed[Field::device_memory] != 0)
        return "the MPI library takes buffers in the memory of devices, which Hopscotch does not touch";
    if (agreed[Field::missing_ranks] != 0)
        return "a list names a rank that does not exist";
    if (agreed[Field::passed_original] != 0)
        return "the communicator it was made from passes through";
    return {};
}

} // namespace hopscotch::schedules
