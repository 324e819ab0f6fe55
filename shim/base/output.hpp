// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes bytes to descriptors without a signal, and to stderr only while descriptor 2 is stderr.
#pragma once

#include <string_view>

namespace hopscotch::shim
{

/// Writes all bytes. A closed pipe and a limit on the size of files (SIGPIPE, SIGXFSZ) are errors, not signals. False,
/// with the reason in errno: not all was written.
bool write_all(int descriptor, std::string_view bytes) noexcept;

/// Writes nothing if descriptor 2 is another file than at accept_stderr(): the program may have closed it, and have
/// opened a file of its own that got the number.
void write_to_stderr(std::string_view bytes) noexcept;

/// Takes the present descriptor 2 for stderr. The library calls it as it is loaded; tests call it after they have
/// redirected stderr.
void accept_stderr() noexcept;

} // namespace hopscotch::shim
