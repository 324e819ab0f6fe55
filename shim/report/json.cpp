// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers are written by to_chars, because the program may have set a locale with another decimal point.
#include "shim/report/json.hpp"

#include "shim/base/harmless.hpp"

#include <charconv>
#include <cmath>

namespace hopscotch::shim
{

void JsonWriter::key(std::string_view name)
{
    separate();
    quoted(name);
    text_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text)
{
    separate();
    quoted(text);
}

void JsonWriter::value(double number)
{
    if (!std::isfinite(number)) {
        null();
        return;
    }
    char digits[32];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, number);
    raw(std::string_view(digits, static_cast<std::size_t>(result.ptr - digits)));
}

void JsonWriter::member_or_null(std::string_view name, std::string_view text)
{
    key(name);
    if (text.empty())
        null();
    else
        value(text);
}

void JsonWriter::begin(char bracket, Layout layout)
{
    separate();
    text_ += bracket;
    // What is inside one line stays in it.
    const bool inside_line = !levels_.empty() && levels_.back().layout == Layout::one_line;
    levels_.push_back({inside_line ? Layout::one_line : layout, true});
}

void JsonWriter::end(char bracket)
{
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == Layout::lines && !level.empty)
        new_line();
    text_ += bracket;
    if (levels_.empty())
        text_ += '\n';
}

void JsonWriter::raw(std::string_view text)
{
    separate();
    text_ += text;
}

void JsonWriter::separate()
{
    if (after_key_ || levels_.empty()) {
        after_key_ = false;
        return;
    }
    Level& level = levels_.back();
    if (!level.empty)
        text_ += level.layout == Layout::one_line ? ", " : ",";
    if (level.layout == Layout::lines)
        new_line();
    level.empty = false;
}

void JsonWriter::new_line()
{
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::quoted(std::string_view text)
{
    const char* const hexadecimal = "0123456789abcdef";
    text_ += '"';
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto byte = static_cast<unsigned char>(text.front());
        if (length == 0) {
            text_ += "\\ufffd";
        } else if (byte == '"' || byte == '\\') {
            text_ += '\\';
            text_ += text.front();
        } else if (byte == '\n') {
            text_ += "\\n";
        } else if (byte == '\t') {
            text_ += "\\t";
        } else if (starts_with_control(text, length)) {
            const auto code = static_cast<unsigned char>(text[length - 1]); // of two bytes the second one
            text_ += "\\u00";
            text_ += hexadecimal[code >> 4];
            text_ += hexadecimal[code & 0xf];
        } else {
            text_ += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
}

} // namespace hopscotch::shim
