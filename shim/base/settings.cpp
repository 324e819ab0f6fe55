// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The table is `variables`; everything else walks it.
#include "shim/base/settings.hpp"

#include "shim/base/destination.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
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
constexpr Word<Reorder> reorder_words[] = {
    {"off", Reorder::off}, {"cart", Reorder::cart}, {"graph", Reorder::graph}, {"all", Reorder::all}};
constexpr Word<Yield> yield_words[] = {{"auto", Yield::automatic}, {"always", Yield::always}, {"never", Yield::never}};
constexpr Word<Callsites> callsites_words[] = {
    {"graph", Callsites::graph}, {"off", Callsites::off}, {"call", Callsites::call}};
constexpr Word<LogLevel> log_words[] = {
    {"warn", LogLevel::warn}, {"error", LogLevel::error}, {"info", LogLevel::info}, {"debug", LogLevel::debug}};

/// A setting that has one of these words.
template <auto member, const auto& words>
bool read_word(std::string_view text, Settings& settings)
{
    const std::string wanted = lower(text);
    for (const auto& word : words) {
        if (wanted == word.text) {
            settings.*member = word.value;
            return true;
        }
    }
    return false;
}

template <auto member, const auto& words>
std::string write_word(const Settings& settings)
{
    for (const auto& word : words) {
        if (word.value == settings.*member)
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

std::string write_algorithms(const Settings& settings)
{
    const Algorithm first = settings.algorithms[0];
    if (std::count(settings.algorithms.begin(), settings.algorithms.end(), first) == collective_count)
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
    const char* const end = digits.data() + digits.size();
    const std::from_chars_result read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end;
}

constexpr char automatic_bytes[] = "auto";
constexpr char off[] = "off";

/// A number of bytes, or a word that stands for none.
template <auto member, const auto& none>
bool read_bytes(std::string_view text, Settings& settings)
{
    if (lower(text) == none) {
        (settings.*member).reset();
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
    settings.*member = number * unit;
    return true;
}

template <auto member, const auto& none>
std::string write_bytes(const Settings& settings)
{
    if (!(settings.*member))
        return none;
    const std::size_t bytes = *(settings.*member);
    if (bytes != 0 && bytes % (1024 * 1024) == 0)
        return std::to_string(bytes / (1024 * 1024)) + "M";
    if (bytes != 0 && bytes % 1024 == 0)
        return std::to_string(bytes / 1024) + "K";
    return std::to_string(bytes);
}

bool read_trials(std::string_view text, Settings& settings)
{
    constexpr std::size_t fewest = 2; // the first is not measured
    constexpr std::size_t most = 1000;
    if (lower(text) == off) {
        settings.trial_calls.reset();
        return true;
    }
    std::size_t calls = 0;
    if (!read_number(text, calls) || calls < fewest || calls > most)
        return false;
    settings.trial_calls = calls;
    return true;
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

bool read_tuning(std::string_view text, Settings& settings)
{
    if (text.find('\n') != std::string_view::npos) // see canonical()
        return false;
    settings.tuning = text;
    return true;
}

template <typename Value, typename Stored>
bool store(const std::optional<Value>& value, Stored& stored)
{
    if (value)
        stored = *value;
    return value.has_value();
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
     read_word<&Settings::enabled, switches>, write_word<&Settings::enabled, switches>},
    {"HOPSCOTCH_ALGORITHM", "auto",
     "auto, native, trivial, merged, combining, shared or aggregated; or a list like "
     "alltoallv=combining,allgather=trivial "
     "of alltoall, alltoallv, alltoallw, allgather, allgatherv and global_allgather (MPI_Allgather)",
     "How neighborhood collectives are carried, all of them or each operation by itself.",
     [](std::string_view text, Settings& s) { return store(parse_algorithms(text), s.algorithms); }, write_algorithms},
    {"HOPSCOTCH_CUTOFF", "auto", "auto, or a number of bytes such as 8192, 8K or 1M",
     "A block larger than this travels directly to its neighbor instead of sharing messages.",
     read_bytes<&Settings::cutoff_bytes, automatic_bytes>, write_bytes<&Settings::cutoff_bytes, automatic_bytes>},
    {"HOPSCOTCH_TRIALS", "5", "off, or a number of calls from 2 to 1000",
     "How often auto tries each candidate before it keeps the fastest; off: it keeps what it predicts.", read_trials,
     [](const Settings& s) { return s.trial_calls ? std::to_string(*s.trial_calls) : std::string(off); }},
    {"HOPSCOTCH_BASELINE", "on", on_or_off,
     "Whether auto always tries the MPI library's function, so that the report can say what was saved.",
     read_word<&Settings::baseline, switches>, write_word<&Settings::baseline, switches>},
    {"HOPSCOTCH_TUNING", "", "a file name", "What trials of auto learn: read at the start, written at the end.",
     read_tuning, [](const Settings& s) { return s.tuning; }},
    {"HOPSCOTCH_DIMS", "", "sizes like 4x4x2, a p behind every periodic dimension: 4px4x2p",
     "Process grid of graph communicators, for when it cannot be inferred.",
     [](std::string_view text, Settings& s) { return store(parse_grid(text), s.grid); },
     [](const Settings& s) { return s.grid ? to_string(*s.grid) : std::string(); }},
    {"HOPSCOTCH_INFER", "on", on_or_off, "Infer process grids for graphs without a Cartesian parent.",
     read_word<&Settings::infer, switches>, write_word<&Settings::infer, switches>},
    {"HOPSCOTCH_SEMANTICS", "mpi", "mpi or orthogonal",
     "Meaning of MPI_Allgather, MPI_Alltoall and their like on graph communicators: all processes, or the neighbors.",
     read_word<&Settings::semantics, semantics_words>, write_word<&Settings::semantics, semantics_words>},
    {"HOPSCOTCH_PARALLEL_EDGES", "library", "library or standard",
     "Which of several edges between two processes match: as in the MPI library, or as MPI 4.1 section 8.6 says.",
     read_word<&Settings::parallel_edges, parallel_edges_words>,
     write_word<&Settings::parallel_edges, parallel_edges_words>},
    {"HOPSCOTCH_REORDER", "off", "off, cart, graph or all",
     "Ranks are given to processes so that less goes between nodes, in Cartesian communicators, in graphs or in all, "
     "where the program passes reorder = 1.",
     read_word<&Settings::reorder, reorder_words>, write_word<&Settings::reorder, reorder_words>},
    {"HOPSCOTCH_YIELD", "auto", "auto, always or never",
     "Whether a waiting process gives its core away; auto: when processes, or their waiting threads, outnumber cores.",
     read_word<&Settings::yield, yield_words>, write_word<&Settings::yield, yield_words>},
    {"HOPSCOTCH_ONE_COPY", "16K", "off, or a number of bytes such as 8192, 8K or 1M",
     "Blocks of so many bytes and more are copied once between processes of a node, where the system lets them read "
     "each other's memory.",
     read_bytes<&Settings::one_copy_bytes, off>, write_bytes<&Settings::one_copy_bytes, off>},
    {"HOPSCOTCH_PTRACER", "off", on_or_off,
     "on: processes let others read their memory also where the system grants that to ancestors only (Yama).",
     read_word<&Settings::ptracer, switches>, write_word<&Settings::ptracer, switches>},
    {"HOPSCOTCH_REPORT", "stderr",
     "stderr, off, or a file name ending in .txt, .json or .html; several separated by commas",
     "Where the end-of-run report goes; in a file name %p is the process id, %h the host, %j the job.", read_report,
     [](const Settings& s) { return s.report; }},
    {"HOPSCOTCH_VERIFY", "off", on_or_off,
     "Run every call natively too and compare; the first difference is reported and ends the job.",
     read_word<&Settings::verify, switches>, write_word<&Settings::verify, switches>},
    {"HOPSCOTCH_CALLSITES", "graph", "graph, off or call",
     "Where stack traces are taken: when a graph is created, never, or at each call too.",
     read_word<&Settings::callsites, callsites_words>, write_word<&Settings::callsites, callsites_words>},
    {"HOPSCOTCH_LOG", "warn", "warn, error, info or debug", "Which lines are written to stderr while the program runs.",
     read_word<&Settings::log_level, log_words>, write_word<&Settings::log_level, log_words>},
};

const Variable* find_variable(const std::string& name)
{
    for (const Variable& variable : variables) {
        if (name == variable.name)
            return &variable;
    }
    return nullptr;
}

/// Number of insertions, deletions and replacements that lead from one text to the other.
std::size_t edit_distance(const std::string& from, const std::string& to)
{
    std::vector<std::size_t> row(to.size() + 1); // distances of the part of `from` so far to all beginnings of `to`
    std::iota(row.begin(), row.end(), 0);
    for (const char c : from) {
        std::size_t before = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = before + (c == to[j] ? 0 : 1);
            before = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, before + 1, replaced});
        }
    }
    return row.back();
}

