// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of defaults means this, and never goes before the environment.
#include "test/catch.hpp"

#include "shim/base/given_settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

/// A file that is there, and named by HOPSCOTCH_CONFIG, while the test case runs.
class Config
{
  public:
    explicit Config(const std::string& text)
    {
        std::ofstream(name_) << text;
        setenv("HOPSCOTCH_CONFIG", name_.c_str(), 1);
    }
    ~Config()
    {
        std::remove(name_.c_str());
        for (const char* const variable : {"HOPSCOTCH_CONFIG", "HOPSCOTCH_REPORT", "HOPSCOTCH_TOOL", "HOPSCOTCH_LOG",
                                           "HOPSCOTCH_ALGORITHM", "allgather"})
            unsetenv(variable);
    }
    Config(const Config&) = delete;
    Config& operator=(const Config&) = delete;

    const std::string& name() const { return name_; }

  private:
    std::string name_ = "given_settings_test." + std::to_string(getpid()) + ".conf";
};

} // namespace

TEST_CASE("A file of defaults has a setting a line, blank lines and comments")
{
    const Lines lines = parse_lines("# of the site\n\n  HOPSCOTCH_REPORT = /logs/%j.json  # gathered\n"
                                    "HOPSCOTCH_LOG=error\r\nHOPSCOTCH_CUTOFF=8K",
                                    "site.conf");
    CHECK(lines.warnings.empty());
    CHECK(lines.settings ==
          Environment{{"HOPSCOTCH_REPORT", "/logs/%j.json"}, {"HOPSCOTCH_LOG", "error"}, {"HOPSCOTCH_CUTOFF", "8K"}});
    CHECK(parse_lines("", "site.conf").settings.empty());
    CHECK(parse_lines("\n\n", "site.conf").warnings.empty());
}

TEST_CASE("A wrong line of a file has no effect, and its warning names file and line")
{
    const std::pair<std::string, std::string> wrong[] = {
        {"report off", "it is no NAME=value"},
        {"=off", "it is no NAME=value"},
        {"HOPSCOTCH_REPROT=off", "did you mean HOPSCOTCH_REPORT?"},
        {"PATH=/bin", "PATH is no setting"},
        {"HOPSCOTCH_LOG=loud", "HOPSCOTCH_LOG=loud is not allowed"},
        {"HOPSCOTCH_CONFIG=off", "is for the environment"},
    };
    for (const auto& [line, why] : wrong) {
        const Lines lines = parse_lines("HOPSCOTCH_INFER=off\n" + line, "site.conf");
        INFO(line);
        REQUIRE(lines.warnings.size() == 1);
        CHECK(lines.warnings[0].rfind("site.conf, line 2 has no effect: ", 0) == 0);
        CHECK(lines.warnings[0].find(why) != std::string::npos);
        CHECK(lines.settings == Environment{{"HOPSCOTCH_INFER", "off"}});
    }
}

TEST_CASE("Of each name the first value holds that is not empty")
{
    CHECK(combined({{"A", "1"}}, {{"A", "2"}, {"B", "2"}, {"C", " "}}, {{"A", "3"}, {"C", "3"}, {"D", "3"}}) ==
          Environment{{"A", "1"}, {"B", "2"}, {"C", "3"}, {"D", "3"}});
    CHECK(parse_parts("A=1;B=x=y") == Environment{{"A", "1"}, {"B", "x=y"}});
    CHECK(parse_parts("").empty());
}

TEST_CASE("The tool goes before the environment, the environment before the file")
{
    const Config config("HOPSCOTCH_REPORT=site.json\nHOPSCOTCH_LOG=error\nnonsense\n");
    CHECK(given_settings().settings.report == "site.json");
    CHECK(given_settings().settings.log_level == LogLevel::error);
    REQUIRE(given_settings().warnings.size() == 1);
    CHECK(given_settings().warnings[0].rfind(config.name() + ", line 3", 0) == 0);

    setenv("HOPSCOTCH_REPORT", "", 1);
    CHECK(given_settings().settings.report == "site.json");
    setenv("HOPSCOTCH_REPORT", "off", 1);
    CHECK(given_settings().settings.report == "off");
    setenv("HOPSCOTCH_TOOL", "HOPSCOTCH_REPORT=tool.json;HOPSCOTCH_ALGORITHM=merged", 1);
    CHECK(given_settings().settings.report == "tool.json");
    CHECK(given_settings().settings.algorithm(Collective::alltoall) == Algorithm::merged);
    CHECK(given_settings().errors.empty());
}

TEST_CASE("HOPSCOTCH_CONFIG turns the file off, and a file that is not there gets a warning")
{
    const Config config("HOPSCOTCH_LOG=error\n");
    setenv("HOPSCOTCH_CONFIG", "off", 1);
    CHECK(given_settings().settings.log_level == LogLevel::warn);
    CHECK(given_settings().warnings.empty());
    setenv("HOPSCOTCH_CONFIG", "/nowhere/hopscotch.conf", 1);
    REQUIRE(given_settings().warnings.size() == 1);
    CHECK(given_settings().warnings[0].rfind("/nowhere/hopscotch.conf", 0) == 0);
}

TEST_CASE("A list that srun has cut at its comma is named")
{
    CHECK(parts_of_cut_lists({"PATH=/bin", "allgather=trivial", "alltoall=all", "mode=merged", "merged"}) ==
          std::vector<std::string>{"allgather=trivial"});
    const Config config("");
    setenv("allgather", "trivial", 1);
    CHECK(given_settings().warnings.empty()); // it may belong to another program
    setenv("HOPSCOTCH_ALGORITHM", "alltoallv=merged", 1);
    REQUIRE(given_settings().warnings.size() == 1);
    CHECK(given_settings().warnings[0].find("allgather=trivial") != std::string::npos);
}
