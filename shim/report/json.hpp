// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON, piece by piece, in the order it is to appear. Knows no content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hopscotch::shim
{

/// Values inside an object are preceded by key(). The result is valid JSON whatever the values: bytes that are not
/// UTF-8 become U+FFFD, numbers that are not finite become null. Control characters are escaped.
class JsonWriter
{
  public:
    /// Whether the elements of an object or array each get a line, or share one.
    enum class Layout { lines, one_line };

    void begin_object(Layout layout = Layout::lines) { begin('{', layout); }
    void end_object() { end('}'); }
    void begin_array(Layout layout = Layout::lines) { begin('[', layout); }
    void end_array() { end(']'); }

    void key(std::string_view name);

    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(double number);
    void value(int number) { raw(std::to_string(number)); }
    void value(std::uint64_t number) { raw(std::to_string(number)); }
    void value(bool truth) { raw(truth ? "true" : "false"); }
    void null() { raw("null"); }

    /// A member of an object.
    template <typename Value>
    void member(std::string_view name, const Value& value_of_member)
    {
        key(name);
        value(value_of_member);
    }

    /// A member that is null where the text is empty.
    void member_or_null(std::string_view name, std::string_view text);

    const std::string& text() const noexcept { return text_; }

  private:
    struct Level {
        Layout layout;
        bool empty;
    };

    void begin(char bracket, Layout layout);
    void end(char bracket);
    void raw(std::string_view text);
    void separate();
    void new_line();
    void quoted(std::string_view text);

    std::string text_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

} // namespace hopscotch::shim
