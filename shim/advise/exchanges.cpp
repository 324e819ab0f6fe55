// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/exchanges.hpp"

#include "schedules/irregular/embeddings.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace hopscotch::shim
{

namespace
{

constexpr double in_a_second = 1e9;
constexpr std::int64_t least_times = 3; // rarer exchanges are set-up

using SiteKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

SiteKey key_of(const SeenSite& site)
{
    return {site.function, site.object, site.offset};
}

/// "exchange_halo" for "exchange_halo (halo.c:57)".
std::string function_in(const JobSite& site)
{
    return site.lines.empty() ? "??" : site.lines.front().substr(0, site.lines.front().rfind(" ("));
}

/// The messages of a set of sites, with ranks of one numbering.
class Gathering
{
  public:
    Gathering(const std::vector<SeenProcess>& processes, const std::vector<std::vector<int>>& numbers,
              const std::set<int>& wanted)
        : processes_(processes), numbers_(numbers), wanted_(wanted)
    {
        for_each([&](const SeenProcess&, const SeenPeer&, const SeenCommunicator& comm) {
            same_communicator_ = same_communicator_ && (!first_ || is_same(*first_, comm));
            first_ = first_ != nullptr ? first_ : &comm;
        });
        for_each([&](const SeenProcess& process, const SeenPeer& peer, const SeenCommunicator& comm) {
            participants_.insert({own(process, comm), peer_of(peer)});
        });
        int next = 0;
        for (const int rank : participants_)
            positions_.emplace(rank, next++);
    }

    RepeatedExchange exchange() const
    {
        RepeatedExchange result;
        result.sites.assign(wanted_.begin(), wanted_.end());
        result.processes = static_cast<int>(participants_.size());
        result.whole_communicator = same_communicator_ && first_ != nullptr && first_->size == result.processes;
        result.destinations.resize(participants_.size());
        std::int64_t least = 0;
        for_each([&](const SeenProcess& process, const SeenPeer& peer, const SeenCommunicator& comm) {
            if (peer.incoming != 0)
                return;
            const int from = positions_.at(own(process, comm));
            const int to = positions_.at(peer_of(peer));
            if (from != to)
                result.destinations[static_cast<std::size_t>(from)].push_back(to);
            least = result.times == 0 ? peer.exchanges : std::min(least, peer.exchanges);
            result.least_bytes = result.times == 0 ? peer.least : std::min(result.least_bytes, peer.least);
            result.most_bytes = std::max(result.most_bytes, peer.most);
            result.times = std::max(result.times, peer.exchanges);
            result.messages += static_cast<double>(peer.messages);
            result.bytes += static_cast<double>(peer.bytes);
            result.leaves_nodes = result.leaves_nodes || leaves_node(process, peer);
        });
        for (std::vector<int>& list : result.destinations) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
        const double all = static_cast<double>(std::max<std::int64_t>(result.times, 1)) * std::max(result.processes, 1);
        result.messages /= all;
        result.bytes /= all;
        constexpr double steady = 0.9;
        if (static_cast<double>(least) < steady * static_cast<double>(result.times))
            result.kind = Kind::changing;
        if (result.whole_communicator && first_->dimensions > 0)
            result.given = grid_of(*first_);
        add_times(result);
        add_sample(result);
        return result;
    }

  private:
    template <class Look>
    void for_each(const Look& look) const
    {
        for (std::size_t i = 0; i < processes_.size(); ++i)
            for (const SeenPeer& peer : processes_[i].peers)
                if (peer.world_peer >= 0 && wanted_.count(numbers_[i][static_cast<std::size_t>(peer.site)]) != 0)
                    look(processes_[i], peer, processes_[i].communicators[static_cast<std::size_t>(peer.communicator)]);
    }

    static schedules::Topology grid_of(const SeenCommunicator& comm)
    {
        std::vector<int> dims;
        std::vector<bool> periods;
        for (std::int64_t k = 0; k < comm.dimensions; ++k) {
            dims.push_back(static_cast<int>(comm.dims[k]));
            periods.push_back(comm.periods[k] != 0);
        }
        return {dims, periods};
    }

    static bool is_same(const SeenCommunicator& one, const SeenCommunicator& other)
    {
        return std::tie(one.size, one.first, one.middle, one.last) ==
               std::tie(other.size, other.first, other.middle, other.last);
    }

    /// Ranks of the one communicator, or of MPI_COMM_WORLD.
    int own(const SeenProcess& process, const SeenCommunicator& comm) const
    {
        return static_cast<int>(same_communicator_ ? comm.rank : process.rank);
    }
    int peer_of(const SeenPeer& peer) const
    {
        return static_cast<int>(same_communicator_ ? peer.peer : peer.world_peer);
    }

    bool leaves_node(const SeenProcess& process, const SeenPeer& peer) const
    {
        return processes_[static_cast<std::size_t>(peer.world_peer)].host != process.host;
    }

    void add_times(RepeatedExchange& result) const
    {
        bool any = false;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            double own_seconds = 0;
            for (std::size_t s = 0; s < processes_[i].sites.size(); ++s) {
                const SeenSite& site = processes_[i].sites[s];
                if (wanted_.count(numbers_[i][s]) == 0)
                    continue;
                own_seconds += static_cast<double>(site.nanoseconds + site.wait_nanoseconds + site.start_nanoseconds) /
                               in_a_second;
                result.wait_seconds += static_cast<double>(site.wait_nanoseconds) / in_a_second;
            }
            result.seconds += own_seconds;
            const double one = own_seconds / static_cast<double>(std::max<std::int64_t>(result.times, 1));
            if (own_seconds > 0 && (!any || one < result.least_seconds))
                result.least_seconds = one;
            any = any || own_seconds > 0;
        }
    }

    void add_sample(RepeatedExchange& result) const
    {
        const auto fewer = [](const std::vector<int>& one, const std::vector<int>& other) {
            return one.size() < other.size();
        };
        result.sample =
            static_cast<int>(std::max_element(result.destinations.begin(), result.destinations.end(), fewer) -
                             result.destinations.begin());
        for_each([&](const SeenProcess& process, const SeenPeer& peer, const SeenCommunicator& comm) {
            if (positions_.at(own(process, comm)) == result.sample)
                (peer.incoming != 0 ? result.received : result.sent)
                    .push_back({positions_.at(peer_of(peer)), peer.count, peer.size, peer.type, {}});
        });
    }

    const std::vector<SeenProcess>& processes_;
    const std::vector<std::vector<int>>& numbers_;
    const std::set<int>& wanted_;
    const SeenCommunicator* first_ = nullptr;
    bool same_communicator_ = true;
    std::set<int> participants_;
    std::map<int, int> positions_;
};

using Lists = std::vector<std::vector<int>>;

bool is_symmetric(const Lists& destinations)
{
    for (std::size_t rank = 0; rank < destinations.size(); ++rank)
        for (const int other : destinations[rank]) {
            const std::vector<int>& back = destinations[static_cast<std::size_t>(other)];
            if (!std::binary_search(back.begin(), back.end(), static_cast<int>(rank)))
                return false;
        }
    return true;
}

/// Whether one process is an end of every edge, and the others are more than a pair.
bool is_star(const Lists& destinations)
{
    for (int center = 0; center < static_cast<int>(destinations.size()) && destinations.size() > 2; ++center) {
        bool touches = true;
        for (int rank = 0; rank < static_cast<int>(destinations.size()) && touches; ++rank)
            for (const int other : destinations[static_cast<std::size_t>(rank)])
                touches = touches && (rank == center || other == center);
        if (touches)
            return true;
    }
    return false;
}

/// A grid that explains most edges, where none explains all.
void find_part(RepeatedExchange& exchange, const std::vector<schedules::Candidate>& given)
{
    // Any graph is some part of a stencil with many neighbors.
    constexpr double most_of_them = 0.8;
    constexpr double filled = 0.6;
    constexpr std::size_t steps = 1 << 20;
    schedules::SearchBudget budget(steps);
    const auto partial = schedules::find_partial_grid(std::nullopt, given, true, exchange.destinations, budget);
    if (!partial || partial->edges == 0)
        return;
    const double share = static_cast<double>(partial->combined_edges) / static_cast<double>(partial->edges);
    const std::int64_t places = std::int64_t{exchange.processes} * partial->stencil.size();
    const bool is_sparse = 2 * partial->stencil.size() <= exchange.processes;
    if (share < most_of_them || !is_sparse ||
        static_cast<double>(partial->combined_edges) < filled * static_cast<double>(places))
        return;
    exchange.kind = Kind::partly_grid;
    exchange.explained = share;
    const std::vector<int>& extents = partial->cells.extents();
    exchange.found = {schedules::Topology(extents, std::vector<bool>(extents.size(), true)), partial->stencil};
    exchange.periodic = exchange.found->grid.periods();
}

void find_grid(RepeatedExchange& exchange)
{
    const int p = exchange.processes;
    std::vector<schedules::Candidate> given = schedules::trusted_grids(p, exchange.given, std::nullopt, {});
    std::vector<schedules::Candidate> grids = given;
    exchange.found = given.empty() ? std::nullopt : schedules::explained(exchange.destinations, grids);
    const bool complete = std::all_of(exchange.destinations.begin(), exchange.destinations.end(),
                                      [&](const auto& list) { return static_cast<int>(list.size()) == p - 1; });
    if (!exchange.found && complete) {
        exchange.kind = Kind::everyone;
        return;
    }
    if (!exchange.found) {
        grids = schedules::inferred_grids(p, false);
        const std::vector<schedules::Candidate> others = schedules::inferred_grids(p, true);
        grids.insert(grids.end(), others.begin(), others.end());
        exchange.found = schedules::explained(exchange.destinations, grids);
    }
    if (!exchange.found)
        return find_part(exchange, given);
    exchange.kind = Kind::grid;
    exchange.explained = 1;
    // Along one or two processes a torus and a mesh are the same: then it is what the program said.
    exchange.periodic = exchange.found->grid.periods();
    const bool is_given = exchange.given && exchange.given->dims() == exchange.found->grid.dims();
    for (int k = 0; k < exchange.found->grid.dimensions(); ++k)
        if (exchange.found->grid.extent(k) <= 2)
            exchange.periodic[static_cast<std::size_t>(k)] = is_given && exchange.given->periodic(k);
}

void explain(RepeatedExchange& exchange)
{
    if (is_star(exchange.destinations))
        exchange.kind = Kind::star;
    else if (exchange.kind == Kind::changing)
        return;
    else if (exchange.processes == 2)
        exchange.kind = Kind::pair;
    else if (!is_symmetric(exchange.destinations))
        exchange.kind = Kind::one_way;
    else
        find_grid(exchange);
    if (!exchange.found || exchange.kind != Kind::grid)
        return;
    for (std::vector<NeighborBlock>* blocks : {&exchange.sent, &exchange.received})
        for (NeighborBlock& block : *blocks) {
            const schedules::Stencil offset = schedules::offsets(exchange.found->grid, exchange.sample, {block.peer});
            block.offset.assign(offset.offset(0), offset.offset(0) + offset.dimensions());
        }
}

bool are_disjoint(const Lists& one, const Lists& other)
{
    if (one.size() != other.size())
        return false;
    std::vector<int> both;
    for (std::size_t rank = 0; rank < one.size(); ++rank)
        std::set_intersection(one[rank].begin(), one[rank].end(), other[rank].begin(), other[rank].end(),
                              std::back_inserter(both));
    return both.empty();
}

} // namespace

