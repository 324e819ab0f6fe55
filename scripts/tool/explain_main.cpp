// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// hopscotch-explain: the parts of the hopscotch tool that must say what the library says, without MPI.
//
//   hopscotch-explain schedule DIMS STENCIL [--rank N] [--json]
//   hopscotch-explain selection DIMS STENCIL [--nodes N] [--collective NAME] [--sizes LIST]
//   hopscotch-explain mapping DIMS STENCIL [--nodes N] [--per-node LIST]
//   hopscotch-explain report FILE text|html|json [OUTPUT]
//   hopscotch-explain settings
//   hopscotch-explain --version
#include "schedules/plan/round_summary.hpp"
#include "scripts/tool/explain.hpp"
#include "scripts/tool/explain_mapping.hpp"
#include "scripts/tool/explain_selection.hpp"
#include "shim/base/harmless.hpp"
#include "shim/base/settings.hpp"
#include "shim/report/report.hpp"
#include "shim/report/report_file.hpp"

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

using namespace hopscotch;

namespace
{

using Json = nlohmann::ordered_json;

constexpr int wrong_usage = 2;
constexpr int most_processes = 1 << 24;

schedules::Topology parse_topology(const std::string& text)
{
    const std::optional<shim::ProcessGrid> grid = shim::parse_grid(text);
    if (!grid.has_value())
        throw std::invalid_argument("'" + text + "' is no process grid; one is 4x4x2 or, with periodic " +
                                    "dimensions, 4px4px2");
    const schedules::Topology topology(grid->dims, grid->periodic);
    if (topology.size() > most_processes)
        throw std::invalid_argument("more than " + std::to_string(most_processes) + " processes");
    return topology;
}

int schedule(const std::vector<std::string>& arguments)
{
    const schedules::Topology topology = parse_topology(arguments.at(0));
    const schedules::Stencil stencil = tool::parse_stencil(arguments.at(1), topology.dimensions());
    int rank = schedules::middle(topology);
    bool json = false;
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        if (arguments[i] == "--json")
            json = true;
        else if (arguments[i] == "--rank" && i + 1 < arguments.size())
            rank = std::stoi(arguments[++i]);
        else
            throw std::invalid_argument("unknown option " + arguments[i]);
    }
    if (rank < 0 || rank >= topology.size())
        throw std::invalid_argument("there is no process " + std::to_string(rank));
    std::cout << (json ? tool::explain_json(topology, stencil, rank) : tool::explain_text(topology, stencil, rank));
    return 0;
}

int selection(const std::vector<std::string>& arguments)
{
    const shim::ParsedSettings parsed = shim::parse_settings(shim::hopscotch_environment());
    if (!parsed.errors.empty())
        throw std::invalid_argument(parsed.errors.front());
    const schedules::Topology grid = parse_topology(arguments.at(0));
    tool::SelectionRequest request{grid, tool::parse_stencil(arguments.at(1), grid.dimensions()), 1, parsed.settings};
    for (std::size_t i = 2; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size())
            throw std::invalid_argument(arguments[i] + " needs a value");
        const std::string& value = arguments[i + 1];
        if (arguments[i] == "--nodes")
            request.nodes = tool::parse_int(value);
        else if (arguments[i] == "--collective")
            request.collective = tool::parse_collective(value);
        else if (arguments[i] == "--sizes")
            request.sizes = tool::parse_sizes(value);
        else
            throw std::invalid_argument("unknown option " + arguments[i]);
    }
    std::cout << tool::selection_text(request);
    return 0;
}

int mapping(const std::vector<std::string>& arguments)
{
    const schedules::Topology grid = parse_topology(arguments.at(0));
    tool::MappingRequest request{grid, tool::parse_stencil(arguments.at(1), grid.dimensions())};
    for (std::size_t i = 2; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size())
            throw std::invalid_argument(arguments[i] + " needs a value");
        const std::string& value = arguments[i + 1];
        if (arguments[i] == "--per-node")
            request.per_node = tool::parse_per_node(value);
        else if (arguments[i] != "--nodes")
            throw std::invalid_argument("unknown option " + arguments[i]);
        else if (request.nodes = tool::parse_int(value); request.nodes < 1)
            throw std::invalid_argument("there cannot be " + value + " nodes");
    }
    std::cout << tool::mapping_json(request);
    return 0;
}

std::string text_of_file(const std::string& name)
{
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw std::invalid_argument(name + ": " + std::generic_category().message(errno));
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

/// The page holds the document as it is, and so all that another version has written.
std::string shown(const std::string& document, const std::string& format)
{
    const shim::Report read = shim::read_report(document);
    return format == "html"   ? shim::page(document, shim::text_report(read))
           : format == "json" ? shim::json_report(read)
                              : shim::text_report(read);
}

int report(const std::vector<std::string>& arguments)
{
    const std::string document = text_of_file(arguments.at(0));
    std::string text;
    try {
        text = shown(document, arguments.at(1));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(arguments[0] + ": " + error.what());
    }
    if (arguments.size() == 2) {
        std::cout << text;
        return 0;
    }
    const std::string problem = shim::write_report_file(arguments[2], text);
    if (!problem.empty())
        std::cerr << "hopscotch: " << shim::harmless(arguments[2] + ": " + problem) << "\n";
    return problem.empty() ? 0 : 1;
}

int settings()
{
    const shim::ParsedSettings parsed = shim::parse_settings(shim::hopscotch_environment());
    Json changed = Json::object();
    for (const auto& [name, value] : shim::non_default(parsed.settings))
        changed[name] = value;
    Json algorithms = Json::array();
    for (std::size_t i = 0; i < schedules::algorithm_count; ++i)
        algorithms.push_back(name(static_cast<schedules::Algorithm>(i)));
    const Json json = {{"help", shim::settings_help()},
                       {"algorithms", algorithms},
                       {"changed", changed},
                       {"errors", parsed.errors},
                       {"warnings", parsed.warnings}};
    std::cout << json.dump(2, ' ', true, Json::error_handler_t::replace) << "\n";
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const std::vector<std::string> all(argv + 1, argv + argc);
        const std::vector<std::string> rest(all.begin() + (all.empty() ? 0 : 1), all.end());
        int status = wrong_usage;
        if (!all.empty() && all[0] == "schedule" && rest.size() >= 2)
            status = schedule(rest);
        else if (!all.empty() && all[0] == "selection" && rest.size() >= 2)
            status = selection(rest);
        else if (!all.empty() && all[0] == "mapping" && rest.size() >= 2)
            status = mapping(rest);
        else if (!all.empty() && all[0] == "report" && (rest.size() == 2 || rest.size() == 3))
            status = report(rest);
        else if (!all.empty() && all[0] == "settings")
            status = settings();
        else if (!all.empty() && all[0] == "--version") {
            std::cout << HOPSCOTCH_VERSION "\n";
            status = 0;
        } else
            std::cerr << "usage: hopscotch-explain schedule DIMS STENCIL [--rank N] [--json] | selection DIMS STENCIL "
                         "[--nodes N] [--collective NAME] [--sizes LIST] | "
                         "mapping DIMS STENCIL [--nodes N] [--per-node LIST] | "
                         "report FILE text|html|json [OUTPUT] | settings | --version\n";
        return std::cout.flush() ? status : 1;
    } catch (const std::exception& error) {
        std::cerr << "hopscotch: " << shim::harmless(error.what()) << "\n";
        return wrong_usage;
    }
}
