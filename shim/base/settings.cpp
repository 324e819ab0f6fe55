// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The table is `variables`; everything else walks it.
#include "shim/base/settings.hpp"

#include "shim/base/destination.hpp"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdint>
#include <stdexcept>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string trimmed(std::string_view text)
{
    const char* const blanks = " \t";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return "";
    return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string_view::npos; begin = end + 1) {
        end = text.find(separator, begin);
        parts.push_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    }
    return parts;
}

// ---- kinds of values: each pair reads a text, false if it is not allowed, and writes what it reads

template <typename Enum>
struct Word {
    const char* text;
    Enum value;
};

constexpr Word<bool> switches[] = {{"on", true},   {"off", false}, {"1", true},      {"0", false},
                                   {"true", true}, {"yes", true},  {"false", false}, {"no", false}};
constexpr Word<Semantics> semantics_words[] = {{"mpi", Semantics::mpi}, {"orthogonal", Semantics::orthogonal}};
constexpr Word<ParallelEdges> parallel_edges_words[] = {{"library", ParallelEdges::library},
                                                        {"standard", ParallelEdges::standard}};
constexpr Word<Yield> yield_words[] = {{"auto", Yield::automatic}, {"always", Yield::always}, {"never", Yield::never}};
constexpr Word<Callsites> callsites_words[] = {
    {"graph", Callsites::graph}, {"off", Callsites::off}, {"call", Callsites::call}};
constexpr Word<LogLevel> log_words[] = {
    {"warn", LogLevel::warn}, {"error", LogLevel::error}, {"info", LogLevel::info}, {"debug", LogLevel::debug}};

template <typename Enum, std::size_t n>
bool read_word(const Word<Enum> (&words)[n], std::string_view text, Enum& value)
{
    const std::string wanted = lower(text);
    for (const Word<Enum>& word : words) {
        if (wanted == word.text) {
            value = word.value;
            return true;
        }
    }
    return false;
}

template <typename Enum, std::size_t n>
const char* write_word(const Word<Enum> (&words)[n], Enum value) noexcept
{
    for (const Word<Enum>& word : words) {
        if (word.value == value)
            return word.text;
    }
    return "";
}

/// The value of Enum, one of so many, that has this name.
template <typename Enum>
bool read_name(std::size_t count, std::string_view text, Enum& value)
{
    const std::string wanted = lower(text);
    for (std::size_t i = 0; i < count; ++i) {
        if (wanted == name(static_cast<Enum>(i))) {
            value = static_cast<Enum>(i);
            return true;
        }
    }
    return false;
}

bool read_algorithm(std::string_view text, Algorithm& algorithm)
{
    return read_name(schedules::algorithm_count, text, algorithm);
}

bool read_collective(const std::string& text, Collective& collective)
{
    std::string kind = lower(text);
    for (const char* const prefix : {"mpi_", "neighbor_"}) {
        if (kind.rfind(prefix, 0) == 0)
            kind.erase(0, std::string_view(prefix).size());
    }
    return read_name(collective_count, kind, collective);
}

/// One name for all operations, or a list "alltoallv=combining,allgather=trivial"; those not in the list stay
/// automatic.
bool read_algorithms(std::string_view text, Settings& settings)
{
    Algorithms algorithms{};
    Algorithm algorithm{};
    if (text.find('=') == std::string_view::npos) {
        if (!read_algorithm(text, algorithm))
            return false;
        algorithms.fill(algorithm);
    } else {
        std::array<bool, collective_count> given{};
        for (const std::string& item : split(text, ',')) {
            const std::vector<std::string> sides = split(item, '=');
            Collective collective{};
            if (sides.size() != 2 || !read_collective(sides[0], collective) || !read_algorithm(sides[1], algorithm))
                return false;
            const auto i = static_cast<std::size_t>(collective);
            if (given[i] && algorithms[i] != algorithm)
                return false;
            given[i] = true;
            algorithms[i] = algorithm;
        }
    }
    settings.algorithms = algorithms;
    return true;
}