const char* name(Kind kind) noexcept
{
    constexpr const char* names[] = {"grid", "partly grid", "irregular", "everyone",
                                     "pair", "one way",     "star",      "changing"};
    return names[static_cast<int>(kind)];
}

std::vector<std::vector<int>> numbers_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    std::map<SiteKey, int> index;
    for (const JobSite& site : sites)
        index.emplace(SiteKey{site.function, site.place.object, site.place.offset}, static_cast<int>(index.size()));
    std::vector<std::vector<int>> numbers;
    for (const SeenProcess& process : processes) {
        numbers.emplace_back();
        for (const SeenSite& site : process.sites)
            numbers.back().push_back(index.at(key_of(site)));
    }
    return numbers;
}

std::vector<JobSite> job_sites(const std::vector<SeenProcess>& processes)
{
    std::vector<JobSite> sites;
    std::map<SiteKey, int> index;
    for (const SeenProcess& process : processes)
        for (const SeenSite& site : process.sites) {
            const auto [found, is_new] = index.try_emplace(key_of(site), static_cast<int>(sites.size()));
            if (is_new)
                sites.emplace_back();
            JobSite& sum = sites[static_cast<std::size_t>(found->second)];
            sum.function = static_cast<int>(site.function);
            sum.place = {site.object, site.offset};
            sum.calls += site.calls;
            sum.seconds += static_cast<double>(site.nanoseconds) / in_a_second;
            sum.wait_seconds += static_cast<double>(site.wait_nanoseconds) / in_a_second;
            sum.start_seconds += static_cast<double>(site.start_nanoseconds) / in_a_second;
            sum.wildcards = sum.wildcards || site.wildcards != 0;
        }
    for (const SeenProcess& process : processes) {
        for (const SeenPeer& peer : process.peers) {
            const SeenSite& site = process.sites[static_cast<std::size_t>(peer.site)];
            JobSite& sum = sites[static_cast<std::size_t>(index.at(key_of(site)))];
            sum.times = std::max(sum.times, peer.exchanges);
        }
        const auto add = [&](std::set<int>& others, std::int64_t other) {
            if (other >= 0)
                others.insert(index.at(key_of(process.sites[static_cast<std::size_t>(other)])));
        };
        for (const SeenSite& site : process.sites) {
            JobSite& sum = sites[static_cast<std::size_t>(index.at(key_of(site)))];
            add(sum.finished_at, site.started_at);
            add(sum.finished_at, site.waited_at);
            add(sum.overlaps, site.overlaps);
        }
    }
    return sites;
}

