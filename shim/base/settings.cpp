// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes the settings of settings.def.
#include "shim/base/settings.hpp"

#include "schedules/plan/routing.hpp"
#include "shim/base/destination.hpp"
#include "shim/base/text.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

const Words<bool>& switches()
{
    static const auto& words = *new Words<bool>{{"on", true},   {"off", false}, {"1", true},      {"0", false},
                                                {"true", true}, {"yes", true},  {"false", false}, {"no", false}};
    return words;
}

/// The names of the first `count` values of an enum.
template <typename Enum>
Words<Enum> names(std::size_t count)
{
    Words<Enum> words;
    for (std::size_t i = 0; i < count; ++i)
        words.emplace_back(name(static_cast<Enum>(i)), static_cast<Enum>(i));
    return words;
}

std::optional<Algorithm> parse_algorithm(const std::string& text)
{
    return value_of(names<Algorithm>(schedules::algorithm_count), text);
}

std::optional<Collective> parse_collective(const std::string& text)
{
    std::string kind = lower(text);
    for (const char* const prefix : {"mpi_", "neighbor_"})
        if (kind.rfind(prefix, 0) == 0)
            kind.erase(0, std::string_view(prefix).size());
    return value_of(names<Collective>(collective_count), kind);
}

std::string to_string(const Algorithms& algorithms)
{
    if (std::count(algorithms.begin(), algorithms.end(), algorithms[0]) == collective_count)
        return name(algorithms[0]);
    std::string list;
    for (std::size_t i = 0; i < collective_count; ++i)
        if (algorithms[i] != Algorithm::automatic)
            list += std::string(list.empty() ? "" : ",") + name(static_cast<Collective>(i)) + "=" + name(algorithms[i]);
    return list;
}

/// Destinations of reports, words in lower case.
std::optional<std::string> parse_report(const std::string& text)
{
    std::string destinations;
    const std::vector<std::string> items = split(text, ',');
    for (const std::string& item : items) {
        const std::string word = lower(item);
        const bool is_file = format_of(word).has_value() && unknown_token(item).empty();
        if (word != "stderr" && !is_file && !(word == "off" && items.size() == 1))
            return std::nullopt;
        destinations += (destinations.empty() ? "" : ",") + (is_file ? item : word);
    }
    return destinations;
}

// ---- reading and writing the text of a setting

struct FieldForm {
    std::string allowed;
    /// Throws: std::bad_optional_access, with settings unchanged, if the text is not allowed.
    std::function<void(const std::string& text, Settings& settings)> read;
    std::function<std::string(const Settings& settings)> write;
};

template <typename Value>
FieldForm word_of(Value Settings::*member, const Words<Value>& words, const std::string& allowed)
{
    return {allowed, [=](const std::string& text, Settings& s) { s.*member = value_of(words, text).value(); },
            [=](const Settings& s) {
                const auto is_it = [&](const auto& word) { return word.second == s.*member; };
                return std::find_if(words.begin(), words.end(), is_it)->first;
            }};
}

template <typename Value>
FieldForm choice(Value Settings::*member, const Words<Value>& words)
{
    return word_of(member, words, one_of(words));
}

FieldForm on_or_off(bool Settings::*member)
{
    return word_of(member, switches(), "on or off (or 1, 0, true, false, yes, no)");
}

/// A number from `least` to `most`, or a word that stands for none.
FieldForm number(std::optional<std::size_t> Settings::*member, const char* none, std::size_t least, std::size_t most,
                 const char* allowed)
{
    return {allowed,
            [=](const std::string& text, Settings& s) {
                if (lower(text) == none)
                    return (s.*member).reset();
                const std::size_t value = parse_bytes(text).value();
                if (value < least || value > most)
                    throw std::bad_optional_access();
                s.*member = value;
            },
            [=](const Settings& s) { return s.*member ? shortest_bytes(*(s.*member)) : none; }};
}

/// A number of bytes, or words for the usual one and for none.
FieldForm automatic_or_off(std::optional<std::size_t> Settings::*member)
{
    return {"auto, off, or a number of bytes such as 8192, 8K or 1M",
            [=](const std::string& text, Settings& s) {
                const std::string word = lower(text);
                if (word == "off")
                    return (s.*member).reset();
                s.*member = word == "auto" ? automatic_bytes : parse_bytes(text).value();
            },
            [=](const Settings& s) {
                const std::optional<std::size_t>& bytes = s.*member;
                return !bytes ? "off" : *bytes == automatic_bytes ? "auto" : shortest_bytes(*bytes);
            }};
}

FieldForm any_text(std::string Settings::*member, const char* allowed)
{
    return {allowed, [=](const std::string& text, Settings& s) { s.*member = text; },
            [=](const Settings& s) { return s.*member; }};
}

FieldForm ways_to_combine(std::string Settings::*member)
{
    return {"auto, paper, rounds or phases; or groups of dimensions, a number of phases behind a colon: 0+1/2:3",
            [=](const std::string& text, Settings& s) {
                const std::string word = lower(text);
                try {
                    const bool known = word == "auto" || word == "paper" || word == "rounds" || word == "phases";
                    s.*member = known ? word : to_string(schedules::parse_groups(word));
                } catch (const std::invalid_argument&) {
                    throw std::bad_optional_access();
                }
            },
            [=](const Settings& s) { return s.*member; }};
}

