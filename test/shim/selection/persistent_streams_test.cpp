// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests have tags and memory of their own, and give them back.
#include "test/catch.hpp"

#include "test/shim/memory/spares.hpp"
#include "test/shim/selection/ring_pool.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("Persistent requests may be started in another order on each process")
{
    RingPool ring;
    for (const Algorithm algorithm : {Algorithm::shared, Algorithm::merged}) {
        if (algorithm == Algorithm::shared && ring.detected.segment == nullptr)
            continue;
        Choice choice = by(algorithm);
        RingCall first(ring, ring.pool.persistent(Collective::alltoall, choice), 100);
        RingCall second(ring, ring.pool.persistent(Collective::alltoall, choice), 200);
        CHECK(choice.algorithm == algorithm);
        const bool turned = world().rank % 2 == 1;
        (turned ? second : first).begin();
        (turned ? first : second).begin();
        CHECK(first.ends_well());
        CHECK(second.ends_well());
    }
}

TEST_CASE("Persistent requests never share a tag, and the memory of one that is gone is used again")
{
    RingPool ring;
    const auto block_of = [](int tag) { return tag / TagBlock::count; };
    const int first_tag = ring.pool.persistent_tag();
    CHECK(block_of(first_tag) == block_of(ring.detected.tags.first));
    std::set<int> tags{first_tag};
    int last_tag = first_tag;
    for (int i = 0; i < 1200; ++i) {
        const int tag = ring.pool.persistent_tag();
        CHECK(tags.insert(tag).second);
        CHECK(tag % TagBlock::count >= schedules::first_persistent_tag);
        CHECK(tag % TagBlock::count + schedules::tags_per_exchange <= TagBlock::count - TagBlock::of_no_exchange);
        if (i < 10)
            CHECK(block_of(tag) == block_of(first_tag));
        last_tag = tag;
    }
    const int last_block = block_of(last_tag);
    CHECK(last_block > block_of(first_tag));
    if (world().rank == 0)
        CHECK(ring.detected.group->take_block() > last_block);
    if (ring.detected.segment == nullptr)
        return;
    std::vector<std::shared_ptr<Exchange>> made;
    const auto given = [&](Algorithm algorithm) {
        Choice choice = by(algorithm);
        made.push_back(ring.pool.persistent(Collective::alltoall, choice));
        CHECK(made.back() != nullptr);
        return choice.algorithm;
    };
    if (ring.pool.aggregated_bytes(Collective::alltoall) > 0) {
        for (int i = 0; i < schedules::persistent_regions; ++i)
            CHECK(given(Algorithm::aggregated) == Algorithm::aggregated);
        CHECK(given(Algorithm::aggregated) == Algorithm::merged);
        CHECK(given(Algorithm::shared) == Algorithm::shared);
        made.clear();
        CHECK(given(Algorithm::aggregated) == Algorithm::aggregated); // asked at once: the last one got memory
        made.clear();
    }
    for (int i = 0; i < schedules::persistent_streams; ++i)
        CHECK(given(Algorithm::shared) == Algorithm::shared);
    CHECK(given(Algorithm::shared) == Algorithm::merged);
    made.front().reset();
    for (int i = 1; i < 16; ++i) // it is asked seldom
        CHECK(given(Algorithm::shared) == Algorithm::merged);
    CHECK(given(Algorithm::shared) == Algorithm::shared);
}

TEST_CASE("The next graph of the same processes has the memory of persistent requests, unless one lives longer")
{
    Choice shared = by(Algorithm::shared);
    const std::shared_ptr<ProcessGroup> group = RingPool().detected.group;
    const SparesOfOthers held(*group);
    std::shared_ptr<Exchange> longer;
    std::int64_t first = 0;
    for (int graph = 0; graph < 4; ++graph) {
        RingPool ring;
        if (ring.detected.segment == nullptr)
            return;
        const std::int64_t id = ring.detected.segment->id();
        if (graph == 0)
            first = id;
        else
            CHECK((id == first) == (graph < 3));
        if (graph > 0) // the first may have one of other tests
            CHECK(ring.detected.segment->extensions().empty() == (graph == 3));
        const std::size_t extensions = ring.detected.segment->extensions().size();
        Choice choice = shared;
        RingCall call(ring, ring.pool.persistent(Collective::alltoall, choice), graph);
        call.begin();
        CHECK(call.ends_well());
        if (graph == 1 || graph == 2)
            CHECK(ring.detected.segment->extensions().size() == extensions);
        if (graph == 2)
            longer = ring.pool.persistent(Collective::alltoall, choice);
        CHECK(choice.algorithm == Algorithm::shared);
    }
}
