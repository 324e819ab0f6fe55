// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The facts that a group knows of its processes, and the reuse of groups.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <cstdlib>
#include <sched.h>
#include <set>

using namespace hopscotch::shim;

namespace
{

std::vector<int> usable_cores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set))
            cores.push_back(core);
    return cores;
}

void keep_to(const std::vector<int>& cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores)
        CPU_SET(core, &set);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
}

/// The result of `body`, run on these cores only.
template <class Body>
auto with_cores(const std::vector<int>& cores, Body&& body)
{
    const std::vector<int> before = usable_cores();
    keep_to(cores);
    const auto result = body();
    keep_to(before);
    return result;
}

/// The group for a simulated launch of so many processes on this machine.
std::unique_ptr<ProcessGroup> group_of_all(const Settings& settings, int started)
{
    const char* const variable = "MPI_LOCALNRANKS";
    const char* const known = std::getenv(variable);
    const std::string before = known != nullptr ? known : "";
    setenv(variable, std::to_string(started).c_str(), 1);
    std::vector<int> members(static_cast<std::size_t>(world().size));
    std::iota(members.begin(), members.end(), 0);
    auto group = std::make_unique<ProcessGroup>(members, 1, settings);
    known != nullptr ? setenv(variable, before.c_str(), 1) : unsetenv(variable);
    return group;
}

std::vector<int> all_ranks()
{
    std::vector<int> all(static_cast<std::size_t>(world().size));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

int largest_tag_told;

/// Stands for MPI_Comm_get_attr of MPI_TAG_UB.
int tell_largest(MPI_Comm, int, void* value, int* found)
{
    *static_cast<int**>(value) = &largest_tag_told;
    *found = 1;
    return MPI_SUCCESS;
}

} // namespace

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

TEST_CASE("Processes yield if more were started than cores that any of them may use")
{
    const std::vector<int> cores = usable_cores();
    const int mates = test_group().group->most_on_node();
    const auto yields_on = [&](std::vector<int> own, int started) {
        return with_cores(own, [&] { return group_of_all({}, started)->yields(); });
    };
    const int all = static_cast<int>(cores.size());
    if (mates <= all) {
        CHECK_FALSE(yields_on(cores, all));
        CHECK(yields_on(cores, all + 1));
    }
    CHECK(yields_on({cores.front()}, mates) == (mates > 1));
    CHECK(yields_on({cores.front()}, 2));
    if (world().size == mates && mates <= all) // each its own core
        CHECK_FALSE(yields_on({cores[static_cast<std::size_t>(world().rank)]}, mates));
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
    const ProcessGroup group(members, 1, {});
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
    const ReplacedFunctions replaced;
    next.MPI_Comm_get_attr = tell_largest;
    for (const int less : {0, 1}) {
        largest_tag_told = 10 * TagBlock::count - 1 - less;
        ProcessGroup small(all_ranks(), 5000 + less, Settings(), false);
        std::int64_t last = 0;
        while (small.has_tags())
            last = small.take_block();
        CHECK(last == 9 - less);
    }
}

TEST_CASE("The oldest group of the same processes is found")
{
    const TestGroup test = test_group();
    const std::vector<int> members = test.group->members();
    Settings settings;
    settings.yield = Yield::never;
    const auto known = find_group(members); // that of graphs of earlier tests, perhaps
    REQUIRE(known != nullptr);
    const auto other = create_group(members, 1000, settings);
    CHECK(find_group(members) == known);
    CHECK(known->id() <= test.group->id());
    std::vector<int> none = members;
    none.push_back(world().size);
    CHECK(find_group(none) == nullptr);
    CHECK_FALSE(other->yields());
}

TEST_CASE("One set-up at a time may use our communicator of all processes, for all of them")
{
    std::vector<int> all = all_ranks();
    bool was_free = false;
    {
        OwnWorldClaim first;
        first.take(all);
        was_free = first.is_held(); // no graph of an earlier test has used it
        OwnWorldClaim second;
        second.take(all);
        CHECK_FALSE(second.is_held());
    }
    OwnWorldClaim part;
    all.pop_back();
    part.take(all);
    CHECK_FALSE(part.is_held());
    all.push_back(world().size - 1);
    OwnWorldClaim given_back;
    given_back.take(all);
    CHECK(given_back.is_held() == was_free);
}

TEST_CASE("A group over our communicator of all processes leaves it when it goes")
{
    {
        const ProcessGroup group(all_ranks(), 2000, Settings(), true);
        CHECK(group.communicator() == own_world());
        CHECK(group.size() == world().size);
    }
    int size = 0;
    CHECK(MPI_Comm_size(own_world(), &size) == MPI_SUCCESS);
    CHECK(size == world().size);
}

TEST_CASE("New communicators are made with any tag that the library allows, and with no other")
{
    static std::set<int> seen;
    const ReplacedFunctions replaced;
    next.MPI_Comm_get_attr = tell_largest;
    next.MPI_Comm_create_group = [](MPI_Comm, MPI_Group, int tag, MPI_Comm*) {
        seen.insert(tag);
        return int{MPI_ERR_OTHER};
    };
    for (largest_tag_told = 0; largest_tag_told < 4; ++largest_tag_told) {
        seen.clear();
        for (std::int64_t id = 0; id < 100; ++id)
            CHECK_THROWS_AS(make_private({world().rank}, id), MpiError);
        CHECK((seen.size() == static_cast<std::size_t>(largest_tag_told) + 1 && *seen.rbegin() == largest_tag_told));
    }
}

TEST_CASE("A limit of blocks that are copied once, asked for, is the only one")
{
    for (const std::size_t asked : {0, 1, 5000}) {
        Settings settings;
        settings.one_copy_bytes = asked;
        const ProcessGroup group(all_ranks(), 3000, settings, false);
        if (const auto limits = group.one_copy()) // none alone, or where the memory of others must not be read
            CHECK(
                (limits->block_bytes == std::max<std::size_t>(asked, 1) && limits->call_bytes == 0 && !limits->tried));
    }
}

TEST_CASE("Messages of a failed set-up are received before MPI ends")
{
    const TestGroup test = test_group();
    for (MPI_Comm comm : {own_world(), test.group->communicator()}) {
        const auto any = [comm] {
            int found = 0;
            check(next.MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE));
            return found != 0;
        };
        const int sent = 1;
        MPI_Request request = MPI_REQUEST_NULL;
        check(start_send(comm, &sent, sizeof sent, world().rank, 1, request));
        while (!any())
            continue;
        receive_leftovers();
        CHECK_FALSE(any());
        check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

TEST_CASE("A group is made only if two more communicators can be made")
{
    static int left;
    const ReplacedFunctions replaced;
    next.MPI_Comm_create_group = [](MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
        return left-- > 0 ? ReplacedFunctions::library.MPI_Comm_create_group(comm, group, tag, made)
                          : int{MPI_ERR_OTHER};
    };
    for (const int allowed : {1, 2}) {
        left = allowed;
        CHECK_THROWS_AS(ProcessGroup(all_ranks(), 4000 + allowed, Settings(), false), MpiError);
    }
    left = 3;
    CHECK_NOTHROW(ProcessGroup(all_ranks(), 4003, Settings(), false));
}
