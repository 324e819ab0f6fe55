// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes graph communicators of the MPI library and looks at them as the library does.
#include "test/shim/graph/detected.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <functional>
#include <mpi.h>
#include <string>
#include <utility>

using namespace hopscotch;
using namespace hopscotch::shim;

JobCommunicator::JobCommunicator(const Job& job)
{
    const schedules::Edges& edges = job.edges[static_cast<std::size_t>(world().rank)];
    const auto as_mpi = [](std::vector<int> ranks) {
        std::replace(ranks.begin(), ranks.end(), static_cast<int>(schedules::no_rank), static_cast<int>(MPI_PROC_NULL));
        return ranks;
    };
    const std::vector<int> sources = as_mpi(edges.sources);
    const std::vector<int> destinations = as_mpi(edges.destinations);
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                                         MPI_UNWEIGHTED, static_cast<int>(destinations.size()), destinations.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm_));
}

JobCommunicator::~JobCommunicator()
{
    MPI_Comm_free(&comm_);
}

std::uint64_t hash_of(const Settings& settings)
{
    return std::hash<std::string>{}(canonical(settings));
}

std::optional<Detected> detect_if_possible(MPI_Comm comm, const Settings& settings, std::vector<Candidate> hints)
{
    CollectiveConsensus consensus(comm);
    Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, std::move(hints), nullptr, std::nullopt};
    return conclude(propose(consensus, std::move(origin), hash_of(settings)), consensus, settings);
}

Detected detect(MPI_Comm comm, const Settings& settings, std::vector<Candidate> hints)
{
    return detect_if_possible(comm, settings, std::move(hints)).value();
}

Detected detected_as(std::shared_ptr<const Graph> graph, const TestGroup& test)
{
    Detected detected;
    detected.graph = std::move(graph);
    detected.group = test.group;
    detected.tags = test.tags;
    return detected;
}

Job ring_job()
{
    std::mt19937 random(seed());
    return shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {1, -1}), random);
}

Job random_job(std::mt19937& random)
{
    std::vector<int> dims(1 + random() % 3, 1);
    int processes = world().size;
    for (int factor = 2; processes > 1; ++factor)
        for (; processes % factor == 0; processes /= factor)
            dims[random() % dims.size()] *= factor;
    std::vector<bool> periodic;
    for (std::size_t k = 0; k < dims.size(); ++k)
        periodic.push_back(random() % 2 == 0);
    const schedules::Topology grid(dims, periodic);
    const int size = 1 + static_cast<int>(random() % 9);
    return shuffled_job(grid, random_stencil(grid.dimensions(), size, 1 + static_cast<int>(random() % 2), random),
                        random);
}