std::string write_algorithms(const Settings& settings)
{
    const Algorithm first = settings.algorithms[0];
    if (std::all_of(settings.algorithms.begin(), settings.algorithms.end(),
                    [first](Algorithm algorithm) { return algorithm == first; }))
        return name(first);
    std::string list;
    for (std::size_t i = 0; i < collective_count; ++i) {
        if (settings.algorithms[i] != Algorithm::automatic)
            list += std::string(list.empty() ? "" : ",") + name(static_cast<Collective>(i)) + "=" +
                    name(settings.algorithms[i]);
    }
    return list;
}

bool read_number(std::string_view digits, std::size_t& number)
{
    if (digits.empty())
        return false;
    number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9')
            return false;
        const auto digit = static_cast<std::size_t>(c - '0');
        if (number > (SIZE_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    return true;
}

bool read_cutoff(std::string_view text, Settings& settings)
{
    if (lower(text) == "auto") {
        settings.cutoff_bytes.reset();
        return true;
    }
    std::size_t unit = 1;
    const char last = text.empty() ? '\0' : text.back();
    if (last == 'k' || last == 'K')
        unit = 1024;
    if (last == 'm' || last == 'M')
        unit = 1024 * 1024;
    if (unit != 1)
        text.remove_suffix(1);
    std::size_t number = 0;
    if (!read_number(text, number) || number > SIZE_MAX / unit)
        return false;
    settings.cutoff_bytes = number * unit;
    return true;
}

std::string write_cutoff(const Settings& settings)
{
    if (!settings.cutoff_bytes)
        return "auto";
    const std::size_t bytes = *settings.cutoff_bytes;
    if (bytes != 0 && bytes % (1024 * 1024) == 0)
        return std::to_string(bytes / (1024 * 1024)) + "M";
    if (bytes != 0 && bytes % 1024 == 0)
        return std::to_string(bytes / 1024) + "K";
    return std::to_string(bytes);
}

bool read_grid(std::string_view text, Settings& settings)
{
    if (text.empty()) {
        settings.grid.reset();
        return true;
    }
    const std::optional<ProcessGrid> grid = parse_grid(text);
    if (grid)
        settings.grid = grid;
    return grid.has_value();
}

bool read_report(std::string_view text, Settings& settings)
{
    std::string destinations;
    const std::vector<std::string> items = split(text, ',');
    for (const std::string& item : items) {
        const std::string word = lower(item);
        const bool file = format_of(word).has_value() && item.find('\n') == std::string::npos; // see canonical()
        if (word != "stderr" && !file && !(word == "off" && items.size() == 1))
            return false;
        destinations += (destinations.empty() ? "" : ",") + (file ? item : word);
    }
    settings.report = destinations;
    return true;
}

// ---- the table

struct Variable {
    const char* name;
    const char* initial; // the default, as written
    const char* allowed;
    const char* help;
    bool (*read)(std::string_view text, Settings& settings); // false, and settings unchanged: text is not allowed
    std::string (*write)(const Settings& settings);
};

const char* const on_or_off = "on or off (or 1, 0, true, false, yes, no)";

const Variable variables[] = {
    {"HOPSCOTCH", "on", on_or_off, "off: every call passes straight through to the MPI library.",
     [](std::string_view text, Settings& s) { return read_word(switches, text, s.enabled); },
     [](const Settings& s) -> std::string { return write_word(switches, s.enabled); }},
    {"HOPSCOTCH_ALGORITHM", "auto",
     "auto, native, trivial, merged, combining, shared or aggregated; or a list like "
     "alltoallv=combining,allgather=trivial "
     "of alltoall, alltoallv, alltoallw, allgather, allgatherv and global_allgather (MPI_Allgather)",
     "How neighborhood collectives are carried, all of them or each operation by itself.", read_algorithms,
     write_algorithms},
    {"HOPSCOTCH_CUTOFF", "auto", "auto, or a number of bytes such as 8192, 8K or 1M",
     "A block larger than this travels directly to its neighbor instead of sharing messages.", read_cutoff,
     write_cutoff},
    {"HOPSCOTCH_DIMS", "", "sizes like 4x4x2, a p behind every periodic dimension: 4px4x2p",
     "Process grid of graph communicators, for when it cannot be inferred.", read_grid,
     [](const Settings& s) { return s.grid ? to_string(*s.grid) : std::string(); }},
    {"HOPSCOTCH_INFER", "on", on_or_off, "Infer process grids for graphs without a Cartesian parent.",
     [](std::string_view text, Settings& s) { return read_word(switches, text, s.infer); },
     [](const Settings& s) -> std::string { return write_word(switches, s.infer); }},
    {"HOPSCOTCH_SEMANTICS", "mpi", "mpi or orthogonal",
     "Meaning of MPI_Allgather, MPI_Alltoall and their like on graph communicators: all processes, or the neighbors.",
     [](std::string_view text, Settings& s) { return read_word(semantics_words, text, s.semantics); },
     [](const Settings& s) -> std::string { return write_word(semantics_words, s.semantics); }},
    {"HOPSCOTCH_PARALLEL_EDGES", "library", "library or standard",
     "Which of several edges between two processes match: as in the MPI library, or as MPI 4.1 section 8.6 says.",
     [](std::string_view text, Settings& s) { return read_word(parallel_edges_words, text, s.parallel_edges); },
     [](const Settings& s) -> std::string { return write_word(parallel_edges_words, s.parallel_edges); }},
    {"HOPSCOTCH_YIELD", "auto", "auto, always or never",
     "Whether a waiting process gives its core away; auto: when processes, or their waiting threads, outnumber cores.",
     [](std::string_view text, Settings& s) { return read_word(yield_words, text, s.yield); },
     [](const Settings& s) -> std::string { return write_word(yield_words, s.yield); }},
    {"HOPSCOTCH_REPORT", "stderr",
     "stderr, off, or a file name ending in .txt, .json or .html; several separated by commas",
     "Where the end-of-run report goes; in a file name %p is the process id, %h the host, %j the job.", read_report,
     [](const Settings& s) { return s.report; }},
    {"HOPSCOTCH_VERIFY", "off", on_or_off,
     "Run every call natively too and compare; the first difference is reported and ends the job.",
     [](std::string_view text, Settings& s) { return read_word(switches, text, s.verify); },
     [](const Settings& s) -> std::string { return write_word(switches, s.verify); }},
    {"HOPSCOTCH_CALLSITES", "graph", "graph, off or call",
     "Where stack traces are taken: when a graph is created, never, or at each call too.",
     [](std::string_view text, Settings& s) { return read_word(callsites_words, text, s.callsites); },
     [](const Settings& s) -> std::string { return write_word(callsites_words, s.callsites); }},
    {"HOPSCOTCH_LOG", "warn", "warn, error, info or debug", "Which lines are written to stderr while the program runs.",
     [](std::string_view text, Settings& s) { return read_word(log_words, text, s.log_level); },
     [](const Settings& s) -> std::string { return write_word(log_words, s.log_level); }},
};

const Variable* find_variable(const std::string& name)
{
    for (const Variable& variable : variables) {
        if (name == variable.name)
            return &variable;
    }
    return nullptr;
}

/// Number of insertions, deletions, replacements and swaps of adjacent characters that lead from one text to the other.
std::size_t edit_distance(const std::string& from, const std::string& to)
{
    std::vector<std::vector<std::size_t>> distance(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) {
        for (std::size_t j = 0; j <= to.size(); ++j) {
            if (i == 0 || j == 0) {
                distance[i][j] = i + j;
                continue;
            }
            const bool same = from[i - 1] == to[j - 1];
            distance[i][j] =
                std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + (same ? 0u : 1u)});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[from.size()][to.size()];
}

std::string nearest_name(const std::string& name)
{
    std::string upper = name;
    for (char& c : upper)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const Variable* nearest = nullptr;
    std::size_t least = SIZE_MAX;
    for (const Variable& variable : variables) {
        const std::size_t distance = edit_distance(upper, variable.name);
        if (distance < least) {
            least = distance;
            nearest = &variable;
        }
    }
    return nearest->name;
}

} // namespace

/// Variables the hopscotch command reads, not the library.
constexpr std::string_view of_the_tool[] = {"HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN"};

Environment hopscotch_environment()
{
    const std::string prefix = "HOPSCOTCH";
    Environment found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos && text.substr(0, prefix.size()) == prefix)
            found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return found;
}

