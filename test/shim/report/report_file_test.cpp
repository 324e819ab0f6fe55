// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Files that a report may replace, and links that it may follow.
#include "test/catch.hpp"

#include "shim/report/report_file.hpp"
#include "test/shim/report/files.hpp"

#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

constexpr uid_t stranger = 65534;

struct stat directory_of(uid_t owner, mode_t mode)
{
    struct stat status {
    };
    status.st_uid = owner;
    status.st_mode = S_IFDIR | mode;
    return status;
}

void put(const std::string& file, const std::string& text, mode_t mode)
{
    std::ofstream(file) << text;
    REQUIRE(chmod(file.c_str(), mode) == 0);
}

mode_t mode_of(const std::string& file)
{
    struct stat status {
    };
    REQUIRE(stat(file.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

bool is_link(const std::string& file)
{
    struct stat status {
    };
    REQUIRE(lstat(file.c_str(), &status) == 0);
    return S_ISLNK(status.st_mode);
}

/// A directory in another one, removed before it.
class Subdirectory
{
  public:
    Subdirectory(const Directory& in, const std::string& name) : path(in.path() + "/" + name)
    {
        REQUIRE(mkdir(path.c_str(), 0700) == 0);
    }
    ~Subdirectory()
    {
        std::remove((path + "/run.json").c_str());
        rmdir(path.c_str());
    }
    const std::string path;
};

} // namespace

TEST_CASE("Entries of others are used except in directories with a sticky bit")
{
    const uid_t root = 0;
    const uid_t me = 1000;
    const uid_t other = 1001;
    const struct stat tmp = directory_of(root, 01777);
    CHECK(may_use(tmp, me, me));
    CHECK(may_use(tmp, root, me));
    CHECK_FALSE(may_use(tmp, other, me));
    CHECK_FALSE(may_use(tmp, me, root));
    CHECK(may_use(directory_of(other, 01777), other, me));
    CHECK(may_use(directory_of(root, 0777), other, me));
    CHECK(may_use(directory_of(root, 01775), other, me));
    CHECK(may_use(directory_of(me, 0700), other, me));
}

TEST_CASE("A report keeps the mode of the file it replaces, and a new one obeys the umask")
{
    const Directory directory;
    const std::string name = directory.path() + "/run.json";
    const mode_t kept = umask(027);
    CHECK(write_report_file(name, "first").empty());
    CHECK(mode_of(name) == 0640);
    for (const mode_t mode : {0600u, 0666u, 0444u}) {
        REQUIRE(chmod(name.c_str(), mode) == 0);
        CHECK(write_report_file(name, "second").empty());
        CHECK(mode_of(name) == mode);
    }
    umask(kept);
    CHECK(contents(name) == "second");
    CHECK(directory.files() == std::vector<std::string>{"run.json"}); // nothing unfinished stays
    const std::string longest(NAME_MAX - 5, 'n');
    CHECK(write_report_file(directory.path() + "/" + longest + ".json", "third").empty());
    CHECK(contents(directory.path() + "/" + longest + ".json") == "third");
}

TEST_CASE("Links lead to the file that is written")
{
    const Directory directory;
    const Subdirectory inner(directory, "inner");
    const std::string link = directory.path() + "/link.json";
    const std::string again = directory.path() + "/again.json";
    const std::string turn = directory.path() + "/turn";
    REQUIRE(symlink("inner/../inner/run.json", link.c_str()) == 0);
    REQUIRE(symlink(link.c_str(), again.c_str()) == 0);
    REQUIRE(symlink("inner/", turn.c_str()) == 0);
    CHECK(write_report_file(again, "made").empty()); // it leads to no file yet
    CHECK(contents(inner.path + "/run.json") == "made");
    CHECK(write_report_file(link, "replaced").empty());
    CHECK(write_report_file(turn + "//./run.json", "by way of a directory").empty());
    CHECK(contents(inner.path + "/run.json") == "by way of a directory");
    CHECK(is_link(link));
    CHECK(is_link(again));

    CHECK(write_report_file(turn, "") == "Is a directory");
    CHECK(write_report_file(inner.path + "/", "") == "Is a directory");
    CHECK(write_report_file("/", "") == "Is a directory");
    CHECK(write_report_file("", "") == "No such file or directory");
    CHECK(write_report_file(link + "/run.json", "") == "Not a directory");
    const std::string loop = directory.path() + "/loop";
    REQUIRE(symlink("loop", loop.c_str()) == 0);
    CHECK(write_report_file(loop, "") == "Too many levels of symbolic links");
}

TEST_CASE("Of several names of a file only the one given becomes the report")
{
    const Directory directory;
    const std::string name = directory.path() + "/run.json";
    const std::string other = directory.path() + "/other";
    put(other, "precious", 0600);
    REQUIRE(link(other.c_str(), name.c_str()) == 0);
    CHECK(write_report_file(name, "report").empty());
    CHECK(contents(other) == "precious");
    CHECK(contents(name) == "report");
}

TEST_CASE("Pipes, devices and descriptors are written into")
{
    const Directory directory;
    const std::string pipe = directory.path() + "/pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(write_report_file(pipe, "lost") == "No such device or address"); // nobody reads
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    CHECK(write_report_file(pipe, "report").empty());
    char read_bytes[16] = "";
    CHECK(read(reader, read_bytes, sizeof read_bytes) == 6);
    const std::string long_report(1 << 20, 'r'); // no pipe holds it
    std::size_t arrived = 0;
    fcntl(reader, F_SETFL, 0);
    std::thread slow([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::vector<char> some(1 << 16);
        for (ssize_t got = 1; got > 0; arrived += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
            got = read(reader, some.data(), some.size());
    });
    CHECK(write_report_file(pipe, long_report).empty());
    slow.join();
    CHECK(arrived == long_report.size());
    close(reader);
    CHECK(write_report_file("/dev/null", "gone").empty());
    CHECK(stderr_of([] {
              CHECK(write(STDERR_FILENO, "before ", 7) == 7);
              CHECK(write_report_file("/dev/stderr", "report").empty());
              CHECK(write(STDERR_FILENO, " after", 6) == 6);
          }) == "before report after");
    CHECK(write_report_file("/proc/self/exe", "") == "'exe' there is a link to no descriptor of this process");
}

TEST_CASE("Files of another user in a directory of everyone are left alone")
{
    if (geteuid() != 0) {
        WARN("skipped: only root can make what belongs to another user");
        return;
    }
    const std::string why = " there belongs to another user, in a directory where everyone may put files";
    const Directory directory;
    const Subdirectory mine(directory, "mine");
    const std::string precious = mine.path + "/run.json";
    put(precious, "precious", 0600);
    REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
    const auto of_stranger = [&directory](const std::string& name) {
        REQUIRE(lchown((directory.path() + "/" + name).c_str(), stranger, stranger) == 0);
        return directory.path() + "/" + name;
    };
    REQUIRE(symlink("mine/run.json", (directory.path() + "/link.json").c_str()) == 0);
    REQUIRE(symlink("mine", (directory.path() + "/turn").c_str()) == 0);
    REQUIRE(mkfifo((directory.path() + "/pipe").c_str(), 0666) == 0);
    put(directory.path() + "/file", "not mine", 0666);
    CHECK(write_report_file(directory.path() + "/link.json", "mine").empty()); // as yet it is our own
    put(precious, "precious", 0600);

    CHECK(write_report_file(of_stranger("link.json"), "report") == "'link.json'" + why);
    CHECK(write_report_file(of_stranger("turn") + "/run.json", "report") == "'turn'" + why);
    CHECK(write_report_file(of_stranger("pipe"), "report") == "'pipe'" + why);
    CHECK(write_report_file(of_stranger("file"), "report") == "'file'" + why);
    CHECK(contents(precious) == "precious");
    CHECK(mode_of(precious) == 0600);
    CHECK(contents(directory.path() + "/file") == "not mine");

    REQUIRE(chmod(directory.path().c_str(), 0755) == 0); // a directory that others cannot write is no trap
    CHECK(write_report_file(directory.path() + "/link.json", "report").empty());
    CHECK(contents(precious) == "report");
    CHECK(mode_of(precious) == 0600);
    CHECK(write_report_file(directory.path() + "/file", "report").empty());
    struct stat status {
    };
    REQUIRE(stat((directory.path() + "/file").c_str(), &status) == 0);
    CHECK(status.st_uid == stranger); // like a file that was written in place
}

TEST_CASE("Nothing is left of a report whose process is killed while it writes")
{
    const Directory directory;
    const std::string file = directory.path() + "/report";
    const int probe = open(directory.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (probe < 0)
        return; // the file system has no files without a name
    close(probe);
    const std::string large(std::size_t{256} << 20, 'x');
    for (const int milliseconds : {2, 5, 10, 20}) {
        const pid_t child = fork();
        if (child == 0) {
            write_report_file(file, large);
            _exit(0);
        }
        REQUIRE(child > 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        REQUIRE(kill(child, SIGKILL) == 0);
        REQUIRE(waitpid(child, nullptr, 0) == child);
        for (const std::string& left : directory.files())
            CHECK(left == "report");
    }
}
