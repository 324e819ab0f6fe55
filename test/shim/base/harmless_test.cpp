// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts from outside are shown without harm in every form.
#include "test/catch.hpp"

#include "shim/base/text.hpp"
#include "shim/report/report.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

TEST_CASE("Control characters are spelled out, and bytes that are not UTF-8 are replaced")
{
    CHECK(harmless("plain \xe2\x82\xac \xc3\xa9 \xc2\xa0") == "plain \xe2\x82\xac \xc3\xa9 \xc2\xa0");
    CHECK(harmless("\x1b[2J\r\n\t\x7f") == "\\x1b[2J\\x0d\\x0a\\x09\\x7f");
    CHECK(harmless(std::string_view("\0", 1)) == "\\x00");
    CHECK(harmless("\xc2\x9b"
                   "2J") == "\\xc2\\x9b2J");
    CHECK(harmless("caf\xe9 \x9b cut \xe2\x82") == "caf\xef\xbf\xbd \xef\xbf\xbd cut \xef\xbf\xbd");
    CHECK(harmless("").empty());
}

TEST_CASE("No report has characters that a terminal obeys or a reader of UTF-8 refuses")
{
    const std::string hostile = "\x1b]0;title\x07 \xc2\x9b"
                                "31m <b> \xff end";
    Report report = example();
    report.job.command = hostile;
    report.job.mpi_library = hostile;
    report.job.settings = {{"HOPSCOTCH_REPORT", hostile}};
    report.job.version = hostile;
    for (auto& [key, graph] : report.graphs) {
        graph.created_by = hostile;
        graph.call_site = {hostile};
        graph.found = hostile;
        graph.operations[{hostile, hostile, hostile}].calls = 1;
    }
    for (const std::string& text : {text_report(report), html_report(report), json_report(report)}) {
        const auto is_bad = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; };
        CHECK(std::none_of(text.begin(), text.end(), is_bad));
        CHECK(text.find("\xc2\x9b") == std::string::npos);
        CHECK(text.find('\xff') == std::string::npos);
    }
    CHECK(text_report(report).find("\\x1b]0;title\\x07 \\xc2\\x9b31m <b> \xef\xbf\xbd end") != std::string::npos);
    CHECK(html_report(report).find("\\x1b]0;title\\x07 \\xc2\\x9b31m &lt;b> \xef\xbf\xbd end") != std::string::npos);
    CHECK(json_report(report).find(R"(\u001b]0;title\u0007 \u009b31m <b> \ufffd end)") != std::string::npos);
}
