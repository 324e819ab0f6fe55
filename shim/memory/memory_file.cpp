// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes memory a file that no file system shows: made by one process, found by others, proven to be the one meant.
#include "shim/memory/memory_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// A longer file than the process may make is answered by a signal.
bool may_have_file_of(std::size_t bytes) noexcept
{
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

bool is_described_by(const struct stat& found, const FileIdentity& identity) noexcept
{
    return S_ISREG(found.st_mode) && found.st_dev == identity.device && found.st_ino == identity.inode;
}

} // namespace

bool counts_memory(const char* setting) noexcept
{
    const int descriptor = ::open(setting, O_RDONLY | O_CLOEXEC);
    char mode = '?';
    const bool read_it = descriptor >= 0 && read(descriptor, &mode, 1) == 1;
    if (descriptor >= 0)
        ::close(descriptor);
    return !read_it || (mode != '0' && mode != '1');
}

bool memory_is_counted() noexcept
{
    static const bool counted = counts_memory("/proc/sys/vm/overcommit_memory");
    return counted;
}

std::string_view in_words(Refusal refusal) noexcept
{
    switch (refusal) {
    case Refusal::none:
        return {};
#define REASON(name, text, meaning, what_to_do)
#define REFUSAL(name, text, meaning, what_to_do)                                                                       \
    case Refusal::name:                                                                                                \
        return text;
#include "schedules/selection/reasons.def"
#undef REFUSAL
#undef REASON
    }
    return {};
}

MemoryFile MemoryFile::make(std::size_t bytes, bool counted) noexcept
{
    MemoryFile file(bytes, counted);
    file.refusal_ = file.create();
    if (file.refusal_ != Refusal::none)
        file.identity_.descriptor = -1;
    return file;
}

Refusal MemoryFile::create() noexcept
{
    if (!may_have_file_of(bytes_))
        return Refusal::file_size;
    descriptor_ = memfd_create("hopscotch", MFD_CLOEXEC);
    struct stat found {
    };
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0 || fstat(descriptor_, &found) != 0)
        return Refusal::not_made;
    identity_ = {getpid(), descriptor_, found.st_dev, found.st_ino, {}};
    if (getrandom(identity_.words.data(), sizeof identity_.words, GRND_NONBLOCK) != sizeof identity_.words)
        return Refusal::not_made;
    if (!map())
        return Refusal::not_mapped;
    if (!take({0, front_bytes}))
        return Refusal::no_memory;
    std::memcpy(mapping_, identity_.words.data(), sizeof identity_.words);
    return Refusal::none;
}

MemoryFile MemoryFile::find(const FileIdentity& identity, std::size_t bytes) noexcept
{
    MemoryFile file(bytes, memory_is_counted());
    if (identity.descriptor >= 0) // else its maker gives the reason
        file.refusal_ = file.open(identity);
    return file;
}

Refusal MemoryFile::open(const FileIdentity& identity) noexcept
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%lld/fd/%lld", static_cast<long long>(identity.process),
                  static_cast<long long>(identity.descriptor));
    struct stat found {
    };
    if (stat(path, &found) != 0 || !is_described_by(found, identity))
        return Refusal::not_found;
    descriptor_ = ::open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0 || !is_proven(identity))
        return Refusal::not_found;
    return map() ? Refusal::none : Refusal::not_mapped;
}

MemoryFile MemoryFile::refused(Refusal refusal) noexcept
{
    MemoryFile file(0, false);
    file.refusal_ = refusal;
    return file;
}

/// The file open now may be another than the one before; numbers may be the same on another system.
bool MemoryFile::is_proven(const FileIdentity& identity) const noexcept
{
    struct stat found {
    };
    decltype(identity.words) words{};
    return fstat(descriptor_, &found) == 0 && is_described_by(found, identity) &&
           found.st_size == static_cast<off_t>(bytes_) &&
           pread(descriptor_, words.data(), sizeof words, 0) == sizeof words && words == identity.words;
}

bool MemoryFile::map() noexcept
{
    void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
    if (mapped == MAP_FAILED)
        return false;
    mapping_ = static_cast<char*>(mapped);
    return true;
}

void MemoryFile::reserve(const std::vector<Range>& ranges) noexcept
{
    for (const Range& range : ranges)
        if (refusal_ == Refusal::none && mapping_ != nullptr && !take({front_bytes + range.offset, range.bytes}))
            refusal_ = Refusal::no_memory;
}

/// The file does not grow, so no limit on its size matters.
bool MemoryFile::take(Range of_file) noexcept
{
    if (!counted_ || of_file.bytes == 0)
        return true;
    int status = 0;
    do
        status = fallocate(descriptor_, 0, static_cast<off_t>(of_file.offset), static_cast<off_t>(of_file.bytes));
    while (status != 0 && errno == EINTR);
    return status == 0;
}

void MemoryFile::close() noexcept
{
    if (descriptor_ >= 0)
        ::close(std::exchange(descriptor_, -1));
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : bytes_(other.bytes_), mapping_(std::exchange(other.mapping_, nullptr)),
      descriptor_(std::exchange(other.descriptor_, -1)), identity_(other.identity_), refusal_(other.refusal_),
      counted_(other.counted_)
{
}

MemoryFile::~MemoryFile()
{
    close();
    if (mapping_ != nullptr)
        munmap(mapping_, bytes_);
}

} // namespace hopscotch::shim
