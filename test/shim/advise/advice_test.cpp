// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The advice on known messages: its numbers, its notes, and its predictions.
#include "test/catch.hpp"

#include "shim/advise/advice.hpp"
#include "shim/advise/site_table.hpp"

#include <nlohmann/json.hpp>

using namespace hopscotch;
using namespace hopscotch::shim;
using nlohmann::json;

namespace
{

constexpr int processes = 6;

/// The messages of a ring: 4 times 8 bytes to each side, at one place, by `sends`; received at another, by `receives`.
/// Per process and place 3000 ns in calls, and 1000 ns in waits.
struct Ring {
    Function sends = Function::MPI_Isend;
    Function receives = Function::MPI_Irecv;
    int hosts = 2;
    int cores = 3; // of each host
    std::int64_t times = 4;
    std::string type = "MPI_INT";
    int ranks = processes; // of the communicator
    bool wildcards = false;

    std::vector<SeenProcess> seen() const
    {
        std::vector<SeenProcess> all;
        for (int rank = 0; rank < processes; ++rank) {
            SeenProcess one{rank, rank % hosts, cores, 48000, 0, {}, {}, {}};
            one.communicators.push_back({ranks, rank, 0, ranks / 2, ranks - 1, 0, 0, {}, {}});
            for (const Function function : {sends, receives}) {
                const auto site = static_cast<std::int64_t>(one.sites.size());
                one.sites.push_back({static_cast<std::int64_t>(function), 0, 100 + 10 * site, 0, 0, 2 * times, 3000,
                                     1000, 0, -1, -1, -1, -1, -1, wildcards && site == 1});
                for (const int step : {1, processes - 1}) {
                    const int peer = (rank + step) % processes;
                    one.peers.push_back({site,
                                         0,
                                         site,
                                         peer,
                                         peer,
                                         times,
                                         times,
                                         8 * times,
                                         8,
                                         8,
                                         2,
                                         4,
                                         step == 1 ? 0 : 1,
                                         1,
                                         times,
                                         1,
                                         {}});
                    type.copy(one.peers.back().type, sizeof one.peers.back().type - 1);
                }
            }
            all.push_back(one);
        }
        return all;
    }

    json advice() const
    {
        const std::vector<SeenProcess> all = seen();
        std::vector<JobSite> sites = job_sites(all);
        for (JobSite& site : sites)
            site.lines = {"exchange (ring.c:7)"};
        return json::parse(advice_as_json(all, sites));
    }

    std::vector<std::string> notes() const { return advice()["exchanges"][0]["notes"]; }
};

using Notes = std::vector<std::string>;

/// An exchange with all 26 neighbors on a torus, in blocks of `bytes`, by processes that take 1 s at least and 5 s now.
RepeatedExchange halo(double bytes, bool leaves_nodes)
{
    const schedules::Topology grid({4, 4, 4}, {true, true, true});
    RepeatedExchange exchange;
    exchange.kind = Kind::grid;
    exchange.processes = grid.size();
    exchange.found = {grid, schedules::moore(3, 1)};
    exchange.destinations.assign(static_cast<std::size_t>(grid.size()), std::vector<int>(26));
    exchange.messages = 26;
    exchange.bytes = 26 * bytes;
    exchange.least_seconds = 1.0;
    exchange.leaves_nodes = leaves_nodes;
    return exchange;
}

} // namespace

