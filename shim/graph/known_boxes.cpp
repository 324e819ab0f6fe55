// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The process boxes the program has shown, by what it computed or by hints: candidates for graphs to come.
#include "shim/graph/known_boxes.hpp"

#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <iterator>
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

} // namespace

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
        if (box.size() == p) {
            std::vector<Candidate> patterns = schedules::in_all_patterns(box, "recorded");
            std::move(patterns.begin(), patterns.end(), std::back_inserter(boxes));
        }
    return boxes;
}

} // namespace hopscotch::shim