ParsedSettings parse_settings(const Environment& environment)
{
    ParsedSettings parsed;
    std::vector<std::string> seen;
    for (const auto& [name, value] : environment) {
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
            continue;
        seen.push_back(name);
        const Variable* const variable = find_variable(name);
        if (variable == nullptr &&
            std::find(std::begin(of_the_tool), std::end(of_the_tool), name) != std::end(of_the_tool))
            continue;
        if (variable == nullptr) {
            parsed.warnings.push_back(name + " is no setting of Hopscotch and has no effect; did you mean " +
                                      nearest_name(name) + "?");
            continue;
        }
        const std::string text = trimmed(value);
        if (!text.empty() && !variable->read(text, parsed.settings))
            parsed.errors.push_back(name + "=" + value + " is not allowed; allowed: " + variable->allowed + ".");
    }
    return parsed;
}

std::string canonical(const Settings& settings)
{
    std::string text;
    for (const Variable& variable : variables)
        text += std::string(variable.name) + "=" + variable.write(settings) + "\n";
    return text;
}

Settings from_canonical(const std::string& text)
{
    Environment environment;
    for (const std::string& line : split(text, '\n')) {
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos)
            environment.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    Settings settings = parse_settings(environment).settings;
    if (canonical(settings) != text)
        throw std::invalid_argument("settings of another process are written otherwise: " + text);
    return settings;
}

