// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes the report at the end of the run: text for a screen, JSON for programs, one HTML page for a browser; and reads
// reports back: the JSON, and what another process of the job has sent.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// For a person at a terminal. "hopscotch:" starts the first and the last line only, so that both are easily found in
/// the output of a job and what is between can be copied. Times read [total over processes] <mean> min max.
std::string text_report(const Report& report);

/// The same for programs, `"schema": 1`. Every member of docs/report.schema.json is always there; docs/report.md says
/// what it means. The graph of id 0, if there is one, stands for all communicators Hopscotch does not know.
std::string json_report(const Report& report);

/// What json_report() has written, of this version or another. The numbers are those of the report; how they scatter is
/// known to the last digits. Throws: std::invalid_argument when the text is no report of schema 1.
Report read_report(const std::string& json);

/// One page that needs nothing else.
std::string html_report(const Report& report);

/// The same of these two. It shows the text where no script runs, else what its script makes of the document.
/// Requires: `json` is JSON. Neither text can become markup or a script.
std::string page(std::string_view json, std::string_view text);

/// The page without a report (scripts/tool/page.html): %TEXT% stands for the text, further down %JSON% for the
/// document.
extern const char page_template[];

/// A report for another process. It travels without its job: processes can add up along a tree, and only the last one
/// knows the job.
std::string serialize(const Report& report);

/// Throws: std::invalid_argument when the bytes are cut short, damaged, or of another version.
Report parse_report(std::string_view bytes);

/// Writes the report to every destination of HOPSCOTCH_REPORT, the kind chosen by the ending of the file name. Files
/// appear complete or not at all (shim/report/report_file.hpp). What cannot be written is a warning. Where no text goes
/// to stderr, the bottom line does, unless HOPSCOTCH_LOG=error. If a file cannot be written, the text goes to stderr.
void write_report(const std::string& destinations, const Report& report) noexcept;

/// Warns of every file that write_report() could not write if it were called now. Makes no file.
void check_destinations(const std::string& destinations) noexcept;

} // namespace hopscotch::shim
