// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Pictures of one graph: two dimensions as a grid, three as cubes seen from a corner.
#include "shim/report/html_drawings.hpp"

#include "schedules/alltoall.hpp"
#include "schedules/round_summary.hpp"
#include "shim/report/svg.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <set>

namespace hopscotch::shim
{

namespace
{

constexpr int most_cells = 12; // per dimension of a drawn grid; its label says when there are more
constexpr int widest_radius = 6;

std::string dimension_name(std::size_t k, std::size_t dimensions)
{
    static const char* const letters[] = {"x", "y", "z"};
    return dimensions <= 3 ? letters[k] : "dimension " + std::to_string(k);
}

schedules::Stencil stencil_of(const GraphDescription& graph)
{
    if (graph.dims.empty() || graph.offsets.size() % graph.dims.size() != 0)
        return {};
    return schedules::Stencil(static_cast<int>(graph.dims.size()), graph.offsets);
}

/// Corner points of a view from above right: the first dimension comes towards the viewer, the last goes right.
Svg::Point seen(double x, double y, double z, double unit)
{
    return {(z - x * 0.5) * unit, (y + x * 0.45) * unit};
}

void cube(Svg& svg, Svg::Point at, double unit, double side, const std::string& style)
{
    const auto corner = [&](double x, double y, double z) {
        const Svg::Point p = seen(x * side, y * side, z * side, unit);
        return Svg::Point{at.first + p.first, at.second + p.second};
    };
    svg.polygon({corner(1, 0, 0), corner(1, 0, 1), corner(1, 1, 1), corner(1, 1, 0)}, style + " front");
    svg.polygon({corner(0, 0, 0), corner(0, 0, 1), corner(1, 0, 1), corner(1, 0, 0)}, style + " top");
    svg.polygon({corner(0, 0, 1), corner(0, 1, 1), corner(1, 1, 1), corner(1, 0, 1)}, style + " side");
}

std::string extent_label(const GraphDescription& graph, std::size_t k)
{
    return dimension_name(k, graph.dims.size()) + ": " + std::to_string(graph.dims[k]) +
           (graph.periodic[k] ? ", periodic" : "") +
           (graph.dims[k] > most_cells ? ", " + std::to_string(most_cells) + " drawn" : "");
}

/// "hops1", "hops2", ...: the class of an offset, "origin" of the zero offset, "none" where no offset is.
std::string cell_style(const std::set<std::array<int, 3>>& offsets, const std::array<int, 3>& offset)
{
    const int hops = static_cast<int>(3 - std::count(offset.begin(), offset.end(), 0));
    if (hops == 0)
        return "origin";
    return offsets.count(offset) != 0 ? "hops" + std::to_string(hops) : "none";
}

std::string flat_stencil(const std::set<std::array<int, 3>>& offsets, int radius, bool one_row)
{
    const double cell = std::min(34.0, 200.0 / (2 * radius + 1));
    const int rows = one_row ? 0 : radius;
    Svg svg(cell * (2 * radius + 1) + 4, cell * (2 * rows + 1) + 4);
    for (int row = -rows; row <= rows; ++row)
        for (int column = -radius; column <= radius; ++column) {
            const std::array<int, 3> offset =
                one_row ? std::array<int, 3>{0, 0, column} : std::array<int, 3>{0, row, column};
            const std::string style = cell_style(offsets, offset);
            svg.rectangle(2 + cell * (column + radius), 2 + cell * (row + rows), cell - 3, cell - 3, style,
                          one_row ? "(" + std::to_string(column) + ")"
                                  : "(" + std::to_string(row) + ", " + std::to_string(column) + ")");
        }
    return svg.element("stencil");
}

std::string solid_stencil(const std::set<std::array<int, 3>>& offsets, int radius)
{
    const int n = 2 * radius + 1;
    const double unit = 190.0 / n;
    const double left = 0.5 * n * unit;
    Svg svg(left + n * unit + 4, (n + 0.45 * n) * unit + 4);
    for (int x = -radius; x <= radius; ++x) // back to front
        for (int y = radius; y >= -radius; --y)
            for (int z = -radius; z <= radius; ++z) {
                const std::string style = cell_style(offsets, {x, y, z});
                if (style == "none")
                    continue;
                const Svg::Point p = seen(x + radius, y + radius, z + radius, unit);
                cube(svg, {p.first + left, p.second + 2}, unit, 0.62, style);
            }
    return svg.element("stencil");
}

std::string flat_grid(const GraphDescription& graph)
{
    const bool one_row = graph.dims.size() == 1;
    const int rows = one_row ? 1 : std::min(graph.dims[0], most_cells);
    const int columns = std::min(graph.dims.back(), most_cells);
    const double cell = std::min(30.0, 190.0 / std::max(rows, columns));
    const double left = 14;
    const double top = one_row ? 4 : 14;
    Svg svg(std::max(left + columns * cell + 14, 260.0), top + rows * cell + 42);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            svg.rectangle(left + column * cell, top + row * cell, cell - 2, cell - 2, "process");
    const double right = left + columns * cell - 2;
    const double bottom = top + rows * cell - 2;
    for (int row = 0; row < rows && graph.periodic.back(); ++row) { // edges that lead around
        const double middle = top + row * cell + cell / 2 - 1;
        svg.line(left - 9, middle, left - 1, middle, "wrap");
        svg.line(right + 1, middle, right + 9, middle, "wrap");
    }
    for (int column = 0; column < columns && !one_row && graph.periodic[0]; ++column) {
        const double middle = left + column * cell + cell / 2 - 1;
        svg.line(middle, top - 9, middle, top - 1, "wrap");
        svg.line(middle, bottom + 1, middle, bottom + 9, "wrap");
    }
    std::string label = extent_label(graph, 0);
    if (!one_row)
        label += "; " + extent_label(graph, 1);
    svg.text(0, bottom + 28, label, "start", "small");
    return svg.element("process grid");
}

std::string solid_grid(const GraphDescription& graph)
{
    std::array<int, 3> n{};
    for (std::size_t k = 0; k < 3; ++k)
        n[k] = std::min(graph.dims[k], most_cells);
    const double unit = std::min(36.0, 190.0 / std::max({n[0], n[1], n[2]}));
    const double left = 0.5 * n[0] * unit + 4;
    const double height = (n[1] + 0.45 * n[0]) * unit;
    Svg svg(std::max(left + n[2] * unit + 8, 210.0), height + 62);
    const auto at = [&](double x, double y, double z) {
        const Svg::Point p = seen(x, y, z, unit);
        return Svg::Point{left + p.first, 4 + p.second};
    };
    for (int y = 0; y < n[1]; ++y)
        for (int z = 0; z < n[2]; ++z)
            svg.polygon({at(n[0], y, z), at(n[0], y, z + 1), at(n[0], y + 1, z + 1), at(n[0], y + 1, z)},
                        "process front");
    for (int x = 0; x < n[0]; ++x)
        for (int z = 0; z < n[2]; ++z)
            svg.polygon({at(x, 0, z), at(x, 0, z + 1), at(x + 1, 0, z + 1), at(x + 1, 0, z)}, "process top");
    for (int x = 0; x < n[0]; ++x)
        for (int y = 0; y < n[1]; ++y)
            svg.polygon({at(x, y, n[2]), at(x, y + 1, n[2]), at(x + 1, y + 1, n[2]), at(x + 1, y, n[2])},
                        "process side");
    for (std::size_t k = 0; k < 3; ++k)
        svg.text(0, height + 22 + 16 * static_cast<double>(k), extent_label(graph, k), "start", "small");
    return svg.element("process grid");
}

} // namespace

std::string grid_drawing(const GraphDescription& graph)
{
    if (graph.dims.empty() || graph.dims.size() > 3 || graph.periodic.size() != graph.dims.size())
        return "";
    return graph.dims.size() == 3 ? solid_grid(graph) : flat_grid(graph);
}

std::string stencil_drawing(const GraphDescription& graph)
{
    const schedules::Stencil stencil = stencil_of(graph);
    const int radius = std::max(graph.stencil_radius, 1);
    if (stencil.size() == 0 || stencil.dimensions() > 3 || radius > widest_radius)
        return "";
    std::set<std::array<int, 3>> offsets;
    for (int i = 0; i < stencil.size(); ++i) {
        std::array<int, 3> offset{}; // the last dimensions of three
        for (int k = 0; k < stencil.dimensions(); ++k)
            offset[static_cast<std::size_t>(3 - stencil.dimensions() + k)] = stencil.shift(i, k);
        offsets.insert(offset);
    }
    return stencil.dimensions() == 3 ? solid_stencil(offsets, radius)
                                     : flat_stencil(offsets, radius, stencil.dimensions() == 1);
}

std::string schedule_drawing(const GraphDescription& graph)
{
    const schedules::Stencil given = stencil_of(graph);
    if (given.size() == 0)
        return "";
    const schedules::Topology topology(graph.dims, graph.periodic);
    const schedules::Stencil stencil = schedules::sorted(schedules::canonical(given, topology));
    const int rank = schedules::middle(topology);
    std::vector<int> order;
    for (int k = 0; k < stencil.dimensions(); ++k)
        if (!schedules::distinct_shifts(stencil, k).empty())
            order.push_back(k);
    const std::vector<schedules::PhaseSummary> phases =
        schedules::round_summary(schedules::combining_alltoall(
                                     schedules::place(topology, stencil, schedules::edges_of(topology, stencil, rank))),
                                 topology, rank, order);
    int most = 1;
    std::size_t rows = 0;
    for (const schedules::PhaseSummary& phase : phases) {
        rows += 1 + phase.rounds.size();
        for (const schedules::RoundSummary& round : phase.rounds)
            most = std::max(most, round.own_blocks + round.forwarded_blocks);
    }
    if (rows == 0 || rows > 60)
        return "";
    constexpr double label = 44;
    constexpr double width = 220;
    constexpr double row_height = 20;
    Svg svg(label + width + 60, row_height * static_cast<double>(rows) + 26);
    double y = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        svg.text(0, y + 14,
                 "phase " + std::to_string(i + 1) + ", along " +
                     dimension_name(static_cast<std::size_t>(phases[i].dimension), graph.dims.size()),
                 "start", "small strong");
        y += row_height;
        for (const schedules::RoundSummary& round : phases[i].rounds) {
            const double own = width * round.own_blocks / most;
            const double forwarded = width * round.forwarded_blocks / most;
            svg.text(label - 8, y + 13, (round.shift > 0 ? "+" : "") + std::to_string(round.shift), "end", "small");
            svg.rectangle(label, y + 2, own, 14, "own", std::to_string(round.own_blocks) + " own blocks");
            svg.rectangle(label + own, y + 2, forwarded, 14, "forwarded",
                          std::to_string(round.forwarded_blocks) + " blocks in transit");
            svg.text(label + own + forwarded + 6, y + 13, std::to_string(round.own_blocks + round.forwarded_blocks),
                     "start", "small");
            y += row_height;
        }
    }
    svg.rectangle(label, y + 9, 10, 10, "own");
    svg.text(label + 15, y + 18, "own blocks", "start", "small");
    svg.rectangle(label + 96, y + 9, 10, 10, "forwarded");
    svg.text(label + 111, y + 18, "blocks in transit", "start", "small");
    return svg.element("messages of one process, phase by phase");
}

} // namespace hopscotch::shim
