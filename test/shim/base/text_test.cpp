// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts of settings are split at the right places; small files are read whole.
#include "test/catch.hpp"

#include "shim/base/text.hpp"
#include "test/shim/report/files.hpp"

#include <fstream>

using namespace hopscotch::shim;
using Parts = std::vector<std::string>;

TEST_CASE("Blanks at the ends are left out")
{
    CHECK(trimmed(" \t a b ") == "a b");
    CHECK(trimmed(" \t").empty());
    CHECK(trimmed("a\r") == "a\r");
    CHECK(trimmed("a \r", " \r") == "a");
}

TEST_CASE("A text has one part more than separators")
{
    CHECK(split(" a, b ,", ',') == Parts{"a", "b", ""});
    CHECK(split("", ',') == Parts{""});
}

TEST_CASE("The text of a file has all its bytes; without a file there is none")
{
    const Directory directory;
    const std::string name = directory.path() + "/file";
    CHECK(text_of_file(name).empty());
    std::string bytes(10000, 'x'); // more than one read takes
    bytes[5000] = '\0';
    std::ofstream(name, std::ios::binary) << bytes;
    CHECK(text_of_file(name) == bytes);
    CHECK(text_of_file(directory.path()).empty());
    CHECK(text_of_file("/proc/self/stat").back() == '\n'); // a file that says to have no bytes
}
