// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes the texts of settings apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hopscotch::shim
{

/// Without such characters at both ends.
std::string trimmed(std::string_view text, const char* blanks = " \t");

/// The parts between separators, trimmed; an empty text is one empty part.
std::vector<std::string> split(std::string_view text, char separator);

} // namespace hopscotch::shim
