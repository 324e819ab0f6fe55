// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads small files as texts, and takes the texts of settings apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hopscotch::shim
{

/// The text of a file, also of one without a size, as in /proc; "" if it cannot be read. Streams of C++ would make the
/// locales of the C++ library at their first use, in the first graph of a job. Local.
std::string text_of_file(const std::string& name);

/// Without such characters at both ends.
std::string trimmed(std::string_view text, const char* blanks = " \t");

/// The parts between separators, trimmed; an empty text is one empty part.
std::vector<std::string> split(std::string_view text, char separator);

} // namespace hopscotch::shim
