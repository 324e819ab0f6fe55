// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The reasons of reasons.def, as values by which the program decides, and their texts for the report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hopscotch::schedules
{

namespace reason
{

/// The rows of reasons.def, and none: reason::over_cutoff.
enum Row : std::uint8_t {
    none,
#define REASON(name, text, meaning, what_to_do) name,
#define REFUSAL(name, text, meaning, what_to_do)
#include "schedules/selection/reasons.def"
#undef REFUSAL
#undef REASON
};

/// The text of a row, for the report; empty for none. It lasts.
inline std::string_view text_of(Row row) noexcept
{
    static constexpr std::string_view texts[] = {
        "",
#define REASON(name, text, meaning, what_to_do) text,
#define REFUSAL(name, text, meaning, what_to_do)
#include "schedules/selection/reasons.def"
#undef REFUSAL
#undef REASON
    };
    return texts[row];
}

} // namespace reason

/// Why a call stays native or does not use the requested algorithm. The program decides by the row; the detail is for
/// the report only.
struct Reason {
    reason::Row row = reason::none;
    std::string detail; // stands behind the text of the row: " (12 grids tried)"

    Reason() = default;
    Reason(reason::Row its_row, std::string its_detail = {}) : row(its_row), detail(std::move(its_detail)) {}

    bool empty() const noexcept { return row == reason::none; }
    std::string text() const { return std::string(text_of(row)) + detail; }

    bool operator==(const Reason& other) const noexcept { return row == other.row && detail == other.detail; }
    bool operator!=(const Reason& other) const noexcept { return !(*this == other); }
};

} // namespace hopscotch::schedules
