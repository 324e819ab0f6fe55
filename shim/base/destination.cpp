// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment of the batch system and the working directory, and nothing else.
#include "shim/base/destination.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The value of a variable; "" if it is not set.
std::string environment_value(const char* variable)
{
    const char* const value = std::getenv(variable);
    return value != nullptr ? value : "";
}

/// The first of these variables that is set; "" if none is. It may become part of a file name.
std::string first_of(std::initializer_list<const char*> variables)
{
    for (const char* const variable : variables) {
        std::string value = environment_value(variable);
        std::replace(value.begin(), value.end(), '/', '_');
        if (!value.empty())
            return value;
    }
    return "";
}

std::string or_none(const std::string& id)
{
    return id.empty() ? no_job : id;
}

std::filesystem::path& first_directory()
{
    static auto& path = *new std::filesystem::path;
    return path;
}

/// A variable that a launcher gives its processes, and the name of the launcher. Launchers start each other, and set
/// variables of each other for the MPI libraries' sake: the first one found is the one that was used.
constexpr std::pair<const char*, const char*> launchers[] = {
    {"FLUX_TASK_RANK", "flux run"},
    {"JSM_NAMESPACE_RANK", "jsrun"},
    {"MPIRUN_RSH_LAUNCH", "mpirun_rsh"},
    {"PRTE_LAUNCHED", "mpirun (PRRTE)"},
    {"OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)"},
    {"PALS_RANKID", "mpiexec (PALS)"},
    {"ALPS_APP_PE", "aprun"},
    {"MPI_LOCALNRANKS", "mpiexec (Hydra)"},
    {"SLURM_STEP_ID", "srun"},
    {"PMIX_RANK", "a launcher with PMIx"},
    {"PMI_RANK", "a launcher with PMI"},
};

} // namespace

std::optional<Format> format_of(const std::string& file)
{
    std::string ending = std::filesystem::path(file).extension();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending == ".txt")
        return Format::text;
    if (ending == ".json")
        return Format::json;
    if (ending == ".html")
        return Format::html;
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

Tokens report_tokens()
{
    const std::string array = array_id();
    return {{'p', std::to_string(::getpid())},
            {'h', host_name()},
            {'j', job_id()},
            {'s', or_none(step_id())},
            {'A', array.empty() ? job_id() : array},
            {'a', or_none(array_task())},
            {'%', "%"}};
}

std::string unknown_token(const std::string& file)
{
    if (file.find('%') == std::string::npos)
        return "";
    const Tokens known = report_tokens();
    for (std::size_t i = file.find('%'); i != std::string::npos; i = file.find('%', i + 2))
        if (i + 1 == file.size() || known.count(file[i + 1]) == 0)
            return file.substr(i, 2);
    return "";
}

std::string expand_tokens(const std::string& file, const Tokens& tokens)
{
    std::string expanded;
    for (std::size_t i = 0; i < file.size(); ++i) {
        const auto token = file[i] == '%' && i + 1 < file.size() ? tokens.find(file[i + 1]) : tokens.end();
        if (token == tokens.end()) {
            expanded += file[i];
        } else {
            expanded += token->second;
            ++i;
        }
    }
    return expanded;
}

void keep_directory()
{
    std::error_code unknown; // a directory that is gone: names stay as they are
    first_directory() = std::filesystem::current_path(unknown);
}

std::string from_start(const std::string& file)
{
    return first_directory() / file;
}

std::string host_name()
{
    char name[256] = "";
    if (::gethostname(name, sizeof name - 1) != 0)
        return "unknown";
    return name;
}

std::string job_id()
{
    return or_none(first_of({"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "PJM_JOBID",
                             "COBALT_JOBID", "OAR_JOB_ID", "JOB_ID"}));
}

std::string step_id()
{
    return first_of({"SLURM_STEP_ID", "SLURM_STEPID"});
}

std::string array_id()
{
    return first_of({"SLURM_ARRAY_JOB_ID", "PBS_ARRAY_ID"});
}

std::string array_task()
{
    return first_of({"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX", "SGE_TASK_ID"});
}

std::string launcher()
{
    for (const auto& [variable, name] : launchers)
        if (!environment_value(variable).empty())
            return name;
    return "";
}

int launched_processes()
{
    // Hydra and Open MPI may start their helpers by srun, so Slurm's variable comes last. SLURM_NTASKS is not here: it
    // may belong to an allocation, in which a smaller job runs.
    for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const int processes = std::atoi(environment_value(variable).c_str()); processes > 0)
            return processes;
    return 0;
}

} // namespace hopscotch::shim
