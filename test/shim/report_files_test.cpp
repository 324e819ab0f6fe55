// Where reports and log lines go: files, stderr, and what is said when a file cannot be written.
#include "test/catch.hpp"

#include "shim/log.hpp"
#include "shim/report.hpp"
#include "test/shim/sample_report.hpp"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

std::string contents(const std::string& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// An empty directory that is removed, with what is in it, at the end.
class Directory
{
  public:
    Directory() { REQUIRE(mkdtemp(path_) != nullptr); }
    ~Directory()
    {
        for (const std::string& file : files())
            std::remove((path() + "/" + file).c_str());
        rmdir(path_);
    }
    std::string path() const { return path_; }
    std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        DIR* const directory = opendir(path_);
        while (const dirent* const entry = readdir(directory)) {
            if (entry->d_name[0] != '.')
                names.push_back(entry->d_name);
        }
        closedir(directory);
        return names;
    }

  private:
    char path_[32] = "/tmp/hopscotch_report_XXXXXX";
};

/// What a function writes to stderr.
template <typename Function>
std::string stderr_of(Function function)
{
    const Directory directory;
    const std::string file = directory.path() + "/stderr";
    const int kept = dup(STDERR_FILENO);
    const int redirected = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(redirected, STDERR_FILENO);
    function();
    dup2(kept, STDERR_FILENO);
    close(redirected);
    close(kept);
    return contents(file);
}

} // namespace

TEST_CASE("A report is written to every destination")
{
    const Directory directory;
    const Report report = example();
    const std::string base = directory.path() + "/run";
    const std::string lines =
        stderr_of([&] { write_report("stderr," + base + ".txt," + base + ".json," + base + "%p.html", report); });
    CHECK(lines == text_report(report));
    CHECK(contents(base + ".txt") == text_report(report));
    CHECK(contents(base + ".json") == json_report(report));
    CHECK(contents(base + std::to_string(getpid()) + ".html") == html_report(report));
    CHECK(directory.files().size() == 3); // nothing unfinished stays
    CHECK(stderr_of([&] { write_report("off", report); }).empty());
}

TEST_CASE("A file that cannot be written is one warning")
{
    const std::string lines = stderr_of([] { write_report("/nowhere/at/all.json", Report{}); });
    CHECK(lines ==
          "hopscotch warning: the report cannot be written to /nowhere/at/all.json: No such file or directory\n");
}

TEST_CASE("A full device is one warning, and stays a device")
{
    const Directory directory;
    const std::string name = directory.path() + "/full.txt";
    REQUIRE(symlink("/dev/full", name.c_str()) == 0);
    const std::string lines = stderr_of([&] { write_report(name, example()); });
    CHECK(lines == "hopscotch warning: the report cannot be written to " + name + ": No space left on device\n");
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
