// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes memory a file that no file system shows: made by one process, found by others, proven to be the one meant.
#pragma once

#include "schedules/memory/segment_layout.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hopscotch::shim
{

/// The reason why a process cannot share memory. If several processes refuse, the largest reason is reported.
enum class Refusal {
    none,
#define REASON(name, text, meaning, what_to_do)
#define REFUSAL(name, text, meaning, what_to_do) name,
#include "schedules/selection/reasons.def"
#undef REFUSAL
#undef REASON
};

/// In words; empty for none. Refers to a permanent text.
std::string_view in_words(Refusal refusal) noexcept;

/// The description of a file that its maker sends to other processes.
struct FileIdentity {
    std::int64_t process = 0;
    std::int64_t descriptor = -1; // of that process; none if there is no file
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::array<std::uint64_t, 2> words{}; // random; the file begins with them
};

using schedules::Range;

/// True if the system counts all memory that processes may use and refuses more (vm.overcommit_memory, in this file).
/// Otherwise it refuses no page of such a file: out of memory, in a control group or everywhere, it kills a process,
/// and does so for reserved memory as for used memory.
bool counts_memory(const char* setting) noexcept;

/// The answer of this system.
bool memory_is_counted() noexcept;

/// It begins as zeros, takes up memory as it is written, and is gone with the last of its processes, even after a
/// crash.
class MemoryFile
{
  public:
    /// A new one, or the one that another process means. Local; the latter opens nothing for writing that is another
    /// file: of a process in a PID namespace of its own the number may be that of another process here.
    static MemoryFile make(std::size_t bytes, bool counted = memory_is_counted()) noexcept;
    static MemoryFile find(const FileIdentity& identity, std::size_t bytes) noexcept;

    /// None.
    static MemoryFile refused(Refusal refusal) noexcept;

    ~MemoryFile();
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Takes the memory that this process will write, at these offsets from base(). Without this the system might
    /// refuse a page at its first use and end the process by a signal. Before close(). Local.
    void reserve(const std::vector<Range>& ranges) noexcept;

    /// The descriptor is needed no more: others have found the file.
    void close() noexcept;

    Refusal refusal() const noexcept { return refusal_; }
    const FileIdentity& identity() const noexcept { return identity_; }
    char* base() const noexcept { return mapping_ + front_bytes; }

  private:
    /// For the words.
    static constexpr std::size_t front_bytes = 64;

    MemoryFile(std::size_t bytes, bool counted) noexcept : bytes_(bytes + front_bytes), counted_(counted) {}
    Refusal create() noexcept;
    Refusal open(const FileIdentity& identity) noexcept;
    bool map() noexcept;
    bool is_proven(const FileIdentity& identity) const noexcept;
    bool take(Range of_file) noexcept;

    std::size_t bytes_;
    char* mapping_ = nullptr;
    int descriptor_ = -1;
    FileIdentity identity_;
    Refusal refusal_ = Refusal::none;
    bool counted_;
};

} // namespace hopscotch::shim
