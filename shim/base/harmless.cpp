// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The one place that knows which characters are dangerous to show.
#include "shim/base/harmless.hpp"

namespace hopscotch::shim
{

namespace
{

/// Length of the UTF-8 character text starts with; 0: there is none. Source: Unicode 15, table 3-7.
std::size_t character_length(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u)
            return 0;
    }
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80; // else it would fit in fewer bytes
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;  // no surrogates, none above U+10FFFF
    return byte(1) >= least && byte(1) <= most ? length : 0;
}

/// One of U+0000 to U+001F, U+007F to U+009F. Terminals obey them.
bool is_control(std::string_view character)
{
    const auto last = static_cast<unsigned char>(character.back());
    return character.size() == 1 ? last < 0x20 || last == 0x7f
                                 : character.size() == 2 && character[0] == '\xc2' && last < 0xa0;
}

} // namespace

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
        if (!is_control(character)) {
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
