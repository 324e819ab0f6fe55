// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of tests that need MPI: the processes, a seed for all of them, a group.
#include "test/processes.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <cstdlib>
#include <numeric>
#include <random>

using namespace hopscotch::shim;

const World& world()
{
    static const World known = [] {
        World found{};
        check(next.MPI_Comm_rank(MPI_COMM_WORLD, &found.rank));
        check(next.MPI_Comm_size(MPI_COMM_WORLD, &found.size));
        return found;
    }();
    return known;
}

unsigned seed()
{
    static const unsigned known = [] {
        const char* const wanted = std::getenv("MPI_TEST_SEED");
        unsigned value =
            wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : std::random_device()();
        check(next.MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, MPI_COMM_WORLD));
        return value;
    }();
    return known;
}

double patience()
{
    const char* const given = std::getenv("MPI_TEST_PATIENCE");
    return given == nullptr ? 60.0 : std::atof(given);
}

/// Some blocks of the tests are lent, others are not.
Settings test_settings()
{
    Settings settings;
    settings.yield = Yield::always;
    settings.one_copy_bytes = 32;
    return settings;
}

TestGroup test_group()
{
    static std::int64_t id = 0;
    static std::weak_ptr<ProcessGroup> last; // others have other settings
    std::vector<int> members(static_cast<std::size_t>(world().size));
    std::iota(members.begin(), members.end(), 0);
    std::shared_ptr<ProcessGroup> group = last.lock();
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    if (!consensus.all(group != nullptr && group->has_tags()))
        group = create_group(members, ++id, test_settings());
    last = group;
    const std::int64_t block = consensus.maximum(world().rank == 0 ? group->take_block() : 0);
    const TagBlock tags = group->tags(block);
    return {std::move(group), tags};
}
