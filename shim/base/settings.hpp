// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the settings of a run: settings.def yields members, parsing, checks, help and listings.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "shim/base/log.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using schedules::Algorithm;
using schedules::Algorithms;
using schedules::Collective;
using schedules::collective_count;

/// The meaning of MPI_Allgather and similar collectives on a graph communicator: among all processes, or among
/// neighbors.
enum class Semantics { mpi, orthogonal };

/// The match of several edges between two processes: that of the MPI library, or that of MPI 4.1 §8.6.
enum class ParallelEdges { library, standard };

/// The new communicators that may give processes other ranks, if the program passes reorder = 1.
enum class Reorder { off, cart, graph, all };

/// The text of reports for a communicator that Reorder leaves out, though the program allows other ranks.
inline constexpr const char reordering_not_asked_for[] = "allowed by the program, not asked for by HOPSCOTCH_REORDER";

enum class Yield { automatic, always, never };

/// The events at which stack traces are taken.
enum class Callsites { graph, off, call };

/// A process grid given by the user. Shape: d entries each.
struct ProcessGrid {
    std::vector<int> dims;
    std::vector<bool> periodic;

    bool operator==(const ProcessGrid& other) const { return dims == other.dims && periodic == other.periodic; }
};

/// HOPSCOTCH_ONE_COPY=auto: the caches of the machine determine the limit. HOPSCOTCH_DEVICE=auto: no limit.
constexpr std::size_t automatic_bytes = std::numeric_limits<std::size_t>::max();

/// The value of every setting, its default in a new one.
struct Settings {
#define SETTING(name, values, meaning, type, member, initial, form) type member = initial;
#include "shim/base/settings.def"
#undef SETTING

    Algorithm algorithm(Collective collective) const noexcept
    {
        return algorithms[static_cast<std::size_t>(collective)];
    }
};

/// Names and values as the environment has them.
using Environment = std::vector<std::pair<std::string, std::string>>;

struct ParsedSettings {
    Settings settings;                 // the default stands in for every value that is not allowed
    std::vector<std::string> errors;   // one sentence per value that is not allowed
    std::vector<std::string> warnings; // one sentence per name that is not known
};

/// All variables of this process with names that start with HOPSCOTCH, in the order of the environment.
Environment hopscotch_environment();

/// The settings such variables stand for. An empty value is as good as an unset variable; of a name that occurs twice
/// the first counts. Words are read without regard to case.
ParsedSettings parse_settings(const Environment& environment);

/// All settings in one unique text, for comparing and broadcasting them between processes, and back again.
/// Throws: from_canonical throws std::invalid_argument for a text canonical() does not return.
std::string canonical(const Settings& settings);
Settings from_canonical(const std::string& text);

/// The difference of a process from another, as "HOPSCOTCH_CUTOFF is 8K and HOPSCOTCH_VERIFY is on, not 4K and off";
/// empty if there is none.
std::string difference(const Settings& own, const Settings& others);

/// Names and values of all settings that differ from the default, in the order of the table.
Environment non_default(const Settings& settings);

/// A variable for a person, without full stops at the ends of values and default.
struct SettingHelp {
    std::string name;
    std::string meaning;
    std::string values;
    std::string usual; // the default
};

/// All variables, in the order of the table.
std::vector<SettingHelp> settings_help();

/// Algorithms in the form of HOPSCOTCH_ALGORITHM: "combining", "alltoallv=combining,allgather=trivial". none if the
/// text is no such list.
std::optional<Algorithms> parse_algorithms(std::string_view text);

/// The value of a word such as "on" or "off". none if it is no such word.
std::optional<bool> parse_switch(std::string_view text);

/// A process grid in the form of HOPSCOTCH_DIMS: "4px4x2p". none if the text is no such grid.
std::optional<ProcessGrid> parse_grid(std::string_view text);
std::string to_string(const ProcessGrid& grid);

} // namespace hopscotch::shim