std::string nearest_name(const std::string& name)
{
    const auto distance = [&name](const Variable& variable) {
        return edit_distance(lower(name), lower(variable.name));
    };
    return std::min_element(std::begin(variables), std::end(variables),
                            [&](const Variable& a, const Variable& b) { return distance(a) < distance(b); })
        ->name;
}

} // namespace

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
    std::set<std::string> seen{"HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN"}; // by the hopscotch command, not the library
    for (const auto& [name, value] : environment) {
        if (!seen.insert(name).second)
            continue;
        const Variable* const variable = find_variable(name);
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

std::optional<bool> parse_switch(std::string_view text)
{
    const std::string wanted = lower(text);
    for (const auto& word : switches)
        if (wanted == word.text)
            return word.value;
    return std::nullopt;
}

std::optional<Algorithms> parse_algorithms(std::string_view text)
{
    Algorithms algorithms{};
    Algorithm algorithm{};
    if (read_algorithm(text, algorithm)) {
        algorithms.fill(algorithm);
        return algorithms;
    }
    std::map<Collective, Algorithm> given;
    for (const std::string& item : split(text, ',')) {
        const std::vector<std::string> sides = split(item, '=');
        Collective collective{};
        if (sides.size() != 2 || !read_collective(sides[0], collective) || !read_algorithm(sides[1], algorithm))
            return std::nullopt;
        if (given.emplace(collective, algorithm).first->second != algorithm)
            return std::nullopt;
        algorithms[static_cast<std::size_t>(collective)] = algorithm;
    }
    return algorithms;
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
