// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/callers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace hopscotch::shim
{

namespace
{

using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
using Caller = std::pair<std::int64_t, std::int64_t>;
using Partner = std::tuple<std::int64_t, std::int64_t, std::int64_t>; // communicator, peer, direction

/// Indices of other sites of the process, or -1.
constexpr std::int64_t SeenSite::*other_sites[] = {&SeenSite::waited_at, &SeenSite::started_at, &SeenSite::overlaps,
                                                   &SeenSite::first, &SeenSite::other_way};

Place place_of(const SeenSite& site)
{
    return {site.function, site.object, site.offset};
}

Caller caller_of(const SeenSite& site)
{
    return {site.caller_object, site.caller_offset};
}

/// The callers of one place, as far as they are known to belong together.
class Callers
{
  public:
    void add(Caller caller) { joined_.emplace(caller, caller); }
    bool are_many() const { return joined_.size() > 1; }

    Caller first_of(Caller caller) const
    {
        while (joined_.at(caller) != caller)
            caller = joined_.at(caller);
        return caller;
    }

    void join(Caller one, Caller other) { joined_[first_of(std::max(one, other))] = first_of(std::min(one, other)); }

    std::vector<Caller> firsts() const
    {
        std::vector<Caller> result;
        for (const auto& [caller, first] : joined_)
            if (caller == first)
                result.push_back(caller);
        return result;
    }

  private:
    std::map<Caller, Caller> joined_;
};

using ByPlace = std::map<Place, Callers>;

/// Callers that post in the same exchange: a function for one direction is called for each of them.
void join_those_together(const SeenProcess& process, ByPlace& callers)
{
    std::map<std::pair<Place, std::int64_t>, Caller> of_exchange;
    for (const SeenSite& site : process.sites)
        if (site.first >= 0) {
            const auto known = of_exchange.try_emplace({place_of(site), site.first}, caller_of(site)).first;
            callers.at(place_of(site)).join(known->second, caller_of(site));
        }
}

using Partners = std::map<Caller, std::set<Partner>>;

/// The peers of each caller of one place, of callers that have some.
Partners partners_of(const SeenProcess& process, const Place& place, const Callers& callers)
{
    Partners partners;
    for (const SeenPeer& peer : process.peers) {
        const SeenSite& site = process.sites[static_cast<std::size_t>(peer.site)];
        if (place_of(site) == place)
            partners[callers.first_of(caller_of(site))].insert({peer.communicator, peer.peer, peer.incoming});
    }
    return partners;
}

/// Joins the callers of a place that have the same peers on all processes.
void join_those_alike(const std::vector<SeenProcess>& processes, const Place& place, Callers& callers)
{
    std::vector<Partners> partners;
    for (const SeenProcess& process : processes)
        partners.push_back(partners_of(process, place, callers));
    const auto are_alike = [&partners](Caller one, Caller other) {
        return std::all_of(partners.begin(), partners.end(), [&](const Partners& of_process) {
            const auto first = of_process.find(one);
            const auto second = of_process.find(other);
            return first == of_process.end() || second == of_process.end() || first->second == second->second;
        });
    };
    std::vector<Caller> different;
    for (const Caller& caller : callers.firsts()) {
        const auto same = std::find_if(different.begin(), different.end(),
                                       [&](const Caller& earlier) { return are_alike(earlier, caller); });
        if (same == different.end())
            different.push_back(caller);
        else
            callers.join(*same, caller);
    }
}

void add(SeenSite& sum, const SeenSite& site)
{
    sum.calls += site.calls;
    sum.nanoseconds += site.nanoseconds;
    sum.wait_nanoseconds += site.wait_nanoseconds;
    sum.start_nanoseconds += site.start_nanoseconds;
    sum.wildcards |= site.wildcards;
    for (const auto other : other_sites)
        if (sum.*other < 0)
            sum.*other = site.*other;
}

void add(SeenPeer& sum, const SeenPeer& peer)
{
    sum.messages += peer.messages;
    const bool together = sum.first_epoch == peer.first_epoch && sum.last_epoch == peer.last_epoch;
    sum.exchanges = together ? std::max(sum.exchanges, peer.exchanges) : sum.exchanges + peer.exchanges;
    sum.bytes += peer.bytes;
    sum.least = std::min(sum.least, peer.least);
    sum.most = std::max(sum.most, peer.most);
    sum.first_epoch = std::min(sum.first_epoch, peer.first_epoch);
    sum.last_epoch = std::max(sum.last_epoch, peer.last_epoch);
    sum.phase = std::max(sum.phase, peer.phase);
}

void join(SeenProcess& process, const ByPlace& callers)
{
    std::vector<SeenSite> sites;
    std::vector<std::int64_t> numbers; // the new one of each site
    std::map<std::pair<Place, Caller>, std::int64_t> known;
    for (SeenSite site : process.sites) {
        std::tie(site.caller_object, site.caller_offset) = callers.at(place_of(site)).first_of(caller_of(site));
        const auto [found, is_new] =
            known.try_emplace({place_of(site), caller_of(site)}, static_cast<std::int64_t>(sites.size()));
        numbers.push_back(found->second);
        if (is_new)
            sites.push_back(site);
        else
            add(sites[static_cast<std::size_t>(found->second)], site);
    }
    for (SeenSite& site : sites)
        for (const auto other : other_sites)
            if (site.*other >= 0)
                site.*other = numbers[static_cast<std::size_t>(site.*other)];
    std::vector<SeenPeer> peers;
    std::map<std::tuple<std::int64_t, Partner>, std::size_t> known_peers;
    for (SeenPeer peer : process.peers) {
        peer.site = numbers[static_cast<std::size_t>(peer.site)];
        const Partner partner{peer.communicator, peer.peer, peer.incoming};
        const auto [found, is_new] = known_peers.try_emplace({peer.site, partner}, peers.size());
        if (is_new)
            peers.push_back(peer);
        else
            add(peers[found->second], peer);
    }
    process.sites = std::move(sites);
    process.peers = std::move(peers);
}

} // namespace

void join_callers(std::vector<SeenProcess>& processes)
{
    ByPlace callers;
    for (const SeenProcess& process : processes)
        for (const SeenSite& site : process.sites)
            callers[place_of(site)].add(caller_of(site));
    for (const SeenProcess& process : processes)
        join_those_together(process, callers);
    for (auto& [place, of_place] : callers)
        if (of_place.are_many())
            join_those_alike(processes, place, of_place);
    for (SeenProcess& process : processes)
        join(process, callers);
}

} // namespace hopscotch::shim
