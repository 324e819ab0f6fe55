// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the page, and writes the finished report to the user's destinations; a failure to write never disturbs the
// program.
#include "shim/report/report.hpp"

#include "shim/base/destination.hpp"
#include "shim/base/log.hpp"
#include "shim/base/output.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/report_file.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

namespace
{

constexpr std::string_view text_place = "%TEXT%";
constexpr std::string_view json_place = "%JSON%";

std::string replaced(std::string_view text, char character, std::string_view by)
{
    std::string result;
    for (const char c : text)
        c == character ? result += by : result += c;
    return result;
}

std::string file_of(const std::string& destination)
{
    return from_start(expand_tokens(destination, report_tokens()));
}

void warn_of(const std::string& file, const std::string& problem, const std::string& consequence)
{
    log(LogLevel::warn, "the report cannot be written to " + file + ": " + problem + consequence);
}

} // namespace

// Every "<" is written so that no reader of HTML takes it for the beginning of a tag.
std::string page(std::string_view json, std::string_view text)
{
    std::string whole = page_template;
    const std::size_t text_at = whole.find(text_place);
    whole.replace(whole.find(json_place), json_place.size(), // inside texts only: nothing else in JSON has a "<"
                  replaced(json, '<', "\\u003c"));
    whole.replace(text_at, text_place.size(), replaced(replaced(text, '&', "&amp;"), '<', "&lt;"));
    return whole;
}

std::string html_report(const Report& report)
{
    return page(json_report(report), text_report(report));
}

void write_report(const std::string& destinations, const Report& report) noexcept
{
    const int errno_of_caller = errno;
    try {
        const std::vector<std::string> places = report_destinations(destinations);
        bool goes_to_stderr = std::count(places.begin(), places.end(), "stderr") > 0;
        if (goes_to_stderr)
            write_to_stderr(text_report(report)); // no other place is left to report a failure
        for (const std::string& destination : places) {
            if (destination == "stderr")
                continue;
            const std::string file = file_of(destination);
            const std::optional<Format> format = format_of(file);
            const std::string text = format == Format::json   ? json_report(report)
                                     : format == Format::html ? html_report(report)
                                                              : text_report(report);
            const std::string problem = write_report_file(file, text);
            if (problem.empty()) {
                log(LogLevel::info, "the report is in " + file);
                continue;
            }
            warn_of(file, problem, "");
            if (!goes_to_stderr && log_enabled(LogLevel::warn))
                write_to_stderr(text_report(report));
            goes_to_stderr = true;
        }
        if (!places.empty() && !goes_to_stderr && log_enabled(LogLevel::warn))
            write_to_stderr("hopscotch: " + bottom_line(report) + "\n");
    } catch (...) {
        log(LogLevel::warn, "no memory for the report");
    }
    errno = errno_of_caller;
}

void check_destinations(const std::string& destinations) noexcept
{
    try {
        for (const std::string& destination : report_destinations(destinations)) {
            const std::string file = destination == "stderr" ? "" : file_of(destination);
            const std::string problem = file.empty() ? "" : report_file_problem(file);
            if (!problem.empty())
                warn_of(file, problem, " (tried when the program started)");
        }
    } catch (...) {
        log(LogLevel::warn, "no memory to look for the place of the report");
    }
}

} // namespace hopscotch::shim
