// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Draws SVG, piece by piece; colors are classes which the page's style sheet gives a meaning.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// A text with the characters of markup replaced.
std::string escaped(const std::string& text);

/// Units: pixels; x to the right, y down.
class Svg
{
  public:
    using Point = std::pair<double, double>;

    Svg(double width, double height) : width_(width), height_(height) {}

    void rectangle(double x, double y, double width, double height, const std::string& style,
                   const std::string& title = "");
    void line(double x1, double y1, double x2, double y2, const std::string& style);
    void polygon(const std::vector<Point>& points, const std::string& style);
    void polyline(const std::vector<Point>& points, const std::string& style);
    void circle(double x, double y, double radius, const std::string& style);

    /// `anchor`: "start", "middle", "end".
    void text(double x, double y, const std::string& text, const char* anchor = "start", const std::string& style = "");

    /// The drawing as an element of a page; `label` says in words what it shows.
    std::string element(const std::string& label) const;

  private:
    double width_;
    double height_;
    std::string content_;
};

} // namespace hopscotch::shim
