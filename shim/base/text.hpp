// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts of settings, names of files and other texts from outside the library: reads small files, takes texts apart,
// reads numbers and words for values in them, and makes them fit to be shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// The text of a file, also of one without a size, as in /proc; "" if it cannot be read. Streams of C++ would make the
/// locales of the C++ library at their first use, in the first graph of a job. Local.
std::string text_of_file(const std::string& name);

/// Without such characters at both ends.
std::string trimmed(std::string_view text, const char* blanks = " \t");

/// The parts between separators, trimmed; an empty text is one empty part.
std::vector<std::string> split(std::string_view text, char separator);

std::string lower(std::string_view text);

/// A number written in digits alone; of bytes with K or M behind it, as in "8K". None if the text is no such number.
std::optional<std::size_t> parse_number(std::string_view digits);
std::optional<std::size_t> parse_bytes(std::string_view text);

/// The reverse: "8K".
std::string shortest_bytes(std::size_t bytes);

/// Number of insertions, deletions and replacements that lead from one text to the other.
std::size_t edit_distance(const std::string& from, const std::string& to);

/// Words for values; the first one of a value is used for output.
template <typename Value>
using Words = std::vector<std::pair<std::string, Value>>;

/// The value of a word in capitals or not. None if there is no such word.
template <typename Value>
std::optional<Value> value_of(const Words<Value>& words, std::string_view text)
{
    for (const auto& [word, value] : words)
        if (lower(text) == word)
            return value;
    return std::nullopt;
}

/// "auto, native, ... or aggregated": every word that is written for a value.
template <typename Value>
std::string one_of(const Words<Value>& words)
{
    std::string list = words.front().first;
    for (std::size_t i = 1; i < words.size(); ++i)
        list += (i + 1 < words.size() ? ", " : " or ") + words[i].first;
    return list;
}

/// The text in one line that no terminal obeys and every reader of UTF-8 takes: bytes of control characters are written
/// as \x1b, bytes that are not UTF-8 become U+FFFD.
std::string harmless(std::string_view text);

} // namespace hopscotch::shim
