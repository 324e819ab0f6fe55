// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the destination of a report: reads the destinations of HOPSCOTCH_REPORT, formats by ending, tokens in names,
// job and launcher.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

enum class Format { text, json, html };

/// The format a file of this name has, by its ending .txt, .json or .html; none for any other name.
std::optional<Format> format_of(const std::string& file);

/// The destinations of HOPSCOTCH_REPORT one by one; empty for "off".
std::vector<std::string> report_destinations(const std::string& report);

/// The letters behind "%" in names of files, and the texts that replace them: %p process id, %h host, %j job, %s step,
/// %A array job, %a task of the array, %% one percent sign.
using Tokens = std::map<char, std::string>;
Tokens report_tokens();

/// A file name with its tokens replaced; others stay.
std::string expand_tokens(const std::string& file, const Tokens& tokens);

/// The first "%x" in a file name that is no token; "" if all are.
std::string unknown_token(const std::string& file);

/// Remembers the working directory for from_start(): a program may leave it before its report is written.
void keep_directory();

/// The file that a name led to at keep_directory(); before that the name itself.
std::string from_start(const std::string& file);

/// The system's name of this machine; "unknown" if it has none.
std::string host_name();

/// The number the batch system gave this job (Slurm, PBS, LSF, Flux, Grid Engine ...); no_job outside a batch system.
std::string job_id();
constexpr const char no_job[] = "0";

/// The step of the job, the number of the array job, and that of this task in the array; "" without.
std::string step_id();
std::string array_id();
std::string array_task();

/// The launcher that started this process, by its environment; "" if unknown.
std::string launcher();

/// The number of processes that the launcher started with this one, by its environment; 0 if unknown. More than
/// MPI_COMM_WORLD has: the MPI library did not understand the launcher.
int launched_processes();

} // namespace hopscotch::shim
