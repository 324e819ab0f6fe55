// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers are written without the locale: the process belongs to the user.
#include "shim/report/svg.hpp"

#include "shim/base/harmless.hpp"

#include <charconv>

namespace hopscotch::shim
{

namespace
{

std::string number(double value)
{
    char digits[64];
    const std::to_chars_result result =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 1);
    if (result.ec != std::errc{})
        return "0";
    const std::string text(digits, result.ptr);
    return text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0 ? text.substr(0, text.size() - 2) : text;
}

std::string attribute(const char* name, double value)
{
    return std::string(" ") + name + "=\"" + number(value) + "\"";
}

std::string style_class(const std::string& style)
{
    return style.empty() ? "" : " class=\"" + style + "\"";
}

std::string list(const std::vector<Svg::Point>& points)
{
    std::string text;
    for (const auto& [x, y] : points)
        text += (text.empty() ? "" : " ") + number(x) + "," + number(y);
    return " points=\"" + text + "\"";
}

} // namespace

std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : harmless(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

void Svg::rectangle(double x, double y, double width, double height, const std::string& style, const std::string& title)
{
    content_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
                attribute("height", height) + style_class(style) +
                (title.empty() ? "/>" : "><title>" + escaped(title) + "</title></rect>");
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& style)
{
    content_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
                style_class(style) + "/>";
}

void Svg::polygon(const std::vector<Point>& points, const std::string& style)
{
    content_ += "<polygon" + list(points) + style_class(style) + "/>";
}

void Svg::polyline(const std::vector<Point>& points, const std::string& style)
{
    content_ += "<polyline" + list(points) + style_class(style) + "/>";
}

void Svg::circle(double x, double y, double radius, const std::string& style)
{
    content_ +=
        "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) + style_class(style) + "/>";
}

void Svg::text(double x, double y, const std::string& text, const char* anchor, const std::string& style)
{
    content_ += "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\"" +
                style_class(style) + ">" + escaped(text) + "</text>";
}

std::string Svg::element(const std::string& label) const
{
    return "<svg role=\"img\" aria-label=\"" + escaped(label) + "\" viewBox=\"0 0 " + number(width_) + " " +
           number(height_) + "\"" + attribute("width", width_) + attribute("height", height_) + ">" + content_ +
           "</svg>\n";
}

} // namespace hopscotch::shim