std::string difference(const Settings& own, const Settings& others)
{
    const auto shown = [](const std::string& value) { return value.empty() ? "unset" : value; };
    std::string here;
    std::string there;
    for (const Variable& variable : variables) {
        const std::string value = variable.write(own);
        const std::string other = variable.write(others);
        if (value == other)
            continue;
        here += (here.empty() ? "" : " and ") + std::string(variable.name) + " is " + shown(value);
        there += (there.empty() ? "" : " and ") + shown(other);
    }
    return here.empty() ? "" : here + ", not " + there;
}

Environment non_default(const Settings& settings)
{
    Environment found;
    for (const Variable& variable : variables) {
        const std::string value = variable.write(settings);
        if (value != variable.initial)
            found.emplace_back(variable.name, value);
    }
    return found;
}

std::string settings_help()
{
    std::string text;
    for (const Variable& variable : variables) {
        text += std::string(variable.name) + "\n    " + variable.help + "\n    Values: " + variable.allowed +
                ".\n    Default: " + (*variable.initial == '\0' ? "unset" : variable.initial) + ".\n";
    }
    return text;
}

std::optional<Algorithms> parse_algorithms(std::string_view text)
{
    Settings settings;
    return read_algorithms(text, settings) ? std::optional(settings.algorithms) : std::nullopt;
}

std::optional<ProcessGrid> parse_grid(std::string_view text)
{
    ProcessGrid grid;
    std::size_t processes = 1;
    for (std::string size : split(lower(text), 'x')) {
        const bool periodic = !size.empty() && size.back() == 'p';
        if (periodic)
            size.pop_back();
        std::size_t number = 0;
        if (!read_number(size, number) || number == 0 || number > INT_MAX / processes)
            return std::nullopt;
        processes *= number;
        grid.dims.push_back(static_cast<int>(number));
        grid.periodic.push_back(periodic);
    }
    return grid;
}

std::string to_string(const ProcessGrid& grid)
{
    std::string text;
    for (std::size_t k = 0; k < grid.dims.size(); ++k) {
        text += (k == 0 ? "" : "x") + std::to_string(grid.dims[k]);
        if (k < grid.periodic.size() && grid.periodic[k])
            text += "p";
    }
    return text;
}

} // namespace hopscotch::shim
