// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts from outside the library, such as values of settings, names of files and small files: reads them, takes them
// apart, and makes them fit to be shown.
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

/// The text in one line that no terminal obeys and every reader of UTF-8 takes: bytes of control characters are written
/// as \x1b, bytes that are not UTF-8 become U+FFFD.
std::string harmless(std::string_view text);

} // namespace hopscotch::shim
