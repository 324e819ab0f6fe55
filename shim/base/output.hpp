// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes bytes to descriptors without a signal, and to stderr only while descriptor 2 is stderr.
#pragma once

#include <string_view>

namespace hopscotch::shim
{

/// Writes all bytes. A closed pipe and a limit on the size of files (SIGPIPE, SIGXFSZ) are errors, not signals.
/// False, and errno says why: not all was written.
bool write_all(int descriptor, std::string_view bytes) noexcept;

/// Writes nothing if descriptor 2 is another file than at accept_stderr(): the program may have closed it, and have
/// opened a file of its own that got the number.
void write_to_stderr(std::string_view bytes) noexcept;

/// Takes what descriptor 2 is now for stderr. The library calls it when it is loaded, tests when they redirect stderr.
void accept_stderr() noexcept;

} // namespace hopscotch::shim
