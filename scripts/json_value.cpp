// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A recursive descent over the grammar of RFC 8259.
#include "scripts/json_value.hpp"

#include <charconv>
#include <stdexcept>

namespace hopscotch::tool
{

class JsonReader
{
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    JsonValue whole()
    {
        JsonValue value = next(0);
        skip();
        if (at_ < text_.size())
            fail("text after the end");
        return value;
    }

  private:
    static constexpr int deepest = 100;

    [[noreturn]] void fail(const std::string& what) const
    {
        throw std::invalid_argument("not JSON at byte " + std::to_string(at_) + ": " + what);
    }
    char here() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip()
    {
        while (here() == ' ' || here() == '\n' || here() == '\t' || here() == '\r')
            ++at_;
    }
    bool take(char c)
    {
        skip();
        if (here() != c)
            return false;
        ++at_;
        return true;
    }
    void expect(char c)
    {
        if (!take(c))
            fail(std::string("expected ") + c);
    }
    JsonValue word(std::string_view word, JsonValue::Kind kind, bool truth)
    {
        if (text_.substr(at_, word.size()) != word)
            fail("an unknown word");
        at_ += word.size();
        JsonValue value;
        value.kind_ = kind;
        value.boolean_ = truth;
        return value;
    }

    JsonValue next(int depth)
    {
        if (depth > deepest)
            fail("too deep");
        skip();
        JsonValue value;
        switch (here()) {
        case '{':
            value.kind_ = JsonValue::Kind::object;
            list('}', [&] {
                skip();
                std::string name = quoted();
                expect(':');
                value.members_.emplace_back(std::move(name), next(depth + 1));
            });
            return value;
        case '[':
            value.kind_ = JsonValue::Kind::array;
            list(']', [&] { value.elements_.push_back(next(depth + 1)); });
            return value;
        case '"':
            value.kind_ = JsonValue::Kind::text;
            value.text_ = quoted();
            return value;
        case 't':
            return word("true", JsonValue::Kind::boolean, true);
        case 'f':
            return word("false", JsonValue::Kind::boolean, false);
        case 'n':
            return word("null", JsonValue::Kind::null, false);
        default:
            break;
        }
        value.kind_ = JsonValue::Kind::number;
        const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
        value.text_ = text_.substr(at_, end - at_);
        double ignored = 0.0;
        const char* const last = value.text_.data() + value.text_.size();
        const std::from_chars_result result = std::from_chars(value.text_.data(), last, ignored);
        if (value.text_.empty() || result.ec != std::errc{} || result.ptr != last)
            fail("no value");
        at_ = end;
        return value;
    }

    template <typename Element>
    void list(char end, Element element)
    {
        ++at_;
        if (take(end))
            return;
        do
            element();
        while (take(','));
        expect(end);
    }

    unsigned code_unit()
    {
        unsigned unit = 0;
        const std::string_view digits = text_.substr(at_, 4);
        const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (digits.size() != 4 || result.ptr != digits.data() + 4)
            fail("a bad \\u");
        at_ += 4;
        return unit;
    }
    void append(std::string& result, unsigned code)
    {
        const auto byte = [&result](unsigned value) { result += static_cast<char>(value); };
        if (code < 0x80) {
            byte(code);
        } else if (code < 0x800) {
            byte(0xc0 | code >> 6);
            byte(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            byte(0xe0 | code >> 12);
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        } else {
            byte(0xf0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3f));
            byte(0x80 | (code >> 6 & 0x3f));
            byte(0x80 | (code & 0x3f));
        }
    }
    std::string quoted()
    {
        expect('"');
        std::string result;
        while (here() != '"') {
            if (at_ >= text_.size())
                fail("a text without end");
            const char c = text_[at_++];
            if (c != '\\') {
                result += c;
                continue;
            }
            const char escape = here();
            ++at_;
            const std::size_t simple = std::string_view("\"\\/bfnrt").find(escape);
            if (simple != std::string_view::npos) {
                result += "\"\\/\b\f\n\r\t"[simple];
            } else if (escape == 'u') {
                unsigned code = code_unit();
                if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
                    at_ += 2;
                    code = 0x10000 + ((code - 0xd800) << 10) + (code_unit() - 0xdc00);
                }
                append(result, code);
            } else {
                fail("a bad escape");
            }
        }
        ++at_;
        return result;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

JsonValue JsonValue::parse(std::string_view text)
{
    return JsonReader(text).whole();
}

double JsonValue::number() const noexcept
{
    double value = 0.0;
    std::from_chars(text_.data(), text_.data() + text_.size(), value);
    return kind_ == Kind::number ? value : 0.0;
}

std::uint64_t JsonValue::count() const noexcept
{
    std::uint64_t value = 0;
    std::from_chars(text_.data(), text_.data() + text_.size(), value);
    return kind_ == Kind::number ? value : 0;
}

const JsonValue& JsonValue::operator[](std::string_view name) const noexcept
{
    static const JsonValue nothing;
    for (const auto& [member, value] : members_)
        if (member == name)
            return value;
    return nothing;
}

} // namespace hopscotch::tool
