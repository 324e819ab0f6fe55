// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Explains the behavior of Hopscotch for a process grid and a stencil, without MPI.
#include "scripts/tool/explain.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/plan/round_summary.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace hopscotch::tool
{

using namespace schedules;
using Json = nlohmann::ordered_json;

int parse_int(const std::string& text)
{
    int value = 0;
    const char* const begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0);
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(begin, end, value);
    if (result.ec != std::errc{} || result.ptr != end)
        throw std::invalid_argument("'" + text + "' is no number");
    return value;
}

namespace
{

constexpr int widest_drawn = 6;

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else if (c != ' ' && c != '(' && c != ')')
            parts.back() += c;
    }
    return parts;
}

Stencil parse_offsets(const std::string& text, int dimensions)
{
    Stencil stencil(dimensions, {});
    for (const std::string& part : split(text, ';')) {
        if (part.empty())
            continue;
        std::vector<int> offset;
        for (const std::string& shift : split(part, ','))
            offset.push_back(parse_int(shift));
        if (static_cast<int>(offset.size()) != dimensions)
            throw std::invalid_argument("the offset (" + part + ") has " + std::to_string(offset.size()) +
                                        " shifts; the process grid has " + std::to_string(dimensions) + " dimensions");
        stencil.append(offset.data());
    }
    return stencil;
}

/// Everything that is printed, either way.
struct Explanation {
    Topology topology;
    int rank = 0;
    Stencil stencil; // in the form of schedules: canonical and sorted
    int direct = 0;  // messages one per neighbor
    std::vector<PhaseSummary> alltoall;
    std::vector<int> gather_order;
    std::vector<PhaseSummary> allgather;
};

std::vector<int> with_shifts(const Stencil& stencil, const std::vector<int>& order)
{
    std::vector<int> result;
    for (const int k : order)
        if (!distinct_shifts(stencil, k).empty())
            result.push_back(k);
    return result;
}

Explanation explanation(const Topology& topology, const Stencil& given, int rank)
{
    Explanation all{topology, rank, sorted(canonical(given, topology)), 0, {}, {}, {}};
    all.direct = direct_volume(all.stencil);
    const Neighborhood neighborhood = place(topology, all.stencil, edges_of(topology, all.stencil, rank));
    std::vector<int> increasing;
    for (int k = 0; k < topology.dimensions(); ++k)
        increasing.push_back(k);
    all.alltoall =
        round_summary(combining_alltoall(neighborhood), topology, rank, with_shifts(all.stencil, increasing));
    all.gather_order = best_dimension_order(all.stencil);
    all.allgather = round_summary(combining_allgather(neighborhood, route_along(all.stencil, all.gather_order)),
                                  topology, rank, with_shifts(all.stencil, all.gather_order));
    return all;
}

double cutoff(int direct, int messages, int direct_blocks, int blocks)
{
    constexpr LinearCost assumed = cost_of_message(assumed_network);
    return assumed.alpha_seconds / assumed.beta_seconds_per_byte * (direct - messages) / (blocks - direct_blocks);
}

std::string cutoff_text(int direct, int messages, int direct_blocks, int blocks)
{
    if (messages >= direct)
        return "combining does not pay: it saves no message";
    if (blocks <= direct_blocks)
        return "combining pays at every block size: it sends no more bytes";
    return "combining is predicted to pay for blocks up to " +
           shim::bytes_text(static_cast<std::uint64_t>(cutoff(direct, messages, direct_blocks, blocks)));
}

std::string order_text(const std::vector<int>& order)
{
    std::string text;
    for (const int k : order)
        text += (text.empty() ? "" : ", ") + std::to_string(k);
    return text;
}

std::string phases_text(const std::vector<PhaseSummary>& phases)
{
    std::string text;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        text += "  phase " + std::to_string(i + 1) + ", dimension " + std::to_string(phases[i].dimension) + "\n";
        for (const RoundSummary& round : phases[i].rounds) {
            std::string shift = (round.shift > 0 ? "+" : "") + std::to_string(round.shift);
            shift.resize(std::max<std::size_t>(shift.size(), 4), ' ');
            const int blocks = round.own_blocks + round.forwarded_blocks;
            text += "    shift " + shift + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
            if (round.forwarded_blocks == blocks)
                text += " in transit";
            else if (round.forwarded_blocks > 0)
                text += ", " + std::to_string(round.forwarded_blocks) + " of them in transit";
            text += "\n";
        }
    }
    return text;
}

/// 'X' the process, its neighbors by their hops, '.' nothing; of three dimensions one layer beside the other.
std::string drawing(const Stencil& stencil)
{
    const int d = stencil.dimensions();
    const int r = std::max(radius(stencil), 1);
    if (d > 3 || r > widest_drawn)
        return "";
    const auto at = [&](int x, int y, int z) {
        const int offset[3] = {x, y, z};
        const int* const used = offset + (3 - d);
        int hop_count = 0;
        for (int k = 0; k < d; ++k)
            hop_count += used[k] != 0 ? 1 : 0;
        if (hop_count == 0)
            return 'X';
        for (int i = 0; i < stencil.size(); ++i)
            if (std::equal(used, used + d, stencil.offset(i)))
                return static_cast<char>('0' + hop_count);
        return '.';
    };
    std::string text;
    const int layers = d == 3 ? r : 0;
    const int rows = d >= 2 ? r : 0;
    for (int y = -rows; y <= rows; ++y) {
        text += " ";
        for (int x = -layers; x <= layers; ++x) {
            text += "  ";
            for (int z = -r; z <= r; ++z)
                text += std::string(" ") + at(x, y, z);
        }
        text += "\n";
    }
    return text;
}