std::vector<RepeatedExchange> exchanges_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    const std::vector<std::vector<int>> numbers = numbers_of(processes, sites);
    std::map<std::pair<std::string, std::int64_t>, std::set<int>> groups;
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i].times >= least_times)
            groups[{function_in(sites[i]), sites[i].times}].insert(static_cast<int>(i));
    struct Group {
        std::string function;
        std::set<int> sites;
        RepeatedExchange exchange;
    };
    std::vector<Group> found;
    for (const auto& [key, of_group] : groups) {
        RepeatedExchange exchange = Gathering(processes, numbers, of_group).exchange();
        if (exchange.times == 0) // receives alone, or messages to another group
            continue;
        // Functions for one dimension each make one exchange together.
        const auto same = std::find_if(found.begin(), found.end(), [&](const Group& each) {
            return each.exchange.times == exchange.times &&
                   are_disjoint(each.exchange.destinations, exchange.destinations);
        });
        if (same == found.end()) {
            found.push_back({key.first, of_group, std::move(exchange)});
            continue;
        }
        same->function += ", " + key.first;
        same->sites.insert(of_group.begin(), of_group.end());
        same->exchange = Gathering(processes, numbers, same->sites).exchange();
    }
    std::vector<RepeatedExchange> exchanges;
    for (Group& each : found) {
        each.exchange.function = each.function;
        explain(each.exchange);
        exchanges.push_back(std::move(each.exchange));
    }
    std::stable_sort(exchanges.begin(), exchanges.end(),
                     [](const auto& one, const auto& other) { return one.seconds > other.seconds; });
    return exchanges;
}

schedules::Stencil both_ways(const RepeatedExchange& exchange)
{
    const schedules::Topology& grid = exchange.found->grid;
    schedules::Stencil stencil = exchange.found->stencil;
    for (int k = 0; k < grid.dimensions(); ++k) {
        const int known = stencil.size();
        const bool once = grid.extent(k) == 2 && grid.periodic(k); // as the search has it
        for (int i = 0; i < known && once && !exchange.periodic[static_cast<std::size_t>(k)]; ++i) {
            std::vector<int> offset(stencil.offset(i), stencil.offset(i) + grid.dimensions());
            offset[static_cast<std::size_t>(k)] *= -1;
            if (offset[static_cast<std::size_t>(k)] != 0)
                stencil.append(offset.data());
        }
    }
    return stencil;
}

} // namespace hopscotch::shim
