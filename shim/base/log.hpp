// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes lines on stderr, "hopscotch[rank] level: text", each by one write(2), so that lines of several processes do
// not mix.
#pragma once

#include <string_view>

namespace hopscotch::shim
{

/// Amount of output; every level includes those before it.
enum class LogLevel { error, warn, info, debug };

/// Lines above this level are dropped. The level is `warn` until it is set.
void set_log_level(LogLevel most) noexcept;

/// The rank shown in every line; -1, the value until it is set, shows none.
void set_log_rank(int rank) noexcept;

/// True if a line of this level would be written: ask before building an expensive text.
bool log_enabled(LogLevel level) noexcept;

/// Writes text, without a newline at its end, as one line that is harmless to a terminal (shim/base/text.hpp).
void log(LogLevel level, std::string_view text) noexcept;

} // namespace hopscotch::shim
