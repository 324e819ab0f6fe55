// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The one place that knows which characters are dangerous to show.
#include "shim/base/harmless.hpp"

namespace hopscotch::shim
{

std::size_t character_length(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&byte](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool overlong = first == 0xf0 && byte(1) < 0x90;
        const bool too_large = first == 0xf4 && byte(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && !overlong && !too_large ? 4 : 0;
    }
    return 0;
}

bool starts_with_control(std::string_view text, std::size_t length)
{
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 1)
        return first < 0x20 || first == 0x7f;
    return length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
}

std::string harmless(std::string_view text)
{
    const char* const hexadecimal = "0123456789abcdef";
    std::string result;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) {
            result += "\xef\xbf\xbd"; // U+FFFD
            text.remove_prefix(1);
            continue;
        }
        const std::string_view character = text.substr(0, length);
        text.remove_prefix(length);
        if (!starts_with_control(character, length)) {
            result += character;
            continue;
        }
        for (const char c : character) {
            const auto byte = static_cast<unsigned char>(c);
            result += {'\\', 'x', hexadecimal[byte >> 4], hexadecimal[byte & 0xf]};
        }
    }
    return result;
}

} // namespace hopscotch::shim
