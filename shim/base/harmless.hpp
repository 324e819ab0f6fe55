// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes texts from outside the library fit to be shown, such as names of files and values of variables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// Length of the UTF-8 character text starts with; 0: there is none.
std::size_t character_length(std::string_view text);

/// Whether text, which starts with a UTF-8 character of this length, starts with a control character: one of U+0000 to
/// U+001F, U+007F to U+009F. Terminals obey them.
bool starts_with_control(std::string_view text, std::size_t length);

/// The text in one line that no terminal obeys and every reader of UTF-8 takes: bytes of control characters are written
/// as \x1b, bytes that are not UTF-8 become U+FFFD.
std::string harmless(std::string_view text);

} // namespace hopscotch::shim
