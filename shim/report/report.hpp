// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes the report at the end of the run: text for a screen, JSON for programs, one HTML page for a browser; and reads
// reports back: the JSON, and the message of another process of the job.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// The report for a person at a terminal. "hopscotch:" starts the first and the last line only, so that both are easily
/// found in the output of a job and the lines between can be copied. Times read [total over processes] <mean> min max.
std::string text_report(const Report& report);

/// The report for programs, in JSON with `"schema": 1`. Every member of docs/report.schema.json is always there;
/// docs/report.md gives its meaning. The graph of id 0, if there is one, stands for all communicators Hopscotch does
/// not know.
std::string json_report(const Report& report);

/// Reads the output of json_report(), of this version or another. The numbers are those of the report; variations are
/// known to the last digits. Throws: std::invalid_argument if the text is no report of schema 1.
Report read_report(const std::string& json);

/// The report for a browser: an HTML page that needs no other file.
std::string html_report(const Report& report);

/// A page from these two. It shows the text in a browser without scripts; otherwise its script shows the document.
/// Requires: `json` is JSON. Neither text can become markup or a script.
std::string page(std::string_view json, std::string_view text);

/// The page without a report (scripts/tool/page.html): %TEXT% stands for the text, further down %JSON% for the
/// document.
extern const char page_template[];

/// A report for another process. It travels without its job: processes can add up along a tree, and only the last one
/// knows the job.
std::string serialize(const Report& report);

/// Throws: std::invalid_argument if the bytes are cut short, damaged, or of another version.
Report parse_report(std::string_view bytes);

/// Writes the report to every destination of HOPSCOTCH_REPORT, the kind chosen by the ending of the file name. Files
/// appear complete or not at all (shim/report/report_file.hpp). A failure to write is a warning. If no text goes to
/// stderr, the bottom line does, unless HOPSCOTCH_LOG=error. If a file cannot be written, the text goes to stderr.
void write_report(const std::string& destinations, const Report& report) noexcept;

/// Warns of every file that write_report() could not write if it were called now. Makes no file.
void check_destinations(const std::string& destinations) noexcept;

} // namespace hopscotch::shim
