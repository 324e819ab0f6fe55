// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A JSON report back as the record it was written from.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>

namespace hopscotch::tool
{

/// Throws: std::invalid_argument when the text is no report of schema 1.
shim::Report read_report(const std::string& json);

} // namespace hopscotch::tool
