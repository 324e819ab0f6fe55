// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every "<" is written so that no reader of HTML takes it for the beginning of a tag.
#include "shim/report/page.hpp"

#include "shim/report/report.hpp"

namespace hopscotch::shim
{

namespace
{

constexpr std::string_view text_place = "%TEXT%";
constexpr std::string_view json_place = "%JSON%";

std::string replaced(std::string_view text, char character, std::string_view by)
{
    std::string result;
    for (const char c : text)
        c == character ? result += by : result += c;
    return result;
}

} // namespace

std::string page(std::string_view json, std::string_view text)
{
    const std::string_view whole = page_template;
    const std::size_t text_at = whole.find(text_place);
    const std::size_t json_at = whole.find(json_place);
    const std::size_t text_end = text_at + text_place.size();
    std::string result(whole.substr(0, text_at));
    result += replaced(replaced(text, '&', "&amp;"), '<', "&lt;");
    result += whole.substr(text_end, json_at - text_end);
    result += replaced(json, '<', "\\u003c"); // inside texts only: nothing else in JSON has this character
    result += whole.substr(json_at + json_place.size());
    return result;
}

std::string html_report(const Report& report)
{
    return page(json_report(report), text_report(report));
}

} // namespace hopscotch::shim
