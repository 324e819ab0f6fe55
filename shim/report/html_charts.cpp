// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Charts of the page: bars lie, so that their names can be read; the curve has logarithmic axes.
#include "shim/report/html_charts.hpp"

#include "schedules/cost.hpp"
#include "shim/report/svg.hpp"

#include <algorithm>
#include <cmath>

namespace hopscotch::shim
{

namespace
{

constexpr double label_width = 190;
constexpr double bar_width = 380;
constexpr double value_width = 230;
constexpr double chart_width = label_width + bar_width + value_width;

std::string without_prefix(const std::string& function)
{
    return function.rfind("MPI_", 0) == 0 ? function.substr(4) : function;
}

std::string shortened(const std::string& text, std::size_t most)
{
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string group_name(const GraphGroup& group)
{
    if (group.sum.key == 0)
        return "other communicators";
    const std::string kind = group.sum.stencil_name.empty() ? "" : ", " + group.sum.stencil_name;
    return shortened((group.ids.size() == 1 ? "graph " : "graphs ") + numbers(group) + kind, 27);
}

std::vector<const GraphGroup*> called(const std::vector<GraphGroup>& groups)
{
    std::vector<const GraphGroup*> chosen;
    for (const GraphGroup& group : groups)
        if (!group.sum.operations.empty() && chosen.size() < bars_shown)
            chosen.push_back(&group);
    return chosen;
}

struct Curve {
    double messages;
    double blocks;

    double seconds(double bytes) const
    {
        return schedules::predicted_seconds(static_cast<int>(messages), blocks, bytes, schedules::assumed_cost);
    }
};

/// Offsets that are not zero; without the offsets themselves, all.
int direct_messages(const GraphDescription& graph)
{
    if (graph.offsets.empty() || graph.dims.empty())
        return graph.stencil_neighbors;
    return schedules::direct_volume(schedules::Stencil(static_cast<int>(graph.dims.size()), graph.offsets));
}

} // namespace

std::string numbers(const GraphGroup& group)
{
    std::string text;
    for (std::size_t i = 0; i < group.ids.size(); ++i) {
        if (i == 5 && group.ids.size() > 6)
            return text + " ... " + std::to_string(group.ids.back());
        text += (i == 0 ? "" : ", ") + std::to_string(group.ids[i]);
    }
    return text;
}

std::string time_chart(const std::vector<GraphGroup>& groups)
{
    const std::vector<const GraphGroup*> chosen = called(groups);
    double most = 0.0;
    for (const GraphGroup* group : chosen)
        most = std::max(most, group->seconds());
    if (most <= 0.0)
        return "";
    constexpr double row = 26;
    Svg svg(chart_width, row * static_cast<double>(chosen.size()) + 4);
    double y = 2;
    for (const GraphGroup* group : chosen) {
        svg.text(label_width - 10, y + 15, group_name(*group), "end", "small");
        double x = label_width;
        for (const bool native : {false, true}) {
            double seconds = 0.0;
            for (const auto& [key, operation] : group->sum.operations)
                seconds += (key.algorithm == "native") == native ? operation.seconds.total() : 0.0;
            svg.rectangle(x, y + 3, bar_width * seconds / most, 16, native ? "trivial" : "sent",
                          duration_text(seconds) + (native ? " in native calls" : " in accelerated calls"));
            x += bar_width * seconds / most;
        }
        svg.text(x + 8, y + 15, duration_text(group->seconds()), "start", "small");
        y += row;
    }
    return svg.element("time in calls by graph");
}

std::string message_chart(const std::vector<GraphGroup>& groups)
{
    const std::vector<const GraphGroup*> chosen = called(groups);
    const auto messages = [](const GraphGroup& group, bool trivial) {
        std::uint64_t sum = 0;
        for (const auto& [key, operation] : group.sum.operations)
            sum += trivial ? operation.messages_trivial : operation.messages;
        return sum;
    };
    std::uint64_t most = 0;
    for (const GraphGroup* group : chosen)
        most = std::max({most, messages(*group, false), messages(*group, true)});
    if (most == 0)
        return "";
    constexpr double row = 40;
    Svg svg(chart_width, row * static_cast<double>(chosen.size()) + 4);
    double y = 2;
    for (const GraphGroup* group : chosen) {
        svg.text(label_width - 10, y + 21, group_name(*group), "end", "small");
        for (const bool trivial : {false, true}) {
            const std::uint64_t number = messages(*group, trivial);
            const double width = bar_width * static_cast<double>(number) / static_cast<double>(most);
            const double top = y + (trivial ? 18 : 3);
            svg.rectangle(label_width, top, width, 13, trivial ? "trivial" : "sent");
            svg.text(label_width + width + 8, top + 11,
                     std::to_string(number) + (trivial ? ", one per neighbor" : " sent"), "start", "small");
        }
        y += row;
    }
    return svg.element("messages by graph");
}

std::string trials_chart(const GraphDescription& graph)
{
    double most = 0.0;
    std::size_t classes = 0;
    for (std::size_t i = 0; i < graph.trials.size(); ++i) {
        const TrialRecord& trial = graph.trials[i];
        most = std::max(most, trial.seconds);
        if (i == 0 || trial.function != graph.trials[i - 1].function ||
            trial.block_bytes_most != graph.trials[i - 1].block_bytes_most)
            ++classes;
    }
    if (most <= 0.0)
        return "";
    constexpr double row = 19;
    Svg svg(chart_width, row * static_cast<double>(graph.trials.size()) + 24 * static_cast<double>(classes) + 4);
    double y = 0;
    for (std::size_t i = 0; i < graph.trials.size(); ++i) {
        const TrialRecord& trial = graph.trials[i];
        if (i == 0 || trial.function != graph.trials[i - 1].function ||
            trial.block_bytes_most != graph.trials[i - 1].block_bytes_most) {
            svg.text(0, y + 18,
                     without_prefix(trial.function) +
                         (trial.block_bytes_most > 0 ? ", blocks up to " + bytes_text(trial.block_bytes_most) : ""),
                     "start", "small strong");
            y += 24;
        }
        const double width = bar_width * trial.seconds / most;
        svg.text(label_width - 10, y + 13, trial.algorithm, "end", "small");
        svg.rectangle(label_width, y + 2, width, 14, trial.chosen ? "sent" : "trivial");
        svg.text(label_width + width + 8, y + 13, duration_text(trial.seconds) + (trial.chosen ? ", chosen" : ""),
                 "start", "small");
        y += row;
    }
    return svg.element("times measured while choosing");
}

std::string cutoff_chart(const GraphDescription& graph)
{
    const int direct = direct_messages(graph);
    if (!graph.isomorphic || graph.rounds == 0 || graph.rounds >= direct) // else combining cannot pay
        return "";
    const Curve trivial{static_cast<double>(direct), static_cast<double>(direct)};
    const Curve combined{static_cast<double>(graph.rounds), static_cast<double>(graph.volume)};
    constexpr double left = 62;
    constexpr double top = 12;
    constexpr double width = 480;
    constexpr double height = 170;
    constexpr double decades = 7; // 1 byte to 10 MB
    const double low = std::log10(std::min(trivial.seconds(1), combined.seconds(1))) - 0.15;
    const double high = std::log10(std::max(trivial.seconds(1e7), combined.seconds(1e7))) + 0.15;
    const auto x_of = [&](double log_bytes) { return left + width * log_bytes / decades; };
    const auto y_of = [&](double seconds) { return top + height * (high - std::log10(seconds)) / (high - low); };
    Svg svg(left + width + 120, top + height + 58);
    for (int decade = 0; decade <= static_cast<int>(decades); ++decade) {
        static const char* const names[] = {"1 B", "10 B", "100 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB"};
        svg.line(x_of(decade), top, x_of(decade), top + height, "grid");
        svg.text(x_of(decade), top + height + 16, names[decade], "middle", "small");
    }
    for (int decade = static_cast<int>(std::ceil(low)); decade <= static_cast<int>(std::floor(high)); ++decade) {
        const double seconds = std::pow(10.0, decade);
        svg.line(left, y_of(seconds), left + width, y_of(seconds), "grid");
        svg.text(left - 6, y_of(seconds) + 4, duration_text(seconds), "end", "small");
    }
    std::vector<Svg::Point> lines[2];
    for (int step = 0; step <= 70; ++step) {
        const double log_bytes = decades * step / 70.0;
        const double bytes = std::pow(10.0, log_bytes);
        lines[0].emplace_back(x_of(log_bytes), y_of(trivial.seconds(bytes)));
        lines[1].emplace_back(x_of(log_bytes), y_of(combined.seconds(bytes)));
    }
    svg.polyline(lines[0], "curve one");
    svg.polyline(lines[1], "curve two");
    double gap = lines[0].back().second - lines[1].back().second;
    gap = std::abs(gap) < 14 ? (gap < 0 ? -7 : 7) - gap / 2 : 0; // so that the names do not cover each other
    svg.text(left + width + 8, lines[0].back().second + 4 + gap, "one per neighbor", "start", "small");
    svg.text(left + width + 8, lines[1].back().second + 4 - gap, "combining", "start", "small");
    svg.text(left + width / 2, top + height + 34, "size of a block", "middle", "small");
    std::string said = "Combining sends no more blocks than one message per neighbor does: it pays at every size.";
    if (graph.volume > direct) {
        const double cutoff = schedules::assumed_cost.alpha_seconds / schedules::assumed_cost.beta_seconds_per_byte *
                              (direct - graph.rounds) / (graph.volume - direct);
        const double x = x_of(std::min(decades, std::max(0.0, std::log10(cutoff))));
        svg.line(x, top, x, top + height, "mark");
        svg.text(x + 6, top + height - 8, bytes_text(static_cast<std::uint64_t>(cutoff)), "start", "small strong");
        said = "Predicted: combining pays for blocks up to " + bytes_text(static_cast<std::uint64_t>(cutoff)) + ".";
    }
    svg.text(0, top + height + 54, said, "start", "small");
    return svg.element("predicted time of an alltoall over the size of a block");
}

} // namespace hopscotch::shim
