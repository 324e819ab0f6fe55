// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes the texts of settings apart.
#include "shim/base/text.hpp"

#include <cstddef>

namespace hopscotch::shim
{

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

} // namespace hopscotch::shim
