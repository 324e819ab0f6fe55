// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/network/interconnect.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace hopscotch::schedules
{

namespace
{

void check_counts(std::initializer_list<int> counts)
{
    for (const int count : counts)
        if (count < 1)
            throw std::invalid_argument("a network with " + std::to_string(count) + " of something");
}

int node_count(const FatTree& tree)
{
    check_counts({tree.leaves, tree.nodes_per_leaf, tree.uplinks});
    return tree.leaves * tree.nodes_per_leaf;
}

int node_count(const Dragonfly& fly)
{
    check_counts({fly.groups, fly.chassis, fly.routers, fly.nodes_per_router});
    if (fly.groups > fly.routers)
        throw std::invalid_argument("a dragonfly of " + std::to_string(fly.groups) + " groups with chassis of " +
                                    std::to_string(fly.routers) + " routers");
    return fly.groups * fly.chassis * fly.routers * fly.nodes_per_router;
}

int node_count(const TorusNetwork& torus)
{
    check_counts({torus.dims[0], torus.dims[1], torus.dims[2], torus.nodes_per_router});
    return torus.dims[0] * torus.dims[1] * torus.dims[2] * torus.nodes_per_router;
}

/// A router of a dragonfly. Links between routers are counted by the one they leave.
struct Router {
    int group;
    int chassis;
    int place;
};

/// Appends the numbers of links behind those of the interfaces.
class DragonflyWay
{
  public:
    DragonflyWay(const Dragonfly& fly, int first_link, Router at, std::vector<int>& links)
        : fly_(fly), first_link_(first_link), at_(at), links_(links)
    {
    }

    void to_place(int place)
    {
        if (place == at_.place)
            return;
        links_.push_back(first_link_ + router() * fly_.routers + place);
        at_.place = place;
    }
    void to_chassis(int chassis)
    {
        if (chassis == at_.chassis)
            return;
        links_.push_back(first_link_ + routers() * fly_.routers + router() * fly_.chassis + chassis);
        at_.chassis = chassis;
    }
    void to_group(int group)
    {
        if (group == at_.group)
            return;
        to_place(group);
        to_chassis(0);
        links_.push_back(first_link_ + routers() * (fly_.routers + fly_.chassis) + at_.group * fly_.groups + group);
        at_ = {group, 0, at_.group};
    }

  private:
    int router() const { return (at_.group * fly_.chassis + at_.chassis) * fly_.routers + at_.place; }
    int routers() const { return fly_.groups * fly_.chassis * fly_.routers; }

    const Dragonfly& fly_;
    int first_link_;
    Router at_;
    std::vector<int>& links_;
};

Router router_of(const Dragonfly& fly, int node)
{
    const int router = node / fly.nodes_per_router;
    const int chassis = router / fly.routers;
    return {chassis / fly.chassis, chassis % fly.chassis, router % fly.routers};
}

void add_way(const FatTree& tree, int first_link, int from, int to, std::vector<int>& links)
{
    const int up = from / tree.nodes_per_leaf;
    const int down = to / tree.nodes_per_leaf;
    if (up == down)
        return;
    const int spine = to % tree.uplinks;
    links.push_back(first_link + up * tree.uplinks + spine);
    links.push_back(first_link + (tree.leaves + down) * tree.uplinks + spine);
}

void add_way(const Dragonfly& fly, int first_link, int from, int to, std::vector<int>& links)
{
    DragonflyWay way(fly, first_link, router_of(fly, from), links);
    const Router end = router_of(fly, to);
    way.to_group(end.group);
    way.to_place(end.place);
    way.to_chassis(end.chassis);
}

void add_way(const TorusNetwork& torus, int first_link, int from, int to, std::vector<int>& links)
{
    int at = from / torus.nodes_per_router;
    const int end = to / torus.nodes_per_router;
    int stride = 1;
    for (const int extent : torus.dims) {
        const int distance = (end / stride % extent - at / stride % extent + extent) % extent;
        const bool forward = 2 * distance <= extent;
        for (int step = 0; step < (forward ? distance : extent - distance); ++step) {
            links.push_back(first_link + 6 * at + (forward ? 0 : 1));
            const int place = at / stride % extent;
            at += ((place + (forward ? 1 : extent - 1)) % extent - place) * stride;
        }
        stride *= extent;
        first_link += 2; // those along the next dimension
    }
}

} // namespace

Interconnect::Interconnect(const NetworkShape& shape)
    : shape_(shape), nodes_(std::visit([](const auto& kind) { return node_count(kind); }, shape))
{
    add_links(2 * nodes_, 1);
    if (const auto* tree = std::get_if<FatTree>(&shape))
        add_links(2 * tree->leaves * tree->uplinks, 1);
    if (const auto* fly = std::get_if<Dragonfly>(&shape)) {
        const int routers = fly->groups * fly->chassis * fly->routers;
        add_links(routers * fly->routers, fly->within_chassis);
        add_links(routers * fly->chassis, fly->between_chassis);
        add_links(fly->groups * fly->groups, fly->between_groups);
    }
    if (const auto* torus = std::get_if<TorusNetwork>(&shape))
        for (int router = 0; router < nodes_ / torus->nodes_per_router; ++router)
            for (const double bandwidth : torus->links)
                add_links(2, bandwidth);
}

void Interconnect::add_links(int count, double bandwidth)
{
    bandwidths_.resize(bandwidths_.size() + static_cast<std::size_t>(count), bandwidth);
}

std::vector<int> Interconnect::route(int from, int to) const
{
    std::vector<int> links;
    if (from == to)
        return links;
    links.push_back(from);
    std::visit([&](const auto& kind) { add_way(kind, 2 * nodes_, from, to, links); }, shape_);
    links.push_back(nodes_ + to);
    return links;
}

} // namespace hopscotch::schedules
