// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts from outside the library, such as values of settings, names of files and small files: reads them, takes them
// apart, and makes them fit to be shown.
#include "shim/base/text.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace hopscotch::shim
{

std::string text_of_file(const std::string& name)
{
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return "";
    std::string text;
    char part[4096];
    for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) {
        got = ::read(file, part, sizeof part);
        if (got > 0)
            text.append(part, static_cast<std::size_t>(got));
    }
    ::close(file);
    return text;
}

std::string trimmed(std::string_view text, const char* blanks)
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return "";
    return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string_view::npos; begin = end + 1) {
        end = text.find(separator, begin);
        parts.push_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    }
    return parts;
}

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
