// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The one place that knows the characters that are dangerous to show.
#include "shim/base/harmless.hpp"

#include <nlohmann/json.hpp>

namespace hopscotch::shim
{

namespace
{

/// The same text; of bytes that are not UTF-8 each run that begins a character, or cannot, is U+FFFD.
std::string as_utf8(std::string_view text)
{
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

} // namespace

std::string harmless(std::string_view text)
{
    const char* const hexadecimal = "0123456789abcdef";
    std::string result;
    const auto spell = [&](unsigned char byte) {
        result += {'\\', 'x', hexadecimal[byte >> 4], hexadecimal[byte & 0xf]};
    };
    unsigned char before = 0;
    for (const char c : as_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (before == 0xc2 && byte < 0xa0) { // U+0080 to U+009F
            result.pop_back();
            spell(before);
            spell(byte);
        } else if (byte < 0x20 || byte == 0x7f) {
            spell(byte);
        } else {
            result += c;
        }
        before = byte;
    }
    return result;
}

} // namespace hopscotch::shim
