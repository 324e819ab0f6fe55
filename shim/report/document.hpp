// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads reports back: of the JSON that json_report() has written, and of what another process of the job has sent.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// A report for another process. It travels without its job: processes can add up along a tree, and only the last one
/// knows the job.
std::string serialize(const Report& report);

/// Throws: std::invalid_argument when the bytes are cut short, damaged, or of another version.
Report parse_report(std::string_view bytes);

/// What json_report() has written, of this version or another. The numbers are those of the report; how they scatter is
/// known to the last digits. Throws: std::invalid_argument when the text is no report of schema 1.
Report read_report(const std::string& json);

} // namespace hopscotch::shim
