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

/// True if `user` may go through an entry of a directory, a link or a file. False if all users may make entries there
/// that others cannot remove, like in /tmp, and the entry belongs neither to that user nor to the owner of the
/// directory.
/// Source: Linux with fs.protected_symlinks = fs.protected_regular = 1.
bool may_use(const struct stat& directory, uid_t entry_owner, uid_t user) noexcept;

/// Writes these bytes to the named file. A file is replaced after the new one is complete, and keeps its mode; for a
/// link its target is replaced, or made. Devices, pipes and descriptors (/dev/stderr) are written into. Returns the
/// reason of a failure; empty: it is written.
std::string write_report_file(const std::string& name, std::string_view bytes);

/// The reason why the file could not be written now, as far as its directory shows; "" if it could. Makes no file.
std::string report_file_problem(const std::string& name);

} // namespace hopscotch::shim
