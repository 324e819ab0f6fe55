// The end-of-run report: statistics of all processes as text for a screen, JSON for programs, one HTML page for a
// browser.
#pragma once

#include "shim/statistics.hpp"

#include <string>

namespace hopscotch::shim
{

/// For a person at a terminal. "hopscotch:" starts the first and the last line only, so that both are easily found in
/// the output of a job and what is between can be copied. Times read [total over processes] <mean> min max.
std::string text_report(const Report& report);

/// The same for programs, `"schema": 1`.
///
/// Beyond what docs/usage.md promises of the schema there is, in the job: "command", "enabled", "processes", "partial"
/// and "stood_down" (null or a sentence); in a graph: "setup_s" {total, mean, max} and "trials" [{function,
/// block_bytes_most, algorithm, time_s, chosen}]; in an operation: "failed", and "min" and "variation" (standard
/// deviation over mean) beside the times; in the totals: "failed", "bytes". A graph of id 0 collects the calls on
/// communicators Hopscotch does not know. Units: seconds, bytes. "total" and all of "totals" are sums over processes,
/// but "calls", "accelerated", "native" and "failed" count a collective call once.
std::string json_report(const Report& report);

/// One page that needs nothing else.
std::string html_report(const Report& report);

/// Writes the report to every destination of HOPSCOTCH_REPORT, the kind chosen by the ending of the file name. Files
/// appear complete or not at all. What cannot be written is a warning.
void write_report(const std::string& destinations, const Report& report) noexcept;

} // namespace hopscotch::shim
