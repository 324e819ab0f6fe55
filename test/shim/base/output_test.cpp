// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// No write of ours sends the program a signal, and none reaches a file that only has the number of stderr.
#include "test/catch.hpp"

#include "shim/base/output.hpp"
#include "test/shim/report/files.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

sigset_t only(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

bool is_pending(int signal)
{
    sigset_t pending;
    REQUIRE(sigpending(&pending) == 0);
    return sigismember(&pending, signal) == 1;
}

bool is_blocked(int signal)
{
    sigset_t blocked;
    REQUIRE(pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0);
    return sigismember(&blocked, signal) == 1;
}

void write_to_nobody()
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    CHECK_FALSE(write_all(ends[1], "lost"));
    CHECK(errno == EPIPE);
    close(ends[1]);
}

int reader; // of a pipe; does not wait
volatile sig_atomic_t alarms;
std::string came(std::size_t{1} << 20, '\0');
std::size_t length;

/// Takes a part of what is in the pipe at every tenth signal: at the others a write that waits has written nothing.
void take_some(int)
{
    if (++alarms % 10 != 0)
        return;
    const int error = errno;
    if (const ssize_t part = read(reader, came.data() + length, 50000); part > 0)
        length += static_cast<std::size_t>(part);
    errno = error;
}

} // namespace

TEST_CASE("A pipe that nobody reads is an error, not a signal")
{
    REQUIRE(signal(SIGPIPE, SIG_DFL) != SIG_ERR); // it would end the tests
    write_to_nobody();
    CHECK_FALSE(is_pending(SIGPIPE));
    CHECK_FALSE(is_blocked(SIGPIPE));
}

TEST_CASE("A signal of the program's own that waits goes on waiting")
{
    const sigset_t set = only(SIGPIPE);
    REQUIRE(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
    REQUIRE(raise(SIGPIPE) == 0);
    write_to_nobody();
    CHECK(is_pending(SIGPIPE));
    CHECK(is_blocked(SIGPIPE));
    int taken = 0;
    REQUIRE(sigwait(&set, &taken) == 0);
    REQUIRE(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0);
}

TEST_CASE("A limit on the size of files is an error, not a signal")
{
    const Directory directory;
    const std::string name = directory.path() + "/file";
    const int file = open(name.c_str(), O_WRONLY | O_CREAT, 0600);
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit limit{3, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    const bool written = write_all(file, "longer");
    const int error = errno;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    close(file);
    CHECK_FALSE(written);
    CHECK(error == EFBIG);
    CHECK_FALSE(is_pending(SIGXFSZ));
    CHECK(contents(name) == "lon");
}

TEST_CASE("A write that signals interrupt goes on")
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    reader = ends[0];
    std::string text;
    while (text.size() < 300000) // several times what a pipe holds
        text += std::to_string(text.size()) + " ";
    struct sigaction before {
    };
    struct sigaction taking {
    };
    taking.sa_handler = take_some; // without SA_RESTART
    REQUIRE(sigaction(SIGALRM, &taking, &before) == 0);
    const itimerval often{{0, 500}, {0, 500}};
    const itimerval never{};
    REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    const bool written = write_all(ends[1], text);
    REQUIRE(setitimer(ITIMER_REAL, &never, nullptr) == 0);
    REQUIRE(sigaction(SIGALRM, &before, nullptr) == 0);
    CHECK(written);
    for (ssize_t part = 1; part > 0; length += part > 0 ? static_cast<std::size_t>(part) : 0)
        part = read(ends[0], came.data() + length, came.size() - length);
    const bool all_came = came.substr(0, length) == text;
    CHECK(all_came);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("A file that has got the number of stderr is left alone")
{
    const Directory directory;
    const std::string name = directory.path() + "/data";
    CHECK(stderr_of([&name] {
              write_to_stderr("before");
              const int kept = dup(STDERR_FILENO);
              close(STDERR_FILENO);
              write_to_stderr("nobody");
              const int data = open(name.c_str(), O_WRONLY | O_CREAT, 0600);
              CHECK(data == STDERR_FILENO);
              write_to_stderr("data");
              CHECK(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
              close(kept);
              write_to_stderr(" and after");
          }) == "before and after");
    CHECK(contents(name).empty());
}
