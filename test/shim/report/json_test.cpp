// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// JSON as such, whatever it says.
#include "test/catch.hpp"

#include "shim/report/json.hpp"
#include "test/shim/report/json_checker.hpp"

#include <limits>

using namespace hopscotch::shim;

TEST_CASE("JSON is valid whatever it holds")
{
    JsonWriter json;
    json.begin_object();
    json.member("quoted \"\\\n\x01", "tab\tlatin \xe9 cut \xe2\x82 fine \xe2\x82\xac overlong \xc0\xaf");
    json.member("infinite", std::numeric_limits<double>::infinity());
    json.member("small", 1e-9);
    json.member("large", std::numeric_limits<std::uint64_t>::max());
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("line");
    json.begin_array(JsonWriter::Layout::one_line);
    json.begin_object();
    json.member("a", 1);
    json.member("b", true);
    json.end_object();
    json.null();
    json.end_array();
    json.member_or_null("nothing", "");
    json.end_object();
    CHECK(JsonChecker::valid(json.text()));
    CHECK(json.text() == R"({
  "quoted \"\\\n\u0001": "tab\tlatin \ufffd cut \ufffd\ufffd fine )"
                         "\xe2\x82\xac"
                         R"( overlong \ufffd\ufffd",
  "infinite": null,
  "small": 1e-09,
  "large": 18446744073709551615,
  "empty": [],
  "line": [{"a": 1, "b": true}, null],
  "nothing": null
}
)");
    CHECK_FALSE(JsonChecker::valid("{\"a\": nan}"));
    CHECK_FALSE(JsonChecker::valid("[1,]"));
}
