// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A file in memory is found by its maker's description; no other file is taken for it, and no other file is touched.
#include "test/catch.hpp"

#include "shim/memory/memory_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

constexpr std::size_t bytes = 10000;

/// A descriptor that is closed at the end.
struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() { close(number); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number;
};

/// A file of the user's that nobody sees; it holds `content`.
int user_file(const std::string& content)
{
    char name[] = "/tmp/hopscotch_memory_file_XXXXXX";
    const int file = mkstemp(name);
    unlink(name);
    REQUIRE(write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
    return file;
}

/// The identity that a maker of this file would have sent.
FileIdentity identity_of(const Descriptor& file, const FileIdentity& told)
{
    struct stat found {
    };
    REQUIRE(fstat(file.number, &found) == 0);
    FileIdentity identity = told;
    identity.descriptor = file.number;
    identity.device = found.st_dev;
    identity.inode = found.st_ino;
    return identity;
}

Refusal finding(const FileIdentity& identity)
{
    return MemoryFile::find(identity, bytes).refusal();
}

/// The number of open descriptors, that of the directory included.
std::ptrdiff_t open_descriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

/// The number of mapped files in memory.
int mappings()
{
    std::ifstream all("/proc/self/maps");
    int found = 0;
    for (std::string line; std::getline(all, line);)
        found += line.find("memfd:hopscotch") != std::string::npos ? 1 : 0;
    return found;
}

/// The name of a file with this content.
std::string setting(const std::string& content)
{
    static const Descriptor file(user_file(""));
    REQUIRE(ftruncate(file.number, 0) == 0);
    REQUIRE(pwrite(file.number, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
    return "/proc/self/fd/" + std::to_string(file.number);
}

struct stat status_of(const MemoryFile& made)
{
    struct stat found {
    };
    REQUIRE(fstat(static_cast<int>(made.identity().descriptor), &found) == 0);
    return found;
}

/// Pages that the file takes up.
std::size_t pages_of(const MemoryFile& made)
{
    return static_cast<std::size_t>(status_of(made).st_blocks) * 512 / static_cast<std::size_t>(getpagesize());
}

} // namespace

TEST_CASE("a file in memory leaves no descriptor and no mapping") // first: the system's limit on memory is read once
{
    const std::ptrdiff_t before = open_descriptors();
    {
        MemoryFile made = MemoryFile::make(bytes);
        made.reserve({{0, 100}});
        CHECK(open_descriptors() == before + 1);
        CHECK(mappings() == 1);
    }
    CHECK(open_descriptors() == before);
    CHECK(mappings() == 0);
}

TEST_CASE("descriptor 0 is one like others")
{
    const MemoryFile made = MemoryFile::make(bytes);
    const std::string mode = setting("1");
    const Descriptor input(dup(STDIN_FILENO));
    close(STDIN_FILENO);
    const std::ptrdiff_t before = open_descriptors();
    {
        const MemoryFile found = MemoryFile::find(made.identity(), bytes);
        CHECK(found.refusal() == Refusal::none);
        CHECK(open_descriptors() == before + 1);
    }
    {
        const MemoryFile first = MemoryFile::make(bytes);
        CHECK(first.identity().descriptor == STDIN_FILENO);
        CHECK(first.refusal() == Refusal::none);
        const MemoryFile found = MemoryFile::find(first.identity(), bytes);
        std::strcpy(first.base(), "hop");
        CHECK(std::string(found.base()) == "hop");
    }
    CHECK_FALSE(counts_memory(mode.c_str()));
    CHECK(open_descriptors() == before);
    dup2(input.number, STDIN_FILENO);
}

TEST_CASE("the system counts memory in mode 2, and perhaps in one that is not known")
{
    CHECK_FALSE(counts_memory(setting("0\n").c_str()));
    CHECK_FALSE(counts_memory(setting("1\n").c_str()));
    CHECK(counts_memory(setting("2\n").c_str()));
    CHECK(counts_memory(setting("").c_str()));
    CHECK(counts_memory("/nowhere"));
}

TEST_CASE("memory is taken where the system counts it, and only there")
{
    const std::size_t page = static_cast<std::size_t>(getpagesize());
    for (const bool counted : {false, true}) {
        MemoryFile made = MemoryFile::make(20 * page, counted);
        REQUIRE(made.refusal() == Refusal::none);
        CHECK(status_of(made).st_size > static_cast<off_t>(20 * page)); // and words in front
        const std::size_t before = pages_of(made);
        errno = EINTR; // of an earlier call
        made.reserve({{3 * page, page - 64}, {7 * page, 0}, {10 * page, 2 * page - 64}});
        CHECK(made.refusal() == Refusal::none);
        CHECK(pages_of(made) == before + (counted ? 3 : 0));
        made.close();
        made.reserve({{0, 1}});
        CHECK(made.refusal() == (counted ? Refusal::no_memory : Refusal::none));
        MemoryFile refused = MemoryFile::refused(Refusal::not_made);
        refused.reserve({{0, 1}});
        CHECK(refused.refusal() == Refusal::not_made);
    }
}

TEST_CASE("a file in memory is shared by all that find it")
{
    MemoryFile made = MemoryFile::make(bytes);
    REQUIRE(made.refusal() == Refusal::none);
    MemoryFile found = MemoryFile::find(made.identity(), bytes);
    REQUIRE(found.refusal() == Refusal::none);
    CHECK(found.base() != made.base());
    CHECK(std::string(found.base(), bytes) == std::string(bytes, '\0'));
    made.reserve({{0, 100}, {bytes - 100, 100}});
    made.close();
    found.close();
    std::strcpy(made.base() + bytes - 100, "hop");
    const MemoryFile moved = std::move(found);
    CHECK(std::string(moved.base() + bytes - 100) == "hop");
}

TEST_CASE("nothing else is taken for a file in memory")
{
    const MemoryFile made = MemoryFile::make(bytes);
    FileIdentity told = made.identity();
    CHECK(MemoryFile::find(told, bytes + 1).refusal() == Refusal::not_found);

    const std::string content(20000, 'u');
    const Descriptor file(user_file(content));
    told.descriptor = file.number; // the number means another file here
    const Descriptor watch(inotify_init1(IN_NONBLOCK));
    REQUIRE(inotify_add_watch(watch.number, ("/proc/self/fd/" + std::to_string(file.number)).c_str(), IN_OPEN) >= 0);
    CHECK(finding(told) == Refusal::not_found);
    char event[sizeof(inotify_event)];
    CHECK(read(watch.number, event, sizeof event) == -1);          // it has not been opened
    CHECK(finding(identity_of(file, told)) == Refusal::not_found); // the same numbers on another system
    std::string now(content.size(), ' ');
    CHECK(pread(file.number, now.data(), now.size(), 0) == static_cast<ssize_t>(now.size()));
    CHECK(now == content);

    told = made.identity();
    told.words[1] ^= 1;
    CHECK(finding(told) == Refusal::not_found);
    told = made.identity();
    told.process = 0; // no process
    CHECK(finding(told) == Refusal::not_found);

    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const Descriptor reading(ends[0]);
    const Descriptor writing(ends[1]);
    CHECK(finding(identity_of(reading, made.identity())) == Refusal::not_found);
}

TEST_CASE("a file that may not be so large is not made, without a signal")
{
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit small = before;
    small.rlim_cur = static_cast<rlim_t>(status_of(MemoryFile::make(bytes)).st_size);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    CHECK(MemoryFile::make(bytes).refusal() == Refusal::none);
    const MemoryFile made = MemoryFile::make(bytes + 1);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(made.refusal() == Refusal::file_size);
    CHECK(made.identity().descriptor == -1);
    CHECK(finding(made.identity()) == Refusal::none); // its maker has printed the reason
    CHECK_FALSE(in_words(made.refusal()).empty());
}
