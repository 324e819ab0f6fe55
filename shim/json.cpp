// Numbers are written by to_chars, because the program may have set a locale with another decimal point.
#include "shim/json.hpp"

#include <charconv>
#include <cmath>

namespace hopscotch::shim
{

namespace
{

/// Length of the UTF-8 character text starts with; 0: there is none.
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

} // namespace

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
        } else if (byte < 0x20 || byte == 0x7f) {
            text_ += "\\u00";
            text_ += hexadecimal[byte >> 4];
            text_ += hexadecimal[byte & 0xf];
        } else {
            text_ += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
}

} // namespace hopscotch::shim
