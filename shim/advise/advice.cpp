// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/advice.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/plan/cost.hpp"
#include "shim/advise/exchange_kind.hpp"
#include "shim/advise/site_table.hpp"
#include "shim/base/destination.hpp"
#include "shim/mpi/next.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace hopscotch::shim
{

namespace
{

using Json = nlohmann::ordered_json;
using schedules::assumed_network;

/// The time of MPI_Isend and MPI_Irecv within a node, with their wait: for each message, and for each byte. Units:
/// seconds. Source: docs/performance.md, "plain", 26 neighbors; docs/advice.md.
constexpr double message_on_node = 0.3e-6;
constexpr double byte_on_node = 0.7e-9;

double sum_of_seconds(const std::vector<SeenProcess>& processes)
{
    double sum = 0;
    for (const SeenProcess& process : processes)
        sum += static_cast<double>(process.elapsed_nanoseconds) / in_a_second;
    return sum;
}

/// "MPI_Isend" for Function::MPI_Isend.
const char* function_name(int function)
{
    static constexpr const char* names[] = {
#define WATCH(name, ...) #name,
#include "shim/advise/functions.def"
    };
    return names[static_cast<std::size_t>(function)];
}

Json functions_in(const std::vector<JobSite>& sites, double all_seconds)
{
    std::map<int, std::pair<std::int64_t, double>> sums;
    for (const JobSite& site : sites) {
        if (site.calls == 0) // MPI_Finalize goes on
            continue;
        sums[site.function].first += site.calls;
        sums[site.function].second += site.seconds;
    }
    std::vector<std::pair<double, Json>> rows;
    for (const auto& [function, sum] : sums)
        rows.emplace_back(-sum.second, Json{{"function", function_name(function)},
                                            {"calls", sum.first},
                                            {"seconds", sum.second},
                                            {"share", sum.second / all_seconds}});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    Json result = Json::array();
    for (auto& row : rows)
        result.push_back(std::move(row.second));
    return result;
}

Json site_as_json(const JobSite& site, double all_seconds)
{
    return {{"function", function_name(site.function)},
            {"calls", site.calls},
            {"seconds", site.seconds},
            {"share", site.seconds / all_seconds},
            {"at", site.lines}};
}

Json blocks_as_json(const std::vector<NeighborBlock>& blocks)
{
    Json result = Json::array();
    for (const NeighborBlock& block : blocks)
        result.push_back({{"peer", block.peer},
                          {"count", block.count},
                          {"type", block.type},
                          {"size", block.size},
                          {"offset", block.offset}});
    return result;
}

Json grid_as_json(const RepeatedExchange& exchange)
{
    if (!exchange.found)
        return nullptr;
    const schedules::StencilOnGrid& found = *exchange.found;
    const schedules::Stencil stencil = schedules::sorted(both_ways(exchange));
    Json offsets = Json::array();
    for (int i = 0; i < stencil.size(); ++i)
        offsets.push_back(std::vector<int>(stencil.offset(i), stencil.offset(i) + stencil.dimensions()));
    return {{"dims", found.grid.dims()}, {"periodic", exchange.periodic},
            {"either", exchange.either}, {"stencil", schedules::name(found.stencil, found.grid)},
            {"offsets", offsets},        {"explained", exchange.explained}};
}

/// Messages and accesses on communicators with a topology, between processes that are no neighbors there, of one call
/// site. Ranks are those of MPI_COMM_WORLD, but for `peer`.
struct OffTopology {
    int site = 0; // index
    SeenTopology topology{};
    bool incoming = false;
    std::int64_t messages = 0;   // of all processes, or accesses
    std::set<std::int64_t> from; // processes that call there
    std::int64_t peer = 0;       // of the first of these, as a rank of the communicator
    std::int64_t rank = 0;       // of that process in the communicator
};

/// In the order of the call sites. `numbers`: as numbers_of() gives them.
std::vector<OffTopology> off_topology(const std::vector<SeenProcess>& processes,
                                      const std::vector<std::vector<int>>& numbers)
{
    std::map<std::tuple<int, std::int64_t, bool>, OffTopology> found;
    for (std::size_t i = 0; i < processes.size(); ++i)
        for (const SeenPeer& peer : processes[i].peers) {
            if (peer.off_topology == 0)
                continue;
            const SeenCommunicator& comm = processes[i].communicators[static_cast<std::size_t>(peer.communicator)];
            const int site = numbers[i][static_cast<std::size_t>(peer.site)];
            const bool incoming = peer.incoming != 0;
            const auto [place, is_new] = found.try_emplace({site, comm.topology, incoming});
            OffTopology& sum = place->second;
            if (is_new)
                sum = {site, static_cast<SeenTopology>(comm.topology), incoming, 0, {}, peer.peer, comm.rank};
            sum.messages += peer.messages;
            sum.from.insert(processes[i].rank);
        }
    std::vector<OffTopology> result;
    for (auto& [key, sum] : found)
        result.push_back(std::move(sum));
    return result;
}

/// "distributed graph", say.
const char* name(SeenTopology topology) noexcept
{
    constexpr const char* names[] = {"none", "Cartesian", "graph", "distributed graph"};
    return names[static_cast<int>(topology)];
}

Json off_topology_as_json(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    Json result = Json::array();
    for (const OffTopology& each : off_topology(processes, numbers_of(processes, sites)))
        result.push_back({{"site", each.site},
                          {"topology", name(each.topology)},
                          {"direction", each.incoming ? "in" : "out"},
                          {"messages", each.messages},
                          {"processes", each.from.size()},
                          {"example", {{"rank", each.rank}, {"peer", each.peer}}}});
    return result;
}

/// Facts that may make the advice wrong, or less useful.
Json notes_on(const RepeatedExchange& exchange, const std::vector<JobSite>& sites)
{
    std::set<std::string> functions;
    bool wildcards = false;
    bool own_types = false;
    for (const int site : exchange.sites)
        functions.insert(function_name(sites[static_cast<std::size_t>(site)].function));
    for (const JobSite& site : sites) // receives from anyone have no peers: they count where the sends are
        wildcards = wildcards || (site.wildcards && !site.lines.empty() &&
                                  exchange.function.find(site.lines.front().substr(0, site.lines.front().find(" ("))) !=
                                      std::string::npos);
    for (const NeighborBlock& block : exchange.sent)
        own_types = own_types || block.type.empty();
    const auto only = [&](std::initializer_list<const char*> some) {
        return std::all_of(functions.begin(), functions.end(), [&](const std::string& each) {
            return std::find(some.begin(), some.end(), each) != some.end();
        });
    };
    Json notes = Json::array();
    if (exchange.in_phases)
        notes.push_back("in phases");
    if (exchange.leaves_out_peers)
        notes.push_back("leaves out peers");
    if (std::find(exchange.either.begin(), exchange.either.end(), true) != exchange.either.end())
        notes.push_back("periodic or not");
    if (wildcards)
        notes.push_back("wildcards");
    if (own_types)
        notes.push_back("datatypes");
    if (only({"MPI_Sendrecv", "MPI_Sendrecv_replace"}) && exchange.kind == Kind::grid)
        notes.push_back("by dimension");
    if (only({"MPI_Send", "MPI_Ssend", "MPI_Recv"}))
        notes.push_back("blocking");
    if (!exchange.whole_communicator)
        notes.push_back("part of a communicator");
    return notes;
}

Json exchange_as_json(const RepeatedExchange& exchange, const std::vector<JobSite>& sites,
                      const std::vector<RepeatedExchange>& all, double all_seconds)
{
    std::set<std::string> functions;
    std::set<std::size_t> overlaps;
    Json indices = Json::array();
    std::set<int> finished;
    for (const int index : exchange.sites) {
        const JobSite& site = sites[static_cast<std::size_t>(index)];
        indices.push_back(index);
        functions.insert(function_name(site.function));
        for (const int other : site.finished_at) {
            finished.insert(other);
            functions.insert(function_name(sites[static_cast<std::size_t>(other)].function));
        }
        for (std::size_t other = 0; other < all.size(); ++other)
            for (const int overlapping : site.overlaps)
                if (&all[other] != &exchange &&
                    std::find(all[other].sites.begin(), all[other].sites.end(), overlapping) != all[other].sites.end())
                    overlaps.insert(other);
    }
    std::size_t fewest = exchange.destinations.front().size();
    std::size_t most = 0;
    for (const std::vector<int>& list : exchange.destinations) {
        fewest = std::min(fewest, list.size());
        most = std::max(most, list.size());
    }
    const double seconds = exchange.seconds / static_cast<double>(exchange.times) / exchange.processes;
    Json result = {{"kind", name(exchange.kind)},
                   {"function", exchange.function},
                   {"functions", functions},
                   {"sites", indices},
                   {"finished_at", finished},
                   {"times", exchange.times},
                   {"processes", exchange.processes},
                   {"peers", {{"least", fewest}, {"most", most}}},
                   {"messages", exchange.messages},
                   {"bytes", exchange.bytes},
                   {"message_bytes", {{"least", exchange.least_bytes}, {"most", exchange.most_bytes}}},
                   {"seconds", seconds},
                   {"least_seconds", exchange.least_seconds},
                   {"share", exchange.seconds / all_seconds},
                   {"share_waiting", exchange.seconds > 0 ? exchange.wait_seconds / exchange.seconds : 0.0},
                   {"grid", grid_as_json(exchange)},
                   {"notes", notes_on(exchange, sites)},
                   {"overlaps", overlaps},
                   {"example",
                    {{"rank", exchange.sample},
                     {"sent", blocks_as_json(exchange.sent)},
                     {"received", blocks_as_json(exchange.received)}}},
                   {"prediction", nullptr}};
    if (const std::optional<Prediction> predicted = predict(exchange, seconds))
        result["prediction"] = {{"algorithm", predicted->algorithm}, {"messages", predicted->messages},
                                {"ratio", predicted->ratio},         {"seconds", predicted->seconds},
                                {"least", predicted->least},         {"most", predicted->most}};
    return result;
}

} // namespace

std::optional<Prediction> predict(const RepeatedExchange& exchange, double seconds)
{
    constexpr std::array suitable = {Kind::grid, Kind::partly_grid, Kind::irregular, Kind::everyone, Kind::pair};
    if (std::find(suitable.begin(), suitable.end(), exchange.kind) == suitable.end() || exchange.messages <= 0)
        return std::nullopt;
    double peers = 0;
    for (const std::vector<int>& list : exchange.destinations)
        peers += static_cast<double>(list.size()) / exchange.processes;
    const schedules::Network& network = assumed_network;
    const double copies = 2 * exchange.bytes * network.copy_per_byte;
    Prediction result{0, 1, 0, 0, 0, "shared"};
    if (!exchange.leaves_nodes) {
        const double now = network.node_latency + exchange.messages * message_on_node + exchange.bytes * byte_on_node;
        result.ratio = (network.node_latency + peers * network.node_overhead + copies) / now;
    } else {
        const double overhead = network.send_overhead + network.receive_overhead;
        const auto direct = [&](double messages) {
            return network.latency + messages * overhead + exchange.bytes * network.gap_per_byte;
        };
        result.algorithm = "merged";
        result.messages = peers;
        double later = direct(peers) + copies;
        if (exchange.kind == Kind::grid) {
            const schedules::Stencil& stencil = exchange.found->stencil;
            const double rounds = schedules::rounds(stencil);
            const double volume =
                exchange.bytes * schedules::alltoall_volume(stencil) / std::max(schedules::direct_volume(stencil), 1);
            const double combining = stencil.dimensions() * network.latency + rounds * overhead +
                                     volume * network.gap_per_byte + 2 * volume * network.copy_per_byte;
            if (combining < later) {
                later = combining;
                result.algorithm = "combining";
                result.messages = rounds;
            }
        }
        result.ratio = later / direct(exchange.messages);
    }
    constexpr double factor = 3; // see docs/advice.md
    result.ratio = std::min(result.ratio, 1.0);
    const double late = std::max(seconds - exchange.least_seconds, 0.0); // waiting for others stays
    result.seconds = exchange.least_seconds * result.ratio + late;
    result.least = result.seconds / factor;
    result.most = std::min(result.seconds * factor, seconds);
    return result;
}

std::string advice_as_json(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    const double all_seconds = std::max(sum_of_seconds(processes), 1e-9);
    const std::vector<RepeatedExchange> exchanges = exchanges_of(processes, sites);
    std::map<std::int64_t, std::int64_t> hosts; // and the processes on each
    bool shares_cores = false;
    std::int64_t left_out = 0;
    double mpi_seconds = 0;
    for (const SeenProcess& process : processes) {
        shares_cores = ++hosts[process.host] > process.cores || shares_cores;
        left_out += process.left_out;
    }
    Json of_sites = Json::array();
    for (const JobSite& site : sites) {
        mpi_seconds += site.seconds;
        of_sites.push_back(site_as_json(site, all_seconds));
    }
    Json of_exchanges = Json::array();
    for (const RepeatedExchange& exchange : exchanges)
        of_exchanges.push_back(exchange_as_json(exchange, sites, exchanges, all_seconds));
    for (Json& exchange : of_exchanges)
        if (shares_cores && !exchange["prediction"].is_null()) // times are mostly those of waits for a core
            for (const char* time : {"seconds", "least", "most"})
                exchange["prediction"][time] = nullptr;
    const Json result = {{"schema", 1},
                         {"kind", "advice"},
                         {"version", HOPSCOTCH_VERSION},
                         {"mpi_library", library_version()},
                         {"ranks", processes.size()},
                         {"nodes", hosts.size()},
                         {"launched", launched_processes()},
                         {"launcher", launcher()},
                         {"elapsed_seconds", all_seconds / static_cast<double>(processes.size())},
                         {"mpi_share", mpi_seconds / all_seconds},
                         {"shares_cores", shares_cores},
                         {"left_out", left_out},
                         {"functions", functions_in(sites, all_seconds)},
                         {"sites", of_sites},
                         {"exchanges", of_exchanges},
                         {"off_topology", off_topology_as_json(processes, sites)}};
    constexpr int indentation = 1;
    return result.dump(indentation, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace hopscotch::shim