FieldForm destinations(std::string Settings::*member)
{
    return {"stderr, off, or a file name ending in .txt, .json or .html; several separated by commas",
            [=](const std::string& text, Settings& s) { s.*member = parse_report(text).value(); },
            [=](const Settings& s) { return s.*member; }};
}

FieldForm process_grid(std::optional<ProcessGrid> Settings::*member)
{
    return {"sizes like 4x4x2, a p behind every periodic dimension: 4px4x2p",
            [=](const std::string& text, Settings& s) { s.*member = parse_grid(text).value(); },
            [=](const Settings& s) { return s.*member ? to_string(*(s.*member)) : std::string(); }};
}

FieldForm by_operation(Algorithms Settings::*member)
{
    return {one_of(names<Algorithm>(schedules::algorithm_count)) +
                "; or a list like alltoallv=combining,allgather=trivial of alltoall, alltoallv, alltoallw, allgather, "
                "allgatherv and global_allgather (MPI_Allgather)",
            [=](const std::string& text, Settings& s) { s.*member = parse_algorithms(text).value(); },
            [=](const Settings& s) { return to_string(s.*member); }};
}

struct Variable {
    const char* name;
    const char* meaning;
    FieldForm form;
};

const std::vector<Variable>& variables()
{
    static const auto& table = *new std::vector<Variable>{
#define SETTING(name, values, meaning, type, member, initial, form) {name, meaning, form},
#include "shim/base/settings.def"
#undef SETTING
    };
    return table;
}

/// A question after the known name that is meant, if one is near: half of the letters behind the common prefix.
std::string nearest_name(const std::string& name)
{
    constexpr std::size_t prefix = sizeof "HOPSCOTCH_" - 1;
    const auto distance = [&name](const Variable& variable) {
        return edit_distance(lower(name), lower(variable.name));
    };
    const auto nearer = [&](const Variable& a, const Variable& b) { return distance(a) < distance(b); };
    const Variable& nearest = *std::min_element(variables().begin(), variables().end(), nearer);
    if (name.size() < prefix || 2 * distance(nearest) > name.size() - prefix)
        return "`hopscotch settings` lists them";
    return std::string("did you mean ") + nearest.name + "?";
}

std::string shown(const std::string& value)
{
    return value.empty() ? "unset" : value;
}

constexpr char settings_end = '\0'; // of each setting in canonical(): no environment holds this character

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
    std::set<std::string> seen{"HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN", "HOPSCOTCH_TOOL"}; // variables of the
                                                                                            // hopscotch command
    for (const auto& [name, value] : environment) {
        if (!seen.insert(name).second)
            continue;
        const auto is_named = [&wanted = name](const Variable& variable) { return variable.name == wanted; };
        const auto variable = std::find_if(variables().begin(), variables().end(), is_named);
        if (variable == variables().end()) {
            parsed.warnings.push_back(name + " is no setting of Hopscotch and has no effect; " + nearest_name(name));
            continue;
        }
        const std::string text = trimmed(value);
        try {
            if (!text.empty())
                variable->form.read(text, parsed.settings);
        } catch (const std::bad_optional_access&) {
            parsed.errors.push_back(name + "=" + value + " is not allowed; allowed: " + variable->form.allowed + ".");
        }
    }
    return parsed;
}

std::string canonical(const Settings& settings)
{
    std::string text;
    for (const Variable& variable : variables())
        text += std::string(variable.name) + "=" + variable.form.write(settings) + settings_end;
    return text;
}

Settings from_canonical(const std::string& text)
{
    Environment environment;
    for (const std::string& line : split(text, settings_end)) {
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
    std::string here;
    std::string there;
    for (const Variable& variable : variables()) {
        const std::string value = variable.form.write(own);
        const std::string other = variable.form.write(others);
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
    for (const Variable& variable : variables()) {
        const std::string value = variable.form.write(settings);
        if (value != variable.form.write(Settings{}))
            found.emplace_back(variable.name, value);
    }
    return found;
}

std::vector<SettingHelp> settings_help()
{
    std::vector<SettingHelp> entries;
    for (const Variable& variable : variables())
        entries.push_back(
            {variable.name, variable.meaning, variable.form.allowed, shown(variable.form.write(Settings{}))});
    return entries;
}

std::optional<bool> parse_switch(std::string_view text)
{
    return value_of(switches(), text);
}

std::optional<Algorithms> parse_algorithms(std::string_view text)
{
    Algorithms algorithms{};
    if (const std::optional<Algorithm> all = parse_algorithm(std::string(text))) {
        algorithms.fill(*all);
        return algorithms;
    }
    std::map<Collective, Algorithm> given;
    for (const std::string& item : split(text, ',')) {
        const std::vector<std::string> sides = split(item, '=');
        if (sides.size() != 2)
            return std::nullopt;
        const std::optional<Collective> collective = parse_collective(sides[0]);
        const std::optional<Algorithm> algorithm = parse_algorithm(sides[1]);
        if (!collective || !algorithm || given.emplace(*collective, *algorithm).first->second != *algorithm)
            return std::nullopt;
        algorithms[static_cast<std::size_t>(*collective)] = *algorithm;
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
        const std::optional<std::size_t> number = parse_number(size);
        if (!number || *number == 0 || *number > INT_MAX / processes)
            return std::nullopt;
        processes *= *number;
        grid.dims.push_back(static_cast<int>(*number));
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
