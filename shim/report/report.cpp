// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes the finished report to where the user wants it; a report that cannot be written never disturbs the program.
#include "shim/report/report.hpp"

#include "shim/base/destination.hpp"
#include "shim/base/log.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/report_file.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <unistd.h>
#include <vector>

namespace hopscotch::shim
{

namespace
{

std::string contents(Format format, const Report& report)
{
    switch (format) {
    case Format::text:
        return text_report(report);
    case Format::json:
        return json_report(report);
    case Format::html:
        return html_report(report);
    }
    return "";
}

bool goes_to_file(const std::vector<std::string>& destinations)
{
    return !destinations.empty() && std::find(destinations.begin(), destinations.end(), "stderr") == destinations.end();
}

} // namespace

void write_report(const std::string& destinations, const Report& report) noexcept
{
    const int errno_of_caller = errno;
    try {
        const std::vector<std::string> places = report_destinations(destinations);
        for (const std::string& destination : places) {
            if (destination == "stderr") {
                write_all(STDERR_FILENO, text_report(report)); // where else could a failure be told?
                continue;
            }
            const std::string file = expand_tokens(destination, ::getpid(), host_name(), job_id());
            const std::string text = contents(format_of(file).value_or(Format::text), report);
            const std::string problem = write_report_file(file, text);
            if (problem.empty())
                log(LogLevel::info, "the report is in " + file);
            else
                log(LogLevel::warn, "the report cannot be written to " + file + ": " + problem);
        }
        if (goes_to_file(places) && log_enabled(LogLevel::warn))
            write_all(STDERR_FILENO, "hopscotch: " + bottom_line(report) + "\n");
    } catch (...) {
        log(LogLevel::warn, "no memory for the report");
    }
    errno = errno_of_caller;
}

} // namespace hopscotch::shim
