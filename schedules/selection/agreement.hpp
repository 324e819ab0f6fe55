// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The values that processes of a new communicator learn of each other in one collective, and their consequences.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "schedules/selection/reasons.hpp"

#include <climits>
#include <cstddef>
#include <cstdint>

namespace hopscotch::schedules
{

/// Numbers with a maximum that all processes learn; minima travel negated.
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
    no_claim,    // a process holds no claim to our communicator of all processes
    segment_max, // the id of the segment that a process has to spare for that; 0 for none
    segment_min,
    kept_max, // the id of the graph that a process keeps for these lists; 0 for none
    kept_min,
    tag_block,       // block of tags on that communicator, for this graph alone; from the first process, like the next
                     // two
    serial,          // never given again
    call_site,       // hash of the place
    given_up,        // a process could not look at the communicator
    device_buffers,  // on a process: 1, the MPI library takes them; 2, and they must not be looked for
    passed_original, // a process knows the communicator that was duplicated as one that passes through
    keeps_ranks,     // the Reordering that the most reluctant process wants
    unused_before,   // number of graphs made at this place that were freed, if none was ever used; negated: the fewest
    brief_before, // number of the last graphs made at this place that were freed after few calls; negated: the fewest
    count
};

/// The values of one process, or of all after the agreement.
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

/// The first of the processes with most destinations, as a number with a maximum.
inline std::int64_t encode_root(std::int64_t degree, int rank) noexcept
{
    return (degree << 32) | static_cast<std::int64_t>(INT_MAX - rank);
}
inline int decode_root(std::int64_t code) noexcept
{
    return INT_MAX - static_cast<int>(code & 0xffffffff);
}

/// The reason that forbids messages of the library on the graph; empty if there is none. `algorithms`: agreed, of the
/// settings or, if `by_key`, of the info key.
Reason unusable_reason(const Agreement& agreed, const Algorithms& algorithms, bool by_key = false);

// Hashes of numbers, so that processes can compare long lists by one number: FNV-1a, with words instead of bytes.
constexpr std::uint64_t hash_begin = 0xcbf29ce484222325u;

inline std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) noexcept
{
    return (hash ^ value) * 0x100000001b3u;
}

/// The hash as a number that can be negated, so that a maximum of both signs tells if all processes have the same.
inline std::int64_t comparable(std::uint64_t hash) noexcept
{
    return static_cast<std::int64_t>(hash >> 1);
}

} // namespace hopscotch::schedules
