// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/seen_peers.hpp"

#include "test/catch.hpp"

using hopscotch::schedules::SeenPeers;

TEST_CASE("SeenPeers makes a graph of the processes seen since the last one, each once, or of those it is given")
{
    SeenPeers peers;
    CHECK(peers.is_empty());
    peers.reset(5);
    CHECK_FALSE(peers.is_empty());
    for (const int rank : {4, 1, 4, 1, 1})
        peers.see(rank);
    CHECK(peers.seen() == 2);
    CHECK(peers.graph().empty());
    CHECK_FALSE(peers.in_graph(1));
    peers.make_graph();
    CHECK(peers.graph() == std::vector<int>{1, 4});
    CHECK(peers.in_graph(4));
    CHECK(peers.seen() == 0);
    peers.see(4);
    peers.see(0);
    CHECK_FALSE(peers.has_seen_graph());
    peers.make_graph();
    CHECK(peers.graph() == std::vector<int>{0, 4});
    CHECK_FALSE(peers.in_graph(1)); // no call has used it
    peers.see(0);
    peers.make_graph({2, 3});
    CHECK(peers.graph() == std::vector<int>{2, 3});
    CHECK(peers.seen() == 0);
    CHECK_FALSE(peers.in_graph(0));
    peers.make_graph(std::vector<int>());
    CHECK_FALSE(peers.in_graph(2));
}

TEST_CASE("SeenPeers knows when all processes of the graph have been seen")
{
    SeenPeers peers;
    peers.reset(5);
    CHECK(peers.has_seen_graph()); // there is none
    peers.make_graph({1, 3});
    for (const int rank : {0, 1, 1, 4}) {
        peers.see(rank);
        CHECK_FALSE(peers.has_seen_graph());
    }
    peers.see(3);
    CHECK(peers.has_seen_graph());
    peers.make_graph();
    CHECK_FALSE(peers.has_seen_graph());
    peers.reset(5);
    CHECK(peers.has_seen_graph());
    CHECK(peers.graph().empty());
}
