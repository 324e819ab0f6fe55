// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Staging buffers of a node: each region of each process its own, and turns that go on.
#include "test/catch.hpp"

#include "shim/memory/staging_buffers.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

TEST_CASE("Every exchange has a region of its own")
{
    std::set<int> regions;
    for (std::size_t collective = 0; collective < collective_count; ++collective) {
        CHECK(regions.insert(StagingBuffers::blocking_region(static_cast<Collective>(collective))).second);
        for (int lane = 0; lane < StagingBuffers::nonblocking_lanes; ++lane)
            CHECK(regions.insert(StagingBuffers::nonblocking_region(static_cast<Collective>(collective), lane)).second);
    }
    for (int request = 0; request < StagingBuffers::persistent_regions; ++request)
        CHECK(regions.insert(StagingBuffers::persistent_region(request)).second);
    CHECK(regions.size() == StagingBuffers::regions);
    CHECK(*regions.rbegin() == StagingBuffers::regions - 1);
}

TEST_CASE("Processes of a node find each other's buffers, and turns of a region follow one another")
{
    const TestGroup test = test_group();
    const ProcessGroup& group = *test.group;
    const auto buffers = StagingBuffers::create({group, MPI_COMM_WORLD, test.tags.set_up()}, 5000, 3);
    REQUIRE(buffers != nullptr);
    const hopscotch::schedules::StagingFileLayout layout(group.most_on_node(), 5000, 3);
    CHECK(buffers->largest_block() == layout.largest_block());
    CHECK(buffers->largest_block() > 0);
    const SequenceNumber first = buffers->take_turn(2);
    CHECK(buffers->take_turn(2) == first + 1);
    CHECK(buffers->take_turn(1) == first);
    const int own = group.node_index(group.rank());
    for (int region = 0; region < StagingBuffers::regions; ++region)
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            *buffers->buffer(own, region, which) = static_cast<char>(own + region + 1);
    check(MPI_Barrier(MPI_COMM_WORLD));
    for (int process = 0; process < static_cast<int>(group.node_ranks().size()); ++process)
        for (int region = 0; region < StagingBuffers::regions; ++region) {
            CHECK(*buffers->buffer(process, region, 1) == static_cast<char>(process + region + 1));
            CHECK(buffers->readings(process, region).is_free(no_turn + 1));
        }
    check(MPI_Barrier(MPI_COMM_WORLD));
}
