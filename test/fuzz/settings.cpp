// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Settings. The first byte of the input chooses the variable, the others are its value; values of 128 and more stand
// for settings received from another process. An accepted value must be the same after it has been written and read
// again.
#include "test/fuzz/targets.hpp"

#include "shim/base/settings.hpp"

#include <stdexcept>
#include <string>

using namespace hopscotch::shim;
using fuzz::demand;

namespace
{

bool try_sent(const std::string& text)
{
    try {
        demand(canonical(from_canonical(text)) == text);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

} // namespace

bool try_settings(const std::uint8_t* data, std::size_t size)
{
    static const char* const names[] = {"HOPSCOTCH_ALGORITHM",  "HOPSCOTCH_CUTOFF", "HOPSCOTCH_DIMS",
                                        "HOPSCOTCH_REPORT",     "HOPSCOTCH_YIELD",  "HOPSCOTCH_VERIFY",
                                        "HOPSCOTCH_CALLSITES",  "HOPSCOTCH_LOG",    "HOPSCOTCH_SEMANTICS",
                                        "HOPSCOTCH_ALGORITHMS", "HOPSCOTCH_"};
    constexpr std::size_t count = sizeof names / sizeof names[0];
    constexpr std::uint8_t sent = 128;
    if (size == 0)
        return false;
    const std::string text(data + 1, data + size);
    if (data[0] >= sent)
        return try_sent(text);
    if (text.find('\0') != std::string::npos)
        return false; // no environment holds it
    const ParsedSettings parsed = parse_settings({{names[data[0] % count], text}});
    demand(parsed.errors.size() + parsed.warnings.size() <= 1);
    const std::string written = canonical(parsed.settings);
    demand(try_sent(written));
    if (!parsed.errors.empty())
        demand(written == canonical(Settings{}));
    const ParsedSettings again = parse_settings(non_default(parsed.settings));
    demand(again.errors.empty() && canonical(again.settings) == written);
    if (parsed.settings.grid)
        for (const int extent : parsed.settings.grid->dims)
            demand(extent > 0);
    return parsed.errors.empty() && parsed.warnings.empty();
}
