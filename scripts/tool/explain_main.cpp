// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// hopscotch-explain: the parts of the hopscotch tool that must agree with the library, without MPI.
//
//   hopscotch-explain schedule DIMS STENCIL [--rank N] [--json]
//   hopscotch-explain bounds DIMS STENCIL
//   hopscotch-explain selection DIMS STENCIL [--nodes N] [--collective NAME] [--sizes LIST]
//   hopscotch-explain mapping DIMS STENCIL [--nodes N] [--per-node LIST]
//   hopscotch-explain report FILE text|html|json
//   hopscotch-explain settings
//   hopscotch-explain --version
#include "schedules/plan/round_summary.hpp"
#include "scripts/tool/explain.hpp"
#include "scripts/tool/explain_bounds.hpp"
#include "scripts/tool/explain_mapping.hpp"
#include "scripts/tool/explain_selection.hpp"
#include "shim/base/given_settings.hpp"
#include "shim/base/settings.hpp"
#include "shim/base/text.hpp"
#include "shim/report/report.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <getopt.h>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

using namespace hopscotch;

namespace
{

using Json = nlohmann::ordered_json;

constexpr int wrong_usage = 2; // see scripts/tool/hopscotch_tool/status.py
constexpr int cannot = 3;
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

using Options = std::map<std::string, std::string>;

/// The options behind the two arguments that name the topic, with their values. Throws: std::invalid_argument.
Options options_of(const std::vector<std::string>& arguments, const std::vector<std::pair<const char*, int>>& known)
{
    std::vector<option> options;
    for (const auto& [name, has_value] : known)
        options.push_back({name, has_value, nullptr, 0});
    options.push_back({});
    std::vector<char*> words;
    for (auto word = arguments.begin() + 1; word != arguments.end(); ++word)
        words.push_back(const_cast<char*>(word->c_str()));
    const int count = static_cast<int>(words.size());
    Options given;
    int place = 0;
    opterr = 0;
    for (int found; (found = getopt_long(count, words.data(), "+:", options.data(), &place)) != -1;) {
        const std::string word = words[static_cast<std::size_t>(optind) - 1];
        if (found == ':')
            throw std::invalid_argument(word + " needs a value");
        if (found == '?')
            throw std::invalid_argument("unknown option " + word);
        given[known[static_cast<std::size_t>(place)].first] = optarg != nullptr ? optarg : "";
    }
    if (optind < count)
        throw std::invalid_argument(std::string("unknown option ") + words[static_cast<std::size_t>(optind)]);
    return given;
}

int schedule(const std::vector<std::string>& arguments)
{
    const schedules::Topology topology = parse_topology(arguments.at(0));
    const schedules::Stencil stencil = tool::parse_stencil(arguments.at(1), topology.dimensions());
    const Options given = options_of(arguments, {{"rank", required_argument}, {"json", no_argument}});
    const int rank = given.count("rank") != 0 ? std::stoi(given.at("rank")) : schedules::middle(topology);
    if (rank < 0 || rank >= topology.size())
        throw std::invalid_argument("there is no process " + std::to_string(rank));
    std::cout << (given.count("json") != 0 ? tool::explain_json(topology, stencil, rank)
                                           : tool::explain_text(topology, stencil, rank));
    return 0;
}

int bounds(const std::vector<std::string>& arguments)
{
    const schedules::Topology topology = parse_topology(arguments.at(0));
    std::cout << tool::bounds_text(topology, tool::parse_stencil(arguments.at(1), topology.dimensions()));
    return 0;
}

int selection(const std::vector<std::string>& arguments)
{
    const shim::ParsedSettings parsed = shim::given_settings();
    if (!parsed.errors.empty())
        throw std::invalid_argument(parsed.errors.front());
    const schedules::Topology grid = parse_topology(arguments.at(0));
    tool::SelectionRequest request{grid, tool::parse_stencil(arguments.at(1), grid.dimensions()), 1, parsed.settings};
    for (const auto& [name, value] :
         options_of(arguments,
                    {{"nodes", required_argument}, {"collective", required_argument}, {"sizes", required_argument}})) {
        if (name == "nodes")
            request.nodes = tool::parse_int(value);
        else if (name == "collective")
            request.collective = tool::parse_collective(value);
        else
            request.sizes = tool::parse_sizes(value);
    }
    std::cout << tool::selection_text(request);
    return 0;
}

int mapping(const std::vector<std::string>& arguments)
{
    const schedules::Topology grid = parse_topology(arguments.at(0));
    tool::MappingRequest request{grid, tool::parse_stencil(arguments.at(1), grid.dimensions())};
    for (const auto& [name, value] :
         options_of(arguments, {{"nodes", required_argument}, {"per-node", required_argument}})) {
        if (name == "per-node")
            request.per_node = tool::parse_per_node(value);
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

/// The page holds the document as it is, and so all that another version has written; a version that wrote no texts for
/// people gets those of this one.
std::string shown(const std::string& document, const std::string& format)
{
    const shim::Report read = shim::read_report(document);
    const bool has_texts = Json::parse(document).contains("groups");
    return format == "html"   ? shim::page(has_texts ? document : shim::json_report(read), shim::text_report(read))
           : format == "json" ? shim::json_report(read)
                              : shim::text_report(read);
}

int report(const std::vector<std::string>& arguments)
{
    const std::string document = text_of_file(arguments.at(0));
    try {
        std::cout << shown(document, arguments.at(1));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(arguments[0] + ": " + error.what());
    }
    return 0;
}

/// Texts of the reasons that nobody needs to do something about.
Json reasons_without_remedy()
{
    static constexpr std::pair<const char*, const char*> reasons[] = {
#define REASON(name, text, meaning, remedy) {text, remedy},
#define REFUSAL(name, text, meaning, remedy)
#include "schedules/selection/reasons.def"
#undef REASON
#undef REFUSAL
    };
    Json texts = Json::array();
    for (const auto& [text, remedy] : reasons)
        if (std::string(remedy) == "nothing")
            texts.push_back(text);
    return texts;
}

int settings(const std::vector<std::string>&)
{
    const shim::ParsedSettings parsed = shim::given_settings();
    Json changed = Json::object();
    for (const auto& [name, value] : shim::non_default(parsed.settings))
        changed[name] = value;
    Json algorithms = Json::array();
    for (std::size_t i = 0; i < schedules::algorithm_count; ++i)
        algorithms.push_back(name(static_cast<schedules::Algorithm>(i)));
    Json help = Json::array();
    for (const shim::SettingHelp& entry : shim::settings_help())
        help.push_back(
            {{"name", entry.name}, {"meaning", entry.meaning}, {"values", entry.values}, {"default", entry.usual}});
    const Json json = {{"help", help},
                       {"algorithms", algorithms},
                       {"reasons_without_remedy", reasons_without_remedy()},
                       {"changed", changed},
                       {"file", shim::file_of_defaults()},
                       {"errors", parsed.errors},
                       {"warnings", parsed.warnings}};
    std::cout << json.dump(2, ' ', true, Json::error_handler_t::replace) << "\n";
    return 0;
}

int version(const std::vector<std::string>&)
{
    std::cout << HOPSCOTCH_VERSION "\n";
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    struct Command {
        const char* name;
        std::size_t least, most; // arguments
        int (*run)(const std::vector<std::string>&);
    };
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    static constexpr Command commands[] = {{"schedule", 2, any, schedule},   {"bounds", 2, 2, bounds},
                                           {"selection", 2, any, selection}, {"mapping", 2, any, mapping},
                                           {"report", 2, 2, report},         {"settings", 0, any, settings},
                                           {"--version", 0, any, version}};
    try {
        const std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
        for (const Command& command : commands)
            if (argc > 1 && std::string(argv[1]) == command.name && arguments.size() >= command.least &&
                arguments.size() <= command.most) {
                const int status = command.run(arguments);
                if (std::cout.flush())
                    return status;
                std::cerr << "hopscotch: standard output cannot be written\n";
                return cannot;
            }
        std::cerr << "usage: hopscotch-explain schedule DIMS STENCIL [--rank N] [--json] | bounds DIMS STENCIL | "
                     "selection DIMS STENCIL "
                     "[--nodes N] [--collective NAME] [--sizes LIST] | "
                     "mapping DIMS STENCIL [--nodes N] [--per-node LIST] | "
                     "report FILE text|html|json | settings | --version\n";
        return wrong_usage;
    } catch (const std::exception& error) {
        std::cerr << "hopscotch: " << shim::harmless(error.what()) << "\n";
        return wrong_usage;
    }
}