TEST_CASE("The advice adds up calls, times and messages of all processes")
{
    const json advice = Ring().advice();
    REQUIRE(advice["exchanges"].size() == 1);
    const json& exchange = advice["exchanges"][0];
    CHECK(exchange["kind"] == "grid");
    CHECK(exchange["function"] == "exchange");
    CHECK(exchange["functions"] == Notes{"MPI_Irecv", "MPI_Isend"});
    CHECK(exchange["times"] == 4);
    CHECK(exchange["processes"] == 6);
    CHECK(exchange["peers"] == json{{"least", 2}, {"most", 2}});
    CHECK(exchange["messages"] == 2.0);
    CHECK(exchange["bytes"] == 16.0);
    CHECK(exchange["message_bytes"] == json{{"least", 8}, {"most", 8}});
    CHECK(exchange["seconds"].get<double>() == about(8000e-9 / 4));
    CHECK(exchange["least_seconds"].get<double>() == about(8000e-9 / 4));
    CHECK(exchange["share"].get<double>() == about(8.0 / 48));
    CHECK(exchange["share_waiting"].get<double>() == about(0.25));
    CHECK(exchange["grid"]["dims"] == std::vector<int>{6});
    CHECK(exchange["example"]["sent"][0] ==
          json{{"peer", 1}, {"count", 2}, {"type", "MPI_INT"}, {"size", 4}, {"offset", {1}}});
    CHECK(advice["nodes"] == 2);
    CHECK(advice["mpi_share"].get<double>() == about(6.0 / 48));
    CHECK(advice["functions"][0]["calls"] == 48);
    CHECK(advice["functions"][0]["share"].get<double>() == about(3.0 / 48));
    const json& off = advice["off_topology"];
    REQUIRE(off.size() == 2);
    CHECK(off[0]["direction"] == "out");
    CHECK(off[0]["messages"] == 24);
    CHECK(off[0]["processes"] == 6);
    CHECK(off[0]["example"] == json{{"rank", 0}, {"peer", 5}});
}

TEST_CASE("Starts take time, and the job takes as long as one process")
{
    std::vector<SeenProcess> all = Ring().seen();
    for (SeenProcess& process : all) {
        process.sites.front().start_nanoseconds = 2000;
        process.left_out = process.rank;
        for (SeenPeer& peer : process.peers)
            peer.least -= process.rank;
    }
    std::vector<JobSite> sites = job_sites(all);
    for (JobSite& site : sites)
        site.lines = {"exchange (ring.c:7)"};
    const json advice = json::parse(advice_as_json(all, sites));
    const json& exchange = advice["exchanges"][0];
    CHECK(exchange["seconds"].get<double>() == about(10000e-9 / 4));
    CHECK(exchange["least_seconds"].get<double>() == about(10000e-9 / 4));
    CHECK(exchange["share"].get<double>() == about(10.0 / 48));
    CHECK(exchange["share_waiting"].get<double>() == about(0.2));
    CHECK(exchange["message_bytes"] == json{{"least", 3}, {"most", 8}});
    CHECK(advice["elapsed_seconds"].get<double>() == about(48e-6));
    CHECK(advice["left_out"] == 15);
    CHECK(advice["ranks"] == 6);
}

TEST_CASE("No time is predicted if processes outnumber the cores of their node")
{
    const json with_cores = Ring().advice();
    CHECK(with_cores["shares_cores"] == false);
    CHECK(with_cores["exchanges"][0]["prediction"]["seconds"].is_number());
    Ring ring;
    ring.cores = 2;
    CHECK(ring.advice()["shares_cores"] == true);
    CHECK(ring.advice()["exchanges"][0]["prediction"]["seconds"].is_null());
    CHECK(ring.advice()["exchanges"][0]["prediction"]["ratio"].is_number());
}

TEST_CASE("Receives of one function and sends of another make one exchange if they are posted together")
{
    for (const bool together : {true, false}) {
        CAPTURE(together);
        std::vector<SeenProcess> all = Ring().seen();
        for (SeenProcess& process : all)
            process.sites.back().other_way = together ? 0 : -1;
        std::vector<JobSite> sites = job_sites(all);
        sites[0].lines = {"send_all (ring.c:7)"};
        sites[1].lines = {"receive_all (ring.c:17)"};
        const json exchanges = json::parse(advice_as_json(all, sites))["exchanges"];
        REQUIRE(exchanges.size() == 1);
        CHECK(exchanges[0]["function"] == (together ? "send_all, receive_all" : "send_all"));
        CHECK(exchanges[0]["share"].get<double>() == about((together ? 8.0 : 4.0) / 48));
    }
}