Json phases_json(const std::vector<PhaseSummary>& phases)
{
    Json all = Json::array();
    for (const PhaseSummary& phase : phases) {
        Json rounds = Json::array();
        for (const RoundSummary& round : phase.rounds)
            rounds.push_back({{"shift", round.shift},
                              {"own_blocks", round.own_blocks},
                              {"forwarded_blocks", round.forwarded_blocks}});
        all.push_back({{"dimension", phase.dimension}, {"rounds", rounds}});
    }
    return all;
}

/// Null: no block size is too large, or none is small enough.
Json cutoff_json(int direct, int messages, int direct_blocks, int blocks)
{
    if (messages >= direct || blocks <= direct_blocks)
        return nullptr;
    return static_cast<std::uint64_t>(cutoff(direct, messages, direct_blocks, blocks));
}

} // namespace

Stencil parse_stencil(const std::string& text, int dimensions)
{
    const std::vector<std::string> words = split(text, ':');
    const auto argument = [&](std::size_t i, int otherwise) {
        return i < words.size() ? parse_int(words[i]) : otherwise;
    };
    const int n = argument(1, 1);
    if (n < 1 || n > 20)
        throw std::invalid_argument("radius " + words[1] + " is not from 1 to 20");
    if (words[0] == "moore")
        return moore(dimensions, n);
    if (words[0] == "neumann" || words[0] == "star")
        return star(dimensions, n);
    if (words[0] == "box")
        return grid(dimensions, argument(1, 3), argument(2, -1));
    if (text.find_first_of("0123456789") == std::string::npos)
        throw std::invalid_argument("unknown stencil '" + text +
                                    "'; known are moore:R, neumann, star:R, box:N:FIRST and offsets like 0,1;1,0");
    return parse_offsets(text, dimensions);
}

std::string explain_text(const Topology& topology, const Stencil& given, int rank)
{
    const Explanation all = explanation(topology, given, rank);
    const int c = rounds(all.stencil);
    const int v = alltoall_volume(all.stencil);
    const int tree = tree_volume(all.stencil, all.gather_order);
    std::string text = "process grid  " + to_string(topology) + ", " + std::to_string(topology.size()) +
                       " processes\n" + "stencil      " + name(all.stencil, topology) + ", radius " +
                       std::to_string(radius(all.stencil)) + ": " + std::to_string(all.direct) + " neighbors\n";
    if (!(sorted(given) == all.stencil))
        text += "             shifts that lead to the same process were made equal\n";
    text += drawing(all.stencil).empty() ? ""
                                         : "\n" + drawing(all.stencil) + "   X: the process; digits: hops of a block\n";
    text += "\nalltoall     " + std::to_string(c) + " messages instead of " + std::to_string(all.direct) + ", with " +
            std::to_string(v) + " blocks instead of " + std::to_string(all.direct) + "\n" +
            phases_text(all.alltoall) + "  " + cutoff_text(all.direct, c, all.direct, v) + "\n";
    text += "\nallgather    " + std::to_string(c) + " messages with " + std::to_string(tree) +
            " blocks, best order of dimensions " + order_text(all.gather_order) + "\n" + phases_text(all.allgather) +
            "  " + cutoff_text(all.direct, c, all.direct, tree) + "\n";
    return text + "\nMessages and blocks that process " + std::to_string(rank) +
           " sends; a block in transit is one of another process.\nPredictions assume 1.5 us per message and 10 GB/s.\n";
}

std::string explain_json(const Topology& topology, const Stencil& given, int rank)
{
    const Explanation all = explanation(topology, given, rank);
    const int c = rounds(all.stencil);
    Json json = {{"dims", to_string(topology)},
                 {"processes", topology.size()},
                 {"rank", rank},
                 {"stencil", name(all.stencil, topology)},
                 {"radius", radius(all.stencil)},
                 {"neighbors", all.direct},
                 {"rounds", c}};
    for (const bool gather : {false, true}) {
        const int volume = gather ? tree_volume(all.stencil, all.gather_order) : alltoall_volume(all.stencil);
        Json one = {{"volume", volume}};
        if (gather)
            one["dimension_order"] = all.gather_order;
        one["cutoff_bytes"] = cutoff_json(all.direct, c, all.direct, volume);
        one["pays"] = c < all.direct;
        one["phases"] = phases_json(gather ? all.allgather : all.alltoall);
        json[gather ? "allgather" : "alltoall"] = one;
    }
    return json.dump(2) + "\n";
}

} // namespace hopscotch::tool
