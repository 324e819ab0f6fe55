// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/agreement.hpp"
#include "schedules/selection/reasons.hpp"

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

Reason unusable_reason(const Agreement& agreed, const Algorithms& algorithms, bool by_key)
{
    if (!agreed.equal(Field::version_max, Field::version_min))
        return reason::other_version;
    if (!agreed.equal(Field::settings_max, Field::settings_min))
        return reason::other_settings;
    if (!wants_messages(algorithms))
        return by_key ? reason::native_by_key : reason::native_asked_for;
    if (agreed[Field::out_degree_max] == 0 && agreed[Field::in_degree_max] == 0)
        return reason::no_neighbor;
    if (agreed[Field::device_buffers] == 2)
        return reason::device_memory;
    if (agreed[Field::missing_ranks] != 0)
        return reason::no_such_rank;
    if (agreed[Field::passed_original] != 0)
        return reason::origin_passes;
    return {};
}

} // namespace hopscotch::schedules
