// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Packs statistics into a string of bytes for another process of the job, and reads them back.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// A report travels without its job: processes can add up along a tree, and only the last one knows the job.
std::string serialize(const ProcessRecords& records);
std::string serialize(const Report& report);

/// Throws: std::invalid_argument when the bytes are cut short, damaged, or of another version.
ProcessRecords parse_process_records(std::string_view bytes);
Report parse_report(std::string_view bytes);

} // namespace hopscotch::shim
