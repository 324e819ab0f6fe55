// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes the report at the end of the run: text for a screen, JSON for programs, one HTML page for a browser.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>

namespace hopscotch::shim
{

/// For a person at a terminal. "hopscotch:" starts the first and the last line only, so that both are easily found in
/// the output of a job and what is between can be copied. Times read [total over processes] <mean> min max.
std::string text_report(const Report& report);

/// The same for programs, `"schema": 1`. Every member of docs/report.schema.json is always there; docs/usage.md says
/// what it means. The graph of id 0, if there is one, stands for all communicators Hopscotch does not know.
std::string json_report(const Report& report);

/// One page that needs nothing else.
std::string html_report(const Report& report);

/// Writes the report to every destination of HOPSCOTCH_REPORT, the kind chosen by the ending of the file name. Files
/// appear complete or not at all (shim/report/report_file.hpp). What cannot be written is a warning. Where no text goes
/// to stderr, the bottom line does, unless HOPSCOTCH_LOG=error.
void write_report(const std::string& destinations, const Report& report) noexcept;

} // namespace hopscotch::shim
