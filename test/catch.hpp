// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Catch2, and the headers that most tests need. The only place that knows version 2 from version 3.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES // for case_listener.hpp
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

/// Matches a text that contains the part, under every version of Catch2: CHECK_THAT(text, contains("part")).
inline auto contains(const std::string& part)
{
#if __has_include(<catch2/catch_test_macros.hpp>)
    return Catch::Matchers::ContainsSubstring(part);
#else
    return Catch::Matchers::Contains(part);
#endif
}

/// Compares equal to values next to it: CHECK(value == about(2.5)).
inline auto about(double value)
{
#if __has_include(<catch2/catch_test_macros.hpp>)
    return Catch::Approx(value);
#else
    return Approx(value);
#endif
}
