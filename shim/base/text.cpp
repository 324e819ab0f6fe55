// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <numeric>
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

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::optional<std::size_t> parse_number(std::string_view digits)
{
    std::size_t number = 0;
    const char* const end = digits.data() + digits.size();
    const std::from_chars_result read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> parse_bytes(std::string_view text)
{
    const char last = text.empty() ? '\0' : text.back();
    const std::size_t unit = last == 'k' || last == 'K' ? 1024 : last == 'm' || last == 'M' ? 1024 * 1024 : 1;
    if (unit != 1)
        text.remove_suffix(1);
    const std::optional<std::size_t> number = parse_number(text);
    if (!number || *number > SIZE_MAX / unit)
        return std::nullopt;
    return *number * unit;
}

std::string shortest_bytes(std::size_t bytes)
{
    if (bytes != 0 && bytes % (1024 * 1024) == 0)
        return std::to_string(bytes / (1024 * 1024)) + "M";
    if (bytes != 0 && bytes % 1024 == 0)
        return std::to_string(bytes / 1024) + "K";
    return std::to_string(bytes);
}

std::size_t edit_distance(const std::string& from, const std::string& to)
{
    std::vector<std::size_t> row(to.size() + 1); // distances of the part of `from` so far to all beginnings of `to`
    std::iota(row.begin(), row.end(), 0);
    for (const char c : from) {
        std::size_t before = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = before + (c == to[j] ? 0 : 1);
            before = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, before + 1, replaced});
        }
    }
    return row.back();
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
