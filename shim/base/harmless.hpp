// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes texts from outside the library fit to be shown, such as names of files and values of variables.
#pragma once

#include <string>
#include <string_view>

namespace hopscotch::shim
{

/// The text in one line that no terminal obeys and every reader of UTF-8 takes: bytes of control characters are written
/// as \x1b, bytes that are not UTF-8 become U+FFFD.
std::string harmless(std::string_view text);

} // namespace hopscotch::shim
