// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Destinations of reports and log lines: files, stderr, and the message for a file that cannot be written.
#include "test/catch.hpp"

#include "shim/base/log.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/report.hpp"
#include "test/shim/report/files.hpp"
#include "test/shim/report/sample_report.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace hopscotch::shim;

TEST_CASE("A report is written to every destination")
{
    const Directory directory;
    const Report report = example();
    const std::string base = directory.path() + "/run";
    const std::string lines = stderr_of([&] {
        errno = EXDEV; // as the program has it
        write_report("stderr," + base + ".txt," + base + ".json," + base + "%p.html", report);
        CHECK(errno == EXDEV);
    });
    CHECK(lines == text_report(report));
    CHECK(contents(base + ".txt") == text_report(report));
    CHECK(contents(base + ".json") == json_report(report));
    CHECK(contents(base + std::to_string(getpid()) + ".html") == html_report(report));
    CHECK(directory.files().size() == 3); // nothing unfinished stays
    CHECK(stderr_of([&] { write_report("off", report); }).empty());
    CHECK(stderr_of([&] { write_report(base + ".json", report); }) == "hopscotch: " + bottom_line(report) + "\n");
    set_log_level(LogLevel::error);
    CHECK(stderr_of([&] { write_report(base + ".json", report); }).empty());
    set_log_level(LogLevel::warn);
}

TEST_CASE("If a file cannot be written the text goes to stderr, once")
{
    const std::string warning =
        "hopscotch warning: the report cannot be written to /nowhere/at/all.json: No such file or directory\n";
    const Report report = example();
    const auto written = [&](const std::string& places) { return stderr_of([&] { write_report(places, report); }); };
    CHECK(written("/nowhere/at/all.json") == warning + text_report(report));
    CHECK(written("stderr,/nowhere/at/all.json") == text_report(report) + warning);
    const std::string twice = written("/nowhere/at/all.json,/nowhere/at/all.json");
    CHECK(twice == warning + text_report(report) + warning);
    set_log_level(LogLevel::error);
    CHECK(written("/nowhere/at/all.json").empty());
    set_log_level(LogLevel::warn);
}

TEST_CASE("A place that no report can be written to is reported at the start")
{
    const Directory directory;
    const auto told = [](const std::string& places) { return stderr_of([&] { check_destinations(places); }); };
    CHECK(told("off").empty());
    CHECK(told("stderr," + directory.path() + "/a.json,/dev/stderr,/dev/full").empty());
    CHECK(directory.files().empty());
    CHECK(told("/nowhere/at/all.json") == "hopscotch warning: the report cannot be written to /nowhere/at/all.json: No "
                                          "such file or directory (tried when the program started)\n");
    CHECK(told("/tmp").find("Is a directory") != std::string::npos);
    CHECK(told("/proc/self/a.json").find("cannot be written") != std::string::npos);
}

TEST_CASE("A full device is one warning, and stays a device")
{
    const Directory directory;
    const std::string name = directory.path() + "/full.txt";
    REQUIRE(symlink("/dev/full", name.c_str()) == 0);
    const std::string lines = stderr_of([&] { write_report(name, example()); });
    CHECK(lines == "hopscotch warning: the report cannot be written to " + name + ": No space left on device\n" +
                       text_report(example()));
    struct stat status {
    };
    REQUIRE(stat("/dev/full", &status) == 0);
    CHECK(S_ISCHR(status.st_mode));
    CHECK(directory.files().size() == 1);
}

TEST_CASE("Log lines carry rank and level")
{
    CHECK(stderr_of([] {
              log(LogLevel::info, "not shown");
              set_log_rank(3);
              log(LogLevel::error, "first\nsecond \x1b[2J");
              set_log_level(LogLevel::debug);
              log(LogLevel::debug, "shown");
              set_log_level(LogLevel::warn);
              set_log_rank(-1);
          }) == "hopscotch[3] error: first\\x0asecond \\x1b[2J\nhopscotch[3] debug: shown\n");
    CHECK_FALSE(log_enabled(LogLevel::info));
}
