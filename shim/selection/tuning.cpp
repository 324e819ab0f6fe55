// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/tuning.hpp"

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using namespace schedules;

namespace
{

using Json = nlohmann::json;

constexpr const char mark[] = "hopscotch_tuning";
constexpr int form = 1;
constexpr int most_depth = 16; // Json copies and writes by recursion
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// null if there is no limit.
Json number(std::size_t value)
{
    return value == unlimited ? Json() : Json(value);
}

std::size_t number(const Json& value)
{
    return value.is_null() ? unlimited : value.get<std::size_t>();
}

template <typename Enum>
Enum named(std::size_t count, const Json& value)
{
    for (std::size_t i = 0; i < count; ++i)
        if (value == name(static_cast<Enum>(i)))
            return static_cast<Enum>(i);
    throw std::invalid_argument("it names " + value.dump() + ", which is not known");
}

Json written(std::uint64_t shape, const TrialKey& key, const TrialOfCall& trial, const TuningGround& ground)
{
    Json candidates = Json::array();
    for (const Trial::Candidate& candidate : trial.trial.candidates())
        candidates.push_back({{"algorithm", name(candidate.choice.algorithm)},
                              {"groups", to_string(candidate.choice.groups)},
                              {"cutoff_bytes", number(candidate.choice.cutoff_bytes)},
                              {"time_s", candidate.seconds}});
    Json entry = {
        {"library", ground.library},           {"machine", ground.machine},     {"shape", shape},
        {"collective", name(key.collective)},  {"function", trial.function},    {"block_bytes_most", number(key.high)},
        {"candidates", std::move(candidates)}, {"chosen", trial.trial.winner()}};
    if (trial.others_share >= 0.0)
        entry["others_share"] = trial.others_share;
    return entry;
}

void recall(const Json& entry, LearnedTrials& learned)
{
    const TrialKey key{named<Collective>(collective_count, entry.at("collective")), Completion::blocking,
                       number(entry.at("block_bytes_most"))};
    std::vector<Choice> choices;
    std::vector<double> seconds;
    for (const Json& candidate : entry.at("candidates")) {
        Choice choice{named<Algorithm>(algorithm_count, candidate.at("algorithm")), {}};
        choice.cutoff_bytes = number(candidate.at("cutoff_bytes"));
        if (const std::string groups = candidate.value("groups", std::string()); !groups.empty())
            choice.groups = parse_groups(groups);
        choices.push_back(std::move(choice));
        seconds.push_back(candidate.at("time_s"));
    }
    const std::size_t chosen = entry.at("chosen");
    if (chosen >= choices.size())
        throw std::invalid_argument("it has chosen what it has not tried");
    learned.learn(entry.at("shape"), key,
                  {entry.at("function").get<std::string>(), Trial(std::move(choices), seconds, chosen), 0,
                   entry.value("others_share", -1.0)});
}

/// The list of trials in the text of a tuning file; empty without a text. Throws: std::invalid_argument.
Json read(const std::string& file)
{
    if (file.empty())
        return Json::array();
    const auto check_depth = [](int depth, Json::parse_event_t, const Json&) {
        if (depth > most_depth)
            throw std::invalid_argument("it is no tuning file: it is nested too deeply");
        return true;
    };
    const Json all = Json::parse(file, check_depth, false);
    if (!all.is_object() || all.value(mark, Json()) != form || !all.value("trials", Json()).is_array())
        throw std::invalid_argument("it is no tuning file of this version");
    return all["trials"];
}

bool fits(const Json& entry, const TuningGround& ground)
{
    return entry.is_object() && entry.value("library", Json()) == ground.library &&
           entry.value("machine", Json()) == ground.machine;
}

/// A later trial replaces an earlier one of the same kind.
Json kind_of(const Json& entry)
{
    Json kind = Json::array();
    if (entry.is_object())
        for (const char* const member : {"library", "machine", "shape", "collective", "block_bytes_most"})
            kind.push_back(entry.value(member, Json()));
    return kind;
}

} // namespace

std::string fitting_trials(const std::string& file, const TuningGround& ground)
{
    Json fitting = Json::array();
    for (const Json& entry : read(file))
        if (fits(entry, ground))
            fitting.push_back(entry);
    return fitting.empty() ? "" : fitting.dump(-1, ' ', true);
}

void recall_trials(const std::string& list, LearnedTrials& learned)
try {
    for (const Json& entry : Json::parse(list))
        recall(entry, learned);
} catch (const Json::exception& error) {
    throw std::invalid_argument(std::string("it has an entry that cannot be read: ") + error.what());
}

std::string with_trials(const std::string& file, const LearnedTrials& learned, const TuningGround& ground)
{
    Json all = read(file);
    std::map<Json, std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i)
        places.emplace(kind_of(all[i]), i);
    for (const auto& [kind, trial] : learned.all()) {
        Json entry = written(kind.first, kind.second, trial, ground);
        if (const auto found = places.find(kind_of(entry)); found != places.end())
            all[found->second] = std::move(entry);
        else
            all.push_back(std::move(entry));
    }
    return Json{{mark, form}, {"trials", std::move(all)}}.dump(1, ' ', true) + "\n";
}

} // namespace hopscotch::shim
