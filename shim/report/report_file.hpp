// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts a file in place of another, whole or not at all, and through nobody else's links.
#pragma once

#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>

namespace hopscotch::shim
{

/// Whether `user` may go through an entry of a directory, a link or a file: not where everyone may put entries there
/// that others cannot remove, as in /tmp, and the entry belongs neither to that user nor to the owner of the directory.
/// Source: what Linux does with fs.protected_symlinks = fs.protected_regular = 1.
bool may_use(const struct stat& directory, uid_t entry_owner, uid_t user) noexcept;

/// Writes these bytes where the name leads. A file is replaced when the new one is complete, and keeps its mode; of
/// links the file they lead to is replaced, or made. Devices, pipes and descriptors (/dev/stderr) are written into.
/// Returns why nothing of it could be done; empty: it is written.
std::string write_report_file(const std::string& name, std::string_view bytes);

/// Why the file could not be written now, as far as its directory tells; "" if it could. Makes no file.
std::string report_file_problem(const std::string& name);

} // namespace hopscotch::shim
