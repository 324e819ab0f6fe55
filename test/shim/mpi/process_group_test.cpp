// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a group knows of its processes, and which group is found again.
#include "test/catch.hpp"

#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace hopscotch::shim;

TEST_CASE("A group knows its processes and their nodes")
{
    const TestGroup test = test_group();
    const ProcessGroup& group = *test.group;
    CHECK(group.rank() == world().rank);
    CHECK(group.size() == world().size);
    CHECK(group.yields());
    CHECK(group.any_yields());
    const std::vector<int>& mates = group.node_ranks();
    CHECK(std::is_sorted(mates.begin(), mates.end()));
    int leaders = 0;
    for (int rank = 0; rank < group.size(); ++rank) {
        const hopscotch::schedules::Nodes& map = group.node_map();
        const int leader = map.ranks[static_cast<std::size_t>(map.of_rank[static_cast<std::size_t>(rank)])].front();
        leaders += leader == rank ? 1 : 0;
        CHECK(leader <= rank);
        const auto found = std::find(mates.begin(), mates.end(), rank);
        CHECK(group.node_index(rank) == (found == mates.end() ? -1 : static_cast<int>(found - mates.begin())));
        CHECK((leader == mates.front()) == (found != mates.end()));
    }
    CHECK(leaders == group.nodes());
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    CHECK(consensus.maximum(static_cast<int>(mates.size())) == group.most_on_node());
}

TEST_CASE("Messages of a group never meet those of the program")
{
    const TestGroup test = test_group();
    int relation = MPI_IDENT;
    check(MPI_Comm_compare(test.group->communicator(), MPI_COMM_WORLD, &relation));
    CHECK(relation == MPI_CONGRUENT);
}

TEST_CASE("A group goes though nobody has taken a message of it")
{
    if (world().size == 1)
        return;
    std::vector<int> members(static_cast<std::size_t>(world().size));
    std::iota(members.begin(), members.end(), 0);
    constexpr int tag = TagBlock::count;
    const ProcessGroup group(MPI_COMM_WORLD, members, 1, {});
    const int number = 1;
    if (world().rank == 0)
        check(MPI_Send(&number, 1, MPI_INT, 1, tag, group.communicator()));
    for (int there = world().rank == 1 ? 0 : 1; there == 0;)
        check(MPI_Iprobe(0, tag, group.communicator(), &there, MPI_STATUS_IGNORE));
}

TEST_CASE("Blocks of tags are never given twice, and end at the library's largest tag")
{
    const TestGroup test = test_group();
    ProcessGroup& group = *test.group;
    const std::int64_t block = group.take_block();
    CHECK(group.take_block() == block + 1);
    CHECK(group.tags(block).first == block * TagBlock::count);
    CHECK(test.tags.first > ProcessGroup::unused_tag);
    CHECK(test.tags.watchdog() >= test.tags.first);
    CHECK(group.has_tags());
    CHECK_THROWS_AS(group.tags(std::int64_t{1} << 40), MpiError);
}

TEST_CASE("The oldest group of the same processes is found")
{
    const TestGroup test = test_group();
    const std::vector<int> members = test.group->members();
    Settings settings;
    settings.yield = Yield::never;
    const auto other = create_group(MPI_COMM_WORLD, members, 1000, settings);
    CHECK(find_group(members) == test.group);
    std::vector<int> none = members;
    none.push_back(world().size);
    CHECK(find_group(none) == nullptr);
    CHECK_FALSE(other->yields());
}
