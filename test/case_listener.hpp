// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hears of cases and assertions of Catch2, version 2 or 3; for the source with the main function alone.
#pragma once

#include "test/catch.hpp"

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

#include <string>

/// Derive from it, override ended() and failed(), CATCH_REGISTER_LISTENER(Derived).
#if __has_include(<catch2/catch_test_macros.hpp>)
class CaseListener : public Catch::EventListenerBase
{
  public:
    using Catch::EventListenerBase::EventListenerBase;

    void testCaseEnded(const Catch::TestCaseStats& stats) override { ended(stats.testInfo->name, good(stats)); }
    void assertionEnded(const Catch::AssertionStats& stats) override { look_at(stats); }
#else
class CaseListener : public Catch::TestEventListenerBase
{
  public:
    using Catch::TestEventListenerBase::TestEventListenerBase;

    void testCaseEnded(const Catch::TestCaseStats& stats) override { ended(stats.testInfo.name, good(stats)); }
    bool assertionEnded(const Catch::AssertionStats& stats) override
    {
        look_at(stats);
        return true;
    }
#endif

  private:
    /// A case is over; `good`: it passed.
    virtual void ended(const std::string& name, bool good) = 0;

    /// An assertion failed: its place, as FILE:LINE, its expression and its values.
    virtual void failed(const std::string& place, const std::string& expression, const std::string& values) = 0;

    static bool good(const Catch::TestCaseStats& stats)
    {
        return stats.totals.assertions.failed == 0;
    }

    void look_at(const Catch::AssertionStats& stats)
    {
        const Catch::AssertionResult& result = stats.assertionResult;
        if (result.isOk())
            return;
        const auto line = result.getSourceInfo();
        std::string values = result.hasExpandedExpression() ? result.getExpandedExpression() : std::string();
        values += result.hasMessage() ? " " + std::string(result.getMessage()) : std::string();
        for (const Catch::MessageInfo& info : stats.infoMessages)
            values += "; " + info.message;
        failed(std::string(line.file) + ":" + std::to_string(line.line), result.getExpressionInMacro(), values);
    }
};
