// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A file in memory is found by its maker's description; no other file is taken for it, and no other file is touched.
#include "test/catch.hpp"

#include "shim/memory/memory_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
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

} // namespace

TEST_CASE("a file in memory leaves no descriptor open") // first: the system's limit on memory is read once
{
    const std::ptrdiff_t before = open_descriptors();
    {
        MemoryFile made = MemoryFile::make(bytes);
        made.reserve({{0, 100}});
        CHECK(open_descriptors() == before + 1);
    }
    CHECK(open_descriptors() == before);
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
    CHECK(finding(told) == Refusal::not_found);
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
    small.rlim_cur = bytes;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const MemoryFile made = MemoryFile::make(bytes);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(made.refusal() == Refusal::file_size);
    CHECK(made.identity().descriptor == -1);
    CHECK(finding(made.identity()) == Refusal::none); // its maker has printed the reason
    CHECK_FALSE(in_words(made.refusal()).empty());
}
