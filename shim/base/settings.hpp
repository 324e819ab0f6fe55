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

/// What MPI_Allgather and its like mean on a graph communicator: all processes, or the neighbors.
enum class Semantics { mpi, orthogonal };

/// Which of several edges between two processes match: as the MPI library has it, or as MPI 4.1 §8.6 says.
enum class ParallelEdges { library, standard };

/// Which new communicators give processes other ranks, where the program passes reorder = 1.
enum class Reorder { off, cart, graph, all };

/// What reports say of a communicator that Reorder leaves out, though the program allows other ranks.
inline constexpr const char reordering_not_asked_for[] = "allowed by the program, not asked for by HOPSCOTCH_REORDER";

enum class Yield { automatic, always, never };

/// Where stack traces are taken.
enum class Callsites { graph, off, call };

/// A process grid given by the user. Shape: d entries each.
struct ProcessGrid {
    std::vector<int> dims;
    std::vector<bool> periodic;

    bool operator==(const ProcessGrid& other) const { return dims == other.dims && periodic == other.periodic; }
};

/// HOPSCOTCH_ONE_COPY=auto: the caches of the machine say from how many bytes on. HOPSCOTCH_DEVICE=auto: no limit.
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

/// All variables of this process whose names start with HOPSCOTCH, in the order the environment has them.
Environment hopscotch_environment();

/// The settings such variables stand for. An empty value is as good as an unset variable; of a name that occurs twice
/// the first counts. Words are read without regard to case.
ParsedSettings parse_settings(const Environment& environment);

/// All settings in one unique text, for comparing and broadcasting them between processes, and back again.
/// Throws: from_canonical throws std::invalid_argument for a text canonical() does not return.
std::string canonical(const Settings& settings);
Settings from_canonical(const std::string& text);

/// Where a process differs from another, as "HOPSCOTCH_CUTOFF is 8K and HOPSCOTCH_VERIFY is on, not 4K and off";
/// empty where it does not.
std::string difference(const Settings& own, const Settings& others);

/// Names and values of all settings that differ from the default, in the order of the table.
Environment non_default(const Settings& settings);

/// The table for a person: every variable, its values with the default first, and what it means.
std::string settings_help();

/// Algorithms as HOPSCOTCH_ALGORITHM writes them: "combining", "alltoallv=combining,allgather=trivial". none when text
/// is no such list.
std::optional<Algorithms> parse_algorithms(std::string_view text);

/// Whether a word such as "on" or "off" switches something on. none when it is no such word.
std::optional<bool> parse_switch(std::string_view text);

/// A process grid as HOPSCOTCH_DIMS writes it: "4px4x2p". none when text is no such grid.
std::optional<ProcessGrid> parse_grid(std::string_view text);
std::string to_string(const ProcessGrid& grid);

} // namespace hopscotch::shim
