// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The process boxes the program has shown, by what it computed or by hints: candidates for graphs to come.
#include "shim/graph/known_boxes.hpp"

#include "schedules/infer.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace hopscotch::shim
{

using schedules::Topology;

namespace
{

constexpr std::size_t most_recorded = 16;

struct Recorded {
    std::mutex mutex;
    std::vector<Topology> boxes; // newest first
};

Recorded& recorded()
{
    static auto* boxes = new Recorded;
    return *boxes;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

} // namespace

void append_patterns(std::vector<Candidate>& candidates, const Topology& box, const char* found)
{
    candidates.push_back({box, found});
    for (Topology& topology : schedules::with_periods(box.dims(), true))
        if (!(topology == box))
            candidates.push_back({std::move(topology), found});
}

void record_box(const std::vector<int>& dims, const std::vector<bool>* periods)
{
    try {
        Topology box(dims, periods != nullptr ? *periods : std::vector<bool>(dims.size(), true));
        Recorded& known = recorded();
        const LockAmongThreads lock(known.mutex);
        known.boxes.erase(std::remove(known.boxes.begin(), known.boxes.end(), box), known.boxes.end());
        known.boxes.insert(known.boxes.begin(), std::move(box));
        if (known.boxes.size() > most_recorded)
            known.boxes.pop_back();
    } catch (const std::invalid_argument&) {
        // A box that is none tells nothing.
    }
}

std::vector<Candidate> recorded_boxes(int p)
{
    Recorded& known = recorded();
    const LockAmongThreads lock(known.mutex);
    std::vector<Candidate> boxes;
    for (const Topology& box : known.boxes)
        if (box.size() == p)
            append_patterns(boxes, box, "recorded");
    return boxes;
}

std::int64_t hash_of(const std::vector<Candidate>& hints) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Candidate& candidate : hints) {
        hash = mix(hash, static_cast<std::uint64_t>(candidate.found[0]));
        for (int k = 0; k < candidate.topology.dimensions(); ++k)
            hash = mix(mix(hash, static_cast<std::uint64_t>(candidate.topology.extent(k))),
                       candidate.topology.periodic(k) ? 1 : 2);
    }
    return static_cast<std::int64_t>(hash >> 1);
}

} // namespace hopscotch::shim
