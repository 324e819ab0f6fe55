// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/advise/off_topology.hpp"

#include <map>
#include <tuple>

namespace hopscotch::shim
{

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

const char* name(SeenTopology topology) noexcept
{
    constexpr const char* names[] = {"none", "Cartesian", "graph", "distributed graph"};
    return names[static_cast<int>(topology)];
}

} // namespace hopscotch::shim
