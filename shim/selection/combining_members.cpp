// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/combining_members.hpp"

#include "shim/base/immortal.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

using schedules::Group;
using schedules::Member;

/// The families that were asked for last.
struct Families {
    struct FamilyOfGraph {
        schedules::Topology topology;
        schedules::Stencil stencil;
        std::shared_ptr<const std::vector<Member>> members;
    };
    static constexpr std::size_t most = 8;

    std::mutex mutex;
    std::list<FamilyOfGraph> known; // the last one in front
};

std::shared_ptr<const std::vector<Member>> family_of(const Graph& graph)
{
    auto& [mutex, known] = immortal<Families>();
    const LockAmongThreads lock(mutex);
    const auto found = std::find_if(known.begin(), known.end(), [&graph](const Families::FamilyOfGraph& one) {
        return one.topology == graph.topology && one.stencil == graph.stencil;
    });
    if (found != known.end()) {
        known.splice(known.begin(), known, found);
        return known.front().members;
    }
    known.push_front({graph.topology, graph.stencil,
                      std::make_shared<std::vector<Member>>(schedules::family(graph.stencil, graph.topology))});
    known.resize(std::min(known.size(), Families::most));
    return known.front().members;
}

} // namespace

std::vector<Group> combining_groups(const Graph& graph)
{
    const std::string& wanted = runtime().settings.combining;
    if (wanted == "auto" || wanted == "paper")
        return {};
    if (wanted == "rounds" || wanted == "phases")
        return schedules::wanted_groups(wanted, *family_of(graph));
    const std::vector<Group> groups = schedules::parse_groups(wanted);
    return fit(groups, graph.stencil.dimensions()) ? groups : std::vector<Group>();
}

std::vector<schedules::PreferredMember> combining_members(schedules::Blocks blocks, const Graph& graph,
                                                          const ProcessGroup& group)
{
    if (runtime().settings.combining != "auto" || group.nodes() == 1)
        return {};
    return schedules::preferred_members(blocks, *family_of(graph), graph.topology, graph.stencil, group.node_map(),
                                        group.network());
}

} // namespace hopscotch::shim
