// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment of the batch system and nothing else.
#include "shim/base/destination.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace hopscotch::shim
{

std::optional<Format> format_of(const std::string& file)
{
    const std::pair<std::string, Format> endings[] = {
        {".txt", Format::text}, {".json", Format::json}, {".html", Format::html}};
    std::string lower = file;
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const auto& [ending, format] : endings) {
        if (lower.size() > ending.size() && lower.compare(lower.size() - ending.size(), ending.size(), ending) == 0)
            return format;
    }
    return std::nullopt;
}

std::vector<std::string> report_destinations(const std::string& report)
{
    if (report == "off" || report.empty())
        return {};
    std::vector<std::string> destinations;
    std::istringstream list(report);
    for (std::string destination; std::getline(list, destination, ',');)
        destinations.push_back(destination);
    return destinations;
}

std::string expand_tokens(const std::string& file, long pid, const std::string& host, const std::string& job)
{
    std::string expanded;
    for (std::size_t i = 0; i < file.size(); ++i) {
        const char token = file[i] == '%' && i + 1 < file.size() ? file[i + 1] : '\0';
        switch (token) {
        case 'p':
            expanded += std::to_string(pid);
            break;
        case 'h':
            expanded += host;
            break;
        case 'j':
            expanded += job;
            break;
        case '%':
            expanded += '%';
            break;
        default:
            expanded += file[i];
            continue;
        }
        ++i;
    }
    return expanded;
}

std::string job_id()
{
    for (const char* const variable : {"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
                                       "PJM_JOBID", "COBALT_JOBID", "OAR_JOB_ID", "JOB_ID"}) {
        const char* const value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            std::string job = value;
            std::replace(job.begin(), job.end(), '/', '_'); // it becomes part of a file name
            return job;
        }
    }
    return "0";
}

} // namespace hopscotch::shim
