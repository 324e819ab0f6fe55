// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/exchanges.hpp"

#include "shim/advise/exchange_kind.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace hopscotch::shim
{

namespace
{

constexpr std::int64_t least_times = 3; // rarer exchanges are set-up

using SiteKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

SiteKey key_of(const SeenSite& site)
{
    return {site.function, site.object, site.offset, site.caller_object, site.caller_offset};
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
        if (static_cast<double>(least) < steady * static_cast<double>(result.times)) {
            result.leaves_out_peers = peers_stay(result.times);
            result.kind = result.leaves_out_peers ? result.kind : Kind::changing;
        }
        result.in_phases = result.kind != Kind::changing && has_phases(result.times);
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

    template <class Look>
    void for_each_sent(const SeenProcess& process, const std::vector<int>& numbers, const Look& look) const
    {
        for (const SeenPeer& peer : process.peers)
            if (peer.incoming == 0 && peer.world_peer >= 0 &&
                wanted_.count(numbers[static_cast<std::size_t>(peer.site)]) != 0)
                look(peer);
    }

    /// True if every process sends to each of its peers from the beginning to the end, though not in each exchange.
    bool peers_stay(std::int64_t times) const
    {
        constexpr std::int64_t part = 5;
        bool stay = true;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            std::int64_t begin = std::numeric_limits<std::int64_t>::max();
            std::int64_t end = 0;
            for_each_sent(processes_[i], numbers_[i], [&](const SeenPeer& peer) {
                begin = std::min(begin, peer.first_epoch);
                end = std::max(end, peer.last_epoch);
            });
            const std::int64_t margin = (end - begin) / part;
            for_each_sent(processes_[i], numbers_[i], [&](const SeenPeer& peer) {
                stay = stay && peer.first_epoch <= begin + margin && peer.last_epoch >= end - margin &&
                       peer.exchanges >= times / part;
            });
        }
        return stay;
    }

    /// True if some process sends to one peer after it has waited for messages of another one, in each exchange.
    bool has_phases(std::int64_t times) const
    {
        bool found = false;
        for (std::size_t i = 0; i < processes_.size(); ++i) {
            std::set<std::int64_t> phases;
            for_each_sent(processes_[i], numbers_[i], [&](const SeenPeer& peer) {
                if (peer.exchanges == times)
                    phases.insert(peer.phase);
            });
            found = found || phases.size() > 1;
        }
        return found;
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

/// Sites of one function that exchange equally often, for one of its callers if these are told apart.
std::vector<std::set<int>> groups_by_function(const std::vector<JobSite>& sites)
{
    using Key = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
    std::map<Key, std::set<int>> groups;
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i].times >= least_times)
            groups[{function_in(sites[i]), sites[i].caller.object, sites[i].caller.offset, sites[i].times}].insert(
                static_cast<int>(i));
    std::vector<std::set<int>> result;
    for (auto& group : groups)
        result.push_back(std::move(group.second));
    return result;
}

/// The sites of each exchange. A function that only sends and one that only receives make one if their messages are
/// posted together.
std::vector<std::set<int>> groups_of(const std::vector<JobSite>& sites)
{
    std::vector<std::set<int>> groups = groups_by_function(sites);
    const auto any = [&sites](const std::set<int>& group, bool JobSite::*way) {
        return std::any_of(group.begin(), group.end(), [&](int i) { return sites[static_cast<std::size_t>(i)].*way; });
    };
    const auto posts_with = [&sites](const std::set<int>& group, const std::set<int>& other) {
        return std::any_of(group.begin(), group.end(), [&](int i) {
            const std::set<int>& others = sites[static_cast<std::size_t>(i)].other_way;
            return std::any_of(others.begin(), others.end(), [&](int j) { return other.count(j) != 0; });
        });
    };
    std::vector<std::set<int>> result;
    for (std::set<int>& sending : groups)
        if (any(sending, &JobSite::sends)) {
            const bool only_sends = !any(sending, &JobSite::receives);
            std::set<int> both = sending;
            for (const std::set<int>& receiving : groups)
                if (only_sends && !any(receiving, &JobSite::sends) &&
                    (posts_with(sending, receiving) || posts_with(receiving, sending)))
                    both.insert(receiving.begin(), receiving.end());
            result.push_back(std::move(both));
        }
    return result;
}

/// Names of the functions, those that send first.
std::string functions_of(const std::set<int>& group, const std::vector<JobSite>& sites)
{
    std::vector<std::string> names;
    for (const bool sends : {true, false})
        for (const int i : group) {
            const JobSite& site = sites[static_cast<std::size_t>(i)];
            const std::string name = function_in(site);
            if (site.sends == sends && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        }
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

struct Found {
    std::string functions;
    std::set<int> sites;
    RepeatedExchange exchange;
};

} // namespace

std::vector<std::vector<int>> numbers_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    std::map<SiteKey, int> index;
    for (const JobSite& site : sites)
        index.emplace(
            SiteKey{site.function, site.place.object, site.place.offset, site.caller.object, site.caller.offset},
            static_cast<int>(index.size()));
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
            sum.caller = {site.caller_object, site.caller_offset};
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
            (peer.incoming != 0 ? sum.receives : sum.sends) = true;
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
            add(sum.other_way, site.other_way);
        }
    }
    return sites;
}

std::vector<RepeatedExchange> exchanges_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites)
{
    const std::vector<std::vector<int>> numbers = numbers_of(processes, sites);
    std::vector<Found> found;
    for (std::set<int>& group : groups_of(sites)) {
        Found latest{functions_of(group, sites), std::move(group), {}};
        latest.exchange = Gathering(processes, numbers, latest.sites).exchange();
        if (latest.exchange.times == 0) // messages to another group
            continue;
        // Functions for one dimension each make one exchange together.
        const auto same = std::find_if(found.begin(), found.end(), [&](const Found& each) {
            return each.exchange.times == latest.exchange.times &&
                   are_disjoint(each.exchange.destinations, latest.exchange.destinations);
        });
        if (same == found.end()) {
            found.push_back(std::move(latest));
            continue;
        }
        same->sites.insert(latest.sites.begin(), latest.sites.end());
        same->functions = functions_of(same->sites, sites);
        same->exchange = Gathering(processes, numbers, same->sites).exchange();
    }
    std::vector<RepeatedExchange> exchanges;
    for (Found& each : found) {
        each.exchange.function = std::move(each.functions);
        explain(each.exchange);
        exchanges.push_back(std::move(each.exchange));
    }
    std::stable_sort(exchanges.begin(), exchanges.end(),
                     [](const auto& one, const auto& other) { return one.seconds > other.seconds; });
    return exchanges;
}

} // namespace hopscotch::shim
