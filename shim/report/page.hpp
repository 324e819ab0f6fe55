// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts a report into the page that shows it in a browser (scripts/report_page/page.html).
#pragma once

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// The page without a report: %TEXT% stands for the text, further down %JSON% for the document.
extern const char page_template[];

/// A page that needs nothing else. It shows the text where no script runs, else what its script makes of the document.
/// Requires: `json` is JSON. Neither text can become markup or a script.
std::string page(std::string_view json, std::string_view text);

} // namespace hopscotch::shim
