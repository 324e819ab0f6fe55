// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The info keys of the library, and their values.
#pragma once

#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hopscotch::shim
{

struct InfoKey {
    const char* name;
};

/// All keys that are read: test/tool/named_test.py demands that tests and docs name each of them.
namespace info_key
{
constexpr InfoKey algorithm{"hopscotch_algorithm"};
constexpr InfoKey dims{"hopscotch_dims"};
constexpr InfoKey reorder{"hopscotch_reorder"};
constexpr InfoKey objective{"hopscotch_objective"};
constexpr InfoKey trivial{"trivial"}; // these two: of the 2019 paper
constexpr InfoKey blocking{"blocking"};
} // namespace info_key

/// The value of an info key; none if it is not set. Local. Throws: MpiError.
inline std::optional<std::string> info_value(MPI_Info info, InfoKey key)
{
    if (info == MPI_INFO_NULL)
        return std::nullopt;
    char value[MPI_MAX_INFO_VAL + 1] = {}; // MPICH makes an error of a longer value
    int found = 0;
    check(next.MPI_Info_get(info, key.name, static_cast<int>(sizeof value) - 1, value, &found));
    return found != 0 ? std::optional<std::string>(value) : std::nullopt;
}

/// The value of an info key, parsed; none if the key is not set. If `parse` rejects the value there is none either, and
/// a warning that ends with `but_not`. Local. Throws: MpiError.
template <class Parse>
auto parsed_info(MPI_Info info, InfoKey key, Parse&& parse, const char* but_not) -> decltype(parse(std::string_view()))
{
    const std::optional<std::string> text = info_value(info, key);
    if (!text.has_value())
        return std::nullopt;
    auto value = parse(*text);
    if (!value.has_value())
        log(LogLevel::warn, std::string("info key ") + key.name + " has the value '" + *text + "', " + but_not);
    return value;
}

/// Warns of a key that is set though the function does not look at it. Local. Throws: MpiError.
inline void warn_if_given(MPI_Info info, InfoKey key, const char* function)
{
    if (info_value(info, key).has_value())
        log(LogLevel::warn, std::string("info key ") + key.name + " has no effect in " + function);
}

} // namespace hopscotch::shim