TEST_CASE("A message that is posted after another has come begins a phase")
{
    std::vector<SeenProcess> all = Ring().seen();
    all[3].peers[1].phase = 2;
    std::vector<JobSite> sites = job_sites(all);
    CHECK(exchanges_of(all, sites)[0].in_phases);
    all[3].peers[1].exchanges = 3; // it is not met in each exchange, so that its last one tells nothing
    CHECK_FALSE(exchanges_of(all, sites)[0].in_phases);
}

TEST_CASE("Peers that are met less often stay if they are met from the beginning to the end")
{
    Ring ring;
    ring.times = 20;
    std::vector<SeenProcess> all = ring.seen();
    std::vector<JobSite> sites = job_sites(all);
    CHECK_FALSE(exchanges_of(all, sites)[0].leaves_out_peers);
    SeenPeer& peer = all[2].peers[0];
    peer.exchanges = 5;
    CHECK(exchanges_of(all, sites)[0].leaves_out_peers);
    CHECK(exchanges_of(all, sites)[0].kind == Kind::grid);
    for (const auto& [exchanges, first, last] : {std::tuple(3, 1, 20), std::tuple(5, 8, 20), std::tuple(5, 1, 12)}) {
        CAPTURE(exchanges, first, last);
        peer.exchanges = exchanges;
        peer.first_epoch = first;
        peer.last_epoch = last;
        CHECK_FALSE(exchanges_of(all, sites)[0].leaves_out_peers);
        CHECK(exchanges_of(all, sites)[0].kind == Kind::changing);
    }
}

TEST_CASE("Rare exchanges are no advice")
{
    Ring ring;
    ring.times = 3;
    CHECK(ring.advice()["exchanges"].size() == 1);
    ring.times = 2;
    CHECK(ring.advice()["exchanges"].empty());
}

TEST_CASE("The advice notes the facts that limit it")
{
    CHECK(Ring().notes().empty());
    CHECK(Ring{Function::MPI_Send, Function::MPI_Recv}.notes() == Notes{"blocking"});
    CHECK(Ring{Function::MPI_Ssend, Function::MPI_Recv}.notes() == Notes{"blocking"});
    CHECK(Ring{Function::MPI_Isend, Function::MPI_Recv}.notes().empty());
    CHECK(Ring{Function::MPI_Sendrecv, Function::MPI_Sendrecv_replace}.notes() == Notes{"by dimension"});
    Ring ring;
    ring.type = "";
    CHECK(ring.notes() == Notes{"datatypes"});
    ring.ranks = 7;
    CHECK(ring.notes() == Notes{"datatypes", "part of a communicator"});
    ring.wildcards = true;
    CHECK(ring.notes() == Notes{"wildcards", "datatypes", "part of a communicator"});
}

TEST_CASE("The faster of merged and combined messages is predicted, and shared memory within a node")
{
    CHECK(predict(halo(8, true), 5.0)->algorithm == "combining");
    CHECK(predict(halo(8, true), 5.0)->messages == 6.0);
    CHECK(predict(halo(1e5, true), 5.0)->algorithm == "merged");
    CHECK(predict(halo(1e5, true), 5.0)->messages == 26.0);
    CHECK(predict(halo(8, false), 5.0)->algorithm == "shared");
    CHECK(predict(halo(8, false), 5.0)->messages == 0.0);
    for (const bool leaves_nodes : {true, false}) {
        const std::optional<Prediction> found = predict(halo(8, leaves_nodes), 5.0);
        CHECK(found->ratio > 0.05);
        CHECK(found->ratio < 0.5);
        CHECK(found->seconds == about(found->ratio + 4.0)); // waits stay
        CHECK(found->least == about(found->seconds / 3));
        CHECK(found->most == 5.0);
    }
    CHECK(predict(halo(1e9, true), 5.0)->ratio == 1.0);
    for (const Kind kind : {Kind::one_way, Kind::star, Kind::changing}) {
        RepeatedExchange exchange = halo(8, true);
        exchange.kind = kind;
        CHECK_FALSE(predict(exchange, 5.0));
    }
}
