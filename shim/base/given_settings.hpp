// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Combines the sources of settings: the hopscotch command for its own runs, the environment, and a file of defaults.
#pragma once

#include "shim/base/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hopscotch::shim
{

/// Settings from lines "NAME=value".
struct Lines {
    Environment settings;
    std::vector<std::string> warnings; // one sentence per line that has no effect
};

/// The lines of a file of defaults. `#` begins a comment. A line that is no setting, or that has a value that is not
/// allowed, has no effect. `file`: for the warnings.
Lines parse_lines(std::string_view text, const std::string& file);

/// The parts "NAME=value;NAME=value" that the hopscotch command sets for its own runs.
Environment parse_parts(std::string_view text);

/// For each name the first non-empty value in `first`, `then` and `last`, in this order.
Environment combined(const Environment& first, const Environment& then, const Environment& last);

/// Variables that srun's --export makes from a list behind HOPSCOTCH_ALGORITHM= by cutting it at its commas:
/// "allgather=trivial". `entries`: of an environment, "NAME=value".
std::vector<std::string> parts_of_cut_lists(const std::vector<std::string>& entries);

/// The file of defaults: the file named by HOPSCOTCH_CONFIG, hopscotch.conf beside this library, or
/// /etc/hopscotch.conf; empty if there is none, or if HOPSCOTCH_CONFIG is off.
std::string file_of_defaults();

/// The settings of this process: HOPSCOTCH_TOOL goes before the variables, these before the file of defaults.
ParsedSettings given_settings();

} // namespace hopscotch::shim
