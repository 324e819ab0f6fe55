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

/// The same for programs, `"schema": 1`. Every member of the schema is always there. Beyond it there are:
/// - in the job: "command", "enabled", "processes" (whose counts are in), "next_step", and "partial" and "stood_down"
///   (null or a sentence);
/// - in a graph: "graphs" (how many it stands for: those alike that were freed are one), "setup_s", written like
///   "time_s", and "trials", what `auto` measured:
///   [{"function", "block_bytes_most" (0: any size), "algorithm", "time_s", "chosen"}];
/// - in an operation: "failed", "compared" (with the MPI library's result), "ranks" (that took part), and in "time_s"
///   also "min" and "variation" (standard deviation over mean);
/// - in the totals: "failed", "compared" and "bytes".
/// The graph of id 0, if there is one, stands for all communicators Hopscotch does not know.
/// Units: seconds, bytes. "calls", "accelerated", "native", "failed" and "compared" count a collective call once
/// (largest number on one process); bytes, messages and "total" are sums over processes, as all of "totals"; "mean" is
/// per process that took part.
std::string json_report(const Report& report);

/// One page that needs nothing else.
std::string html_report(const Report& report);

/// Writes the report to every destination of HOPSCOTCH_REPORT, the kind chosen by the ending of the file name. Files
/// appear complete or not at all (shim/report/report_file.hpp). What cannot be written is a warning. Where no text goes
/// to stderr, the bottom line does, unless HOPSCOTCH_LOG=error.
void write_report(const std::string& destinations, const Report& report) noexcept;

} // namespace hopscotch::shim
