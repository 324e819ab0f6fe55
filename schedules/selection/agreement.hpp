// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a new communicator learn of each other in one collective, and what follows from it.
#pragma once

#include "schedules/plan/algorithm.hpp"

#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hopscotch::schedules
{

/// Numbers of which all processes learn the maximum; minima travel negated.
enum class Field : std::size_t {
    version_max,
    version_min,
    settings_max,
    settings_min,
    hints_max,
    hints_min,
    algorithms_max, // asked for by info key, as a hash
    algorithms_min,
    out_degree_max,
    out_degree_min,
    in_degree_max,
    in_degree_min,
    parallel_edges,
    unequal_degrees,
    missing_ranks, // a process names a rank that does not exist
    root,          // the process with most destinations: (degree, INT_MAX - rank)
    group_max,     // the id of the private communicator that a process holds for these processes; 0 for none
    group_min,
    segment_max, // the id of the segment that a process has to spare for that; 0 for none
    segment_min,
    tag_block,       // of that communicator, for this graph alone; of the first process, as the next two
    serial,          // never given again
    call_site,       // as a hash
    given_up,        // a process could not look at the communicator
    device_buffers,  // on a process: 1, the MPI library takes them; 2, and they must not be looked for
    passed_original, // a process knows the communicator that was duplicated as one that passes through
    keeps_ranks,     // the Reordering that the most reluctant process wants
    unused_before,   // how many made at this place went away, if none was ever used; negated: the fewest
    count
};

/// Of one process, or once they have met of all.
struct Agreement {
    static constexpr std::size_t count = static_cast<std::size_t>(Field::count);
    std::int64_t values[count] = {};

    std::int64_t& operator[](Field field) { return values[static_cast<std::size_t>(field)]; }
    std::int64_t operator[](Field field) const { return values[static_cast<std::size_t>(field)]; }

    void set_range(Field max, Field min, std::int64_t value)
    {
        (*this)[max] = value;
        (*this)[min] = -value;
    }
    bool equal(Field max, Field min) const { return (*this)[max] == -(*this)[min]; }
};

/// The process with most destinations, the first of them, as a number of which there is a maximum.
inline std::int64_t encode_root(std::int64_t degree, int rank) noexcept
{
    return (degree << 32) | static_cast<std::int64_t>(INT_MAX - rank);
}
inline int decode_root(std::int64_t code) noexcept
{
    return INT_MAX - static_cast<int>(code & 0xffffffff);
}

/// The reason why no message of ours can be sent on the graph; empty when there is none. `algorithms`: agreed, of the
/// settings or, if `by_key`, of the info key.
std::string_view unusable_reason(const Agreement& agreed, const Algorithms& algorithms, bool by_key = false);

} // namespace hopscotch::schedules
