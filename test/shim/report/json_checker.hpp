// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a text is JSON, told by a reader that shares no code with the writer under test.
#pragma once

#include <string>

/// Accepts exactly JSON texts (RFC 8259), and knows nothing of what they say.
class JsonChecker
{
  public:
    static bool valid(const std::string& text)
    {
        JsonChecker checker{text};
        return checker.value() && (checker.blanks(), checker.at_ == text.size());
    }

  private:
    explicit JsonChecker(const std::string& text) : text_(text) {}

    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void blanks()
    {
        while (here() == ' ' || here() == '\n' || here() == '\t')
            ++at_;
    }
    bool take(char c)
    {
        if (here() != c)
            return false;
        ++at_;
        return true;
    }
    bool digits()
    {
        const std::size_t begin = at_;
        while (here() >= '0' && here() <= '9')
            ++at_;
        return at_ > begin;
    }
    bool string()
    {
        if (!take('"'))
            return false;
        while (here() != '"') {
            if (static_cast<unsigned char>(here()) < 0x20)
                return false;
            if (take('\\')) {
                if (take('u')) {
                    if (text_.find_first_not_of("0123456789abcdef", at_) < at_ + 4)
                        return false;
                    at_ += 4;
                    continue;
                }
                if (std::string("\"\\/bfnrt").find(here()) == std::string::npos)
                    return false;
            }
            ++at_;
        }
        return take('"');
    }
    bool number()
    {
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (take('e')) {
            if (!take('-'))
                take('+');
            return digits();
        }
        return true;
    }
    bool word(const std::string& expected)
    {
        const bool found = text_.compare(at_, expected.size(), expected) == 0;
        at_ += found ? expected.size() : 0;
        return found;
    }
    bool members(char end, bool named)
    {
        blanks();
        if (take(end))
            return true;
        do {
            blanks();
            if (named && !(string() && (blanks(), take(':'))))
                return false;
            if (!value())
                return false;
            blanks();
        } while (take(','));
        return take(end);
    }
    bool value()
    {
        blanks();
        if (take('{'))
            return members('}', true);
        if (take('['))
            return members(']', false);
        if (here() == '"')
            return string();
        return word("true") || word("false") || word("null") || number();
    }

    const std::string& text_;
    std::size_t at_ = 0;
};
