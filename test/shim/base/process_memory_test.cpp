// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of another process is read if access has been proven, and pieces of it arrive.
#include "test/catch.hpp"

#include "shim/base/log.hpp"
#include "shim/base/process_memory.hpp"
#include "test/readable.hpp"
#include "test/shim/report/files.hpp"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace hopscotch::shim;

namespace
{

/// Memory of the kernel that a process can read itself, but other processes cannot; null if there is none.
const char* mapped_by_the_kernel()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("[vvar]") != std::string::npos)
            return reinterpret_cast<const char*>(std::stoull(line, nullptr, 16));
    return nullptr;
}

} // namespace

TEST_CASE("A process proves that it reads the memory of the one that is meant")
{
    if (!memory_is_readable())
        return;
    const MemoryProof own = own_memory_proof();
    MemoryProof other = own;
    other.word += 1; // another process of that number
    CHECK_FALSE(reads_memory_of(other));
    MemoryProof none = own;
    none.process = 0x7ffffff0; // no process
    CHECK_FALSE(reads_memory_of(none));
}

TEST_CASE("Pieces of a child's memory are copied, those before a refused one too")
{
    if (!memory_is_readable())
        return;
    char text[] = "of the parent";
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::strcpy(text, "of the child!");
        kill(getpid(), SIGSTOP);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, WUNTRACED) == child);
    char found[sizeof text] = {};
    MemoryReader reader;
    const auto place = reinterpret_cast<std::uintptr_t>(text);
    reader.add(found, place, 3);
    reader.add(found + 3, place + 3, sizeof text - 3);
    CHECK(reader.read(child));
    CHECK(std::string(found) == "of the child!");
    CHECK(reader.read(child)); // nothing

    char again[4] = {};
    const bool first = refused_reads().count == 0;
    set_log_level(LogLevel::info);
    const std::string lines = stderr_of([&] {
        for (int i = 0; i < 2; ++i) {
            reader.add(again, place, 2);
            reader.add(again + 2, 16, 2); // an address without memory
            CHECK_FALSE(reader.read(child));
        }
    });
    set_log_level(LogLevel::warn);
    CHECK(std::string(again) == "of");
    CHECK(std::count(lines.begin(), lines.end(), '\n') == (first ? 1 : 0)); // once in a process
    if (first)
        CHECK(lines.find("of process " + std::to_string(child) + " (") != std::string::npos);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
}

TEST_CASE("More pieces are copied than the system takes at once")
{
    if (!memory_is_readable())
        return;
    const std::size_t limit = IOV_MAX;
    for (const std::size_t pieces : {limit - 1, limit, limit + 1, 2 * limit, 3 * limit + 7}) {
        std::vector<char> from(3 * pieces);
        for (std::size_t i = 0; i < from.size(); ++i)
            from[i] = static_cast<char>(i * 7 + i / 256);
        std::vector<char> to(from.size(), '?');
        const std::uint64_t refused = refused_reads().count;
        MemoryReader reader;
        for (std::size_t i = 0; i < pieces; ++i) // of one and two bytes, in another order
            for (const std::size_t part : {0u, 1u}) {
                const std::size_t at = 3 * (pieces - 1 - i) + part;
                reader.add(&to[at], reinterpret_cast<std::uintptr_t>(&from[at]), 1 + part);
            }
        CHECK(reader.read(getpid()));
        CHECK(to == from);
        CHECK(refused_reads().count == refused);
    }
}

TEST_CASE("Memory mapped by a driver is refused, and the refusal counts")
{
    const char* const mapped = mapped_by_the_kernel();
    if (!memory_is_readable() || mapped == nullptr)
        return;
    const std::uint64_t before = refused_reads().count;
    char found = 0;
    MemoryReader reader;
    reader.add(&found, reinterpret_cast<std::uintptr_t>(mapped), 1);
    CHECK_FALSE(reader.read(getpid()));
    CHECK(refused_reads().count == before + 1);
    CHECK(refused_reads().error == EFAULT);
}

TEST_CASE("Letting others read is harmless if nothing restricts them")
{
    const bool before = reads_memory_of(own_memory_proof());
    let_processes_read();
    CHECK(reads_memory_of(own_memory_proof()) == before);
}
