// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sites of one place that differ in their callers.
#include "test/catch.hpp"

#include "shim/advise/callers.hpp"

using namespace hopscotch::shim;

namespace
{

constexpr std::int64_t place = 100;

/// A site of that place, or another one, for a caller; the first site of its exchange is `first`.
SeenSite site_by(std::int64_t caller, std::int64_t first, std::int64_t offset = place)
{
    return {3, 0, offset, 0, caller, 10, 1000, 100, 10, -1, -1, -1, first, -1, 0};
}

/// Eight messages of 4 to 8 bytes in eight exchanges up to `last`.
SeenPeer peer_of(std::int64_t site, std::int64_t peer, std::int64_t last)
{
    return {site, 0, 0, peer, peer, 8, 8, 48, 4, 8, 1, 8, 0, last - 8, last, last, {}};
}

SeenProcess process(std::vector<SeenSite> sites, std::vector<SeenPeer> peers)
{
    return {0, 0, 1, 1000, 0, std::move(sites), std::move(peers), {}};
}

} // namespace

TEST_CASE("Callers with the same peers make one site with the sums of both")
{
    std::vector<SeenProcess> all{
        process({site_by(1, 0), site_by(2, 1), site_by(0, -1, 200)}, {peer_of(0, 5, 20), peer_of(1, 5, 40)})};
    all[0].sites[2].waited_at = 1;
    join_callers(all);
    REQUIRE(all[0].sites.size() == 2);
    const SeenSite& joined = all[0].sites[0];
    CHECK(joined.calls == 20);
    CHECK(joined.nanoseconds == 2000);
    CHECK(joined.wait_nanoseconds == 200);
    CHECK(joined.start_nanoseconds == 20);
    CHECK(all[0].sites[1].waited_at == 0);
    REQUIRE(all[0].peers.size() == 1);
    const SeenPeer& peer = all[0].peers[0];
    CHECK(peer.exchanges == 16);
    CHECK(peer.messages == 16);
    CHECK(peer.bytes == 96);
    CHECK(peer.first_epoch == 12);
    CHECK(peer.last_epoch == 40);
    CHECK(peer.phase == 40);
}

TEST_CASE("Callers with other peers stay apart on all processes")
{
    std::vector<SeenProcess> all{process({site_by(1, 0), site_by(2, 1)}, {peer_of(0, 5, 20), peer_of(1, 6, 40)}),
                                 process({site_by(2, 0), site_by(1, 1)}, {peer_of(0, 5, 20), peer_of(1, 5, 40)})};
    join_callers(all);
    for (const SeenProcess& each : all) {
        CHECK(each.sites.size() == 2);
        CHECK(each.peers.size() == 2);
    }
    CHECK(all[0].sites[0].caller_offset != all[0].sites[1].caller_offset);
}

TEST_CASE("Of three callers those with the same peers make one site")
{
    std::vector<SeenProcess> all{process({site_by(1, 0), site_by(2, 1), site_by(3, 2)},
                                         {peer_of(0, 5, 20), peer_of(1, 6, 40), peer_of(2, 5, 60)})};
    join_callers(all);
    REQUIRE(all[0].sites.size() == 2);
    CHECK(all[0].sites[0].calls == 20);
    CHECK(all[0].sites[1].calls == 10);
}

TEST_CASE("Callers that post in one exchange belong together, also with other peers")
{
    std::vector<SeenProcess> all{process({site_by(1, 0), site_by(2, 0), site_by(3, 2)},
                                         {peer_of(0, 5, 20), peer_of(1, 6, 20), peer_of(2, 7, 40), peer_of(0, 6, 20)})};
    join_callers(all);
    REQUIRE(all[0].sites.size() == 2);
    CHECK(all[0].sites[0].calls == 20);
    REQUIRE(all[0].peers.size() == 3);
    CHECK(all[0].peers[1].peer == 6);
    CHECK(all[0].peers[1].exchanges == 8); // the same eight exchanges
    CHECK(all[0].peers[1].messages == 16);
}

TEST_CASE("A caller without messages makes no difference")
{
    std::vector<SeenProcess> all{process({site_by(1, 0), site_by(2, -1)}, {peer_of(0, 5, 20)})};
    join_callers(all);
    CHECK(all[0].sites.size() == 1);
    CHECK(all[0].sites[0].calls == 20);
}
