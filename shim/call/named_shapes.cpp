// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names the stencils of graphs for the report, once for graphs that are alike.
#include "shim/call/named_shapes.hpp"

#include "schedules/grid/shape_name.hpp"
#include "shim/base/immortal.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <list>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t most_shapes = 16;

struct Shapes {
    std::mutex mutex;
    std::list<std::shared_ptr<const NamedShape>> newest_first;
};

} // namespace

std::shared_ptr<const NamedShape> named_shape(const schedules::Stencil& stencil, const schedules::Topology& topology)
{
    Shapes& all = immortal<Shapes>();
    const LockAmongThreads lock(all.mutex);
    auto& shapes = all.newest_first;
    const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const auto& shape) {
        return shape->stencil == stencil && shape->topology == topology;
    });
    if (found != shapes.end()) {
        shapes.splice(shapes.begin(), shapes, found);
        return shapes.front();
    }
    shapes.push_front(
        std::make_shared<const NamedShape>(NamedShape{stencil, topology, schedules::name(stencil, topology),
                                                      schedules::radius(stencil), schedules::paper_member(stencil)}));
    if (shapes.size() > most_shapes)
        shapes.pop_back();
    return shapes.front();
}

} // namespace hopscotch::shim
