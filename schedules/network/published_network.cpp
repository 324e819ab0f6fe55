// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/network/published_network.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

constexpr int ports_of_leaf = 36;
constexpr int most_groups = 16;
constexpr int most_links_between_groups = 64; // 96 routers with 10 each, for 15 other groups
constexpr double aries_interface = 10;        // GB/s
constexpr double gemini_interface = 6;

/// The number behind the colon; `otherwise` if there is none.
int number_in(const std::string& text, int otherwise)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        return otherwise;
    int value = 0;
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data() + colon + 1, end, value);
    if (result.ec != std::errc{} || result.ptr != end || value < 0)
        throw std::invalid_argument("'" + text + "' has no number behind its colon");
    return value;
}

FatTree fat_tree(int taper, int nodes)
{
    if (taper < 1 || taper >= ports_of_leaf)
        throw std::invalid_argument("a fat tree tapered " + std::to_string(taper) + ":1; from 1 to " +
                                    std::to_string(ports_of_leaf - 1));
    const int uplinks = ports_of_leaf / (taper + 1);
    const int below = taper * uplinks;
    return {(nodes + below - 1) / below, below, uplinks};
}

Dragonfly dragonfly(int links_between_groups, int nodes)
{
    if (links_between_groups < 1 || links_between_groups > most_links_between_groups)
        throw std::invalid_argument("a dragonfly with " + std::to_string(links_between_groups) +
                                    " links between two groups; from 1 to " +
                                    std::to_string(most_links_between_groups));
    Dragonfly fly{
        1, 6, 16, 4, 5.25 / aries_interface, 3 * 5.25 / aries_interface, links_between_groups * 4.7 / aries_interface};
    const int of_group = fly.chassis * fly.routers * fly.nodes_per_router;
    fly.groups = (nodes + of_group - 1) / of_group;
    if (fly.groups > most_groups)
        throw std::invalid_argument(std::to_string(nodes) + " nodes on a dragonfly; at most " +
                                    std::to_string(most_groups * of_group));
    return fly;
}

TorusNetwork torus(int nodes)
{
    TorusNetwork result{{1, 1, 1}, 2, {9.4 / gemini_interface, 4.7 / gemini_interface, 9.4 / gemini_interface}};
    const int routers = (nodes + result.nodes_per_router - 1) / result.nodes_per_router;
    const auto side = static_cast<int>(std::ceil(std::cbrt(routers) - 1e-9));
    result.dims[0] = side;
    result.dims[1] = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(routers) / side) - 1e-9)));
    const int of_layer = side * result.dims[1];
    result.dims[2] = (routers + of_layer - 1) / of_layer;
    return result;
}

/// Random numbers that are the same with every standard library.
class Shuffler
{
  public:
    explicit Shuffler(int seed) : state_(static_cast<std::uint64_t>(seed) * 2862933555777941757U + 3037000493U) {}

    void shuffle(std::vector<int>& values)
    {
        for (std::size_t i = values.size(); i > 1; --i) {
            state_ = state_ * 6364136223846793005U + 1442695040888963407U;
            std::swap(values[i - 1], values[(state_ >> 33) % i]);
        }
    }

  private:
    std::uint64_t state_;
};

} // namespace

Interconnect published_network(const std::string& name, int nodes)
{
    if (nodes < 1)
        throw std::invalid_argument("a network for " + std::to_string(nodes) + " nodes");
    const std::string kind = name.substr(0, name.find(':'));
    if (kind == "fat-tree")
        return Interconnect(fat_tree(number_in(name, 1), nodes));
    if (kind == "dragonfly")
        return Interconnect(dragonfly(number_in(name, 16), nodes));
    if (name == "torus")
        return Interconnect(torus(nodes));
    throw std::invalid_argument("unknown network '" + name +
                                "'; known are fat-tree, fat-tree:TAPER, dragonfly, dragonfly:LINKS and torus");
}

NodePlaces node_places(const std::string& allocation, int nodes)
{
    if (allocation == "block")
        return identity(nodes);
    if (allocation.rfind("fragmented:", 0) != 0)
        throw std::invalid_argument("unknown allocation '" + allocation + "'; known are block and fragmented:SEED");
    std::vector<int> all = identity(4 * nodes);
    Shuffler(number_in(allocation, 1)).shuffle(all);
    all.resize(static_cast<std::size_t>(nodes));
    std::sort(all.begin(), all.end());
    return all;
}

int nodes_needed(const NodePlaces& places)
{
    return places.empty() ? 1 : *std::max_element(places.begin(), places.end()) + 1;
}

} // namespace hopscotch::schedules
