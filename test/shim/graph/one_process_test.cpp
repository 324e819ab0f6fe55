// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Values that one process of a new communicator gives, and decisions that all draw from them.
#include "test/catch.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("A value that one process gives holds for all, and all decide alike")
{
    static char places[64] = {};
    const int size = world().size;
    Job job;
    for (int rank = 0; rank < size; ++rank)
        job.edges.push_back({rank, {(rank + 1) % size}, {(rank + size - 1) % size}, {0}, {0}});
    const JobCommunicator comm(job);
    Settings settings;
    settings.device_bytes = 1000;
    CollectiveConsensus consensus(comm.get());
    const auto made = [&](int place, Field field, std::int64_t value) { // rank 0 makes it there, the others elsewhere
        const std::vector<void*> site{&places[world().rank == 0 ? place : world().rank]};
        Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, &site, std::nullopt};
        origin.reordering = Reordering::wanted;
        auto proposal = propose(consensus, std::move(origin), 1);
        proposal->agreement.set_range(Field::kept_max, Field::kept_min, 0); // each is set up by messages
        proposal->kept.reset();
        if (world().rank == size - 1)
            proposal->agreement[field] = std::max(proposal->agreement[field], value);
        Detected detected = conclude(std::move(proposal), consensus, settings).value();
        const Graph& graph = *detected.graph;
        for (const std::int64_t fact :
             {static_cast<std::int64_t>(std::hash<std::string>{}(graph.native_reason.text()) >> 1),
              static_cast<std::int64_t>(
                  std::hash<std::string>{}(graph.declined.text() + name(graph.found) + graph.reorder) >> 1),
              static_cast<std::int64_t>(graph.most_staged_bytes.value_or(0)), std::int64_t{graph.parallel_edges},
              std::int64_t{graph.unequal_degrees}, std::int64_t{graph.source_orders != nullptr},
              static_cast<std::int64_t>(detected.key), static_cast<std::int64_t>(detected.origin >> 1),
              std::int64_t{detected.group != nullptr}, std::int64_t{detected.segment != nullptr},
              std::int64_t{detected.staging != nullptr}, std::int64_t{detected.set_up_later != nullptr},
              std::int64_t{detected.may_reorder}, std::int64_t{detected.tags.first}})
            CHECK(consensus.all_equal(fact));
        return detected;
    };
    const Detected usual = made(40, Field::device_buffers, 0);
    CHECK(usual.graph->is_ready());
    CHECK_FALSE(usual.graph->most_staged_bytes);
    CHECK(usual.may_reorder);
    CHECK(usual.origin == made(40, Field::device_buffers, 0).origin);
    CHECK(usual.origin != made(41, Field::device_buffers, 0).origin);
    CHECK(made(40, Field::device_buffers, 1).graph->most_staged_bytes == std::optional<std::size_t>(1000));
    CHECK(made(40, Field::device_buffers, 2).graph->native_reason == schedules::reason::device_memory);
    CHECK(made(40, Field::missing_ranks, 1).graph->native_reason == schedules::reason::no_such_rank);
    CHECK(made(40, Field::passed_original, 1).graph->native_reason == schedules::reason::origin_passes);
    CHECK(made(40, Field::settings_max, INT64_MAX).graph->native_reason == schedules::reason::other_settings);
    CHECK(made(40, Field::parallel_edges, 1).graph->source_orders != nullptr);
    CHECK(made(40, Field::unequal_degrees, 1).graph->unequal_degrees);
    for (const Reordering reluctant : {Reordering::not_wanted, Reordering::not_allowed}) {
        const Detected detected = made(40, Field::keeps_ranks, static_cast<std::int64_t>(reluctant));
        CHECK_FALSE(detected.may_reorder);
        CHECK((detected.graph->reorder == reordering_not_asked_for) == (reluctant == Reordering::not_wanted));
    }
    made(40, Field::hints_max, INT64_MAX);
    made(40, Field::algorithms_max, INT64_MAX);
    made(40, Field::group_max, INT64_MAX);
    made(40, Field::segment_max, INT64_MAX);
    made(40, Field::kept_max, INT64_MAX);
}
