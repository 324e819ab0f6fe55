// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads info keys.
#pragma once

#include "shim/mpi/mpi_error.hpp"

#include <optional>
#include <string>

namespace hopscotch::shim
{

/// The value of an info key, as far as 255 characters; none when it is not set. Local. Throws: MpiError.
inline std::optional<std::string> info_value(MPI_Info info, const char* key)
{
    if (info == MPI_INFO_NULL)
        return std::nullopt;
    char value[256] = {};
    int found = 0;
    check(next.Info_get(info, key, static_cast<int>(sizeof value) - 1, value, &found));
    return found != 0 ? std::optional<std::string>(value) : std::nullopt;
}

} // namespace hopscotch::shim
