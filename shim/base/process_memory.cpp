// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies from the memory of another process of this machine, where the system lets it (process_vm_readv).
#include "shim/base/process_memory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

void* at(std::uint64_t address)
{
    return (void*)static_cast<std::uintptr_t>(address);
}

/// The rest of a piece whose first bytes have been copied.
void shorten(iovec& piece, std::size_t bytes)
{
    piece.iov_base = static_cast<char*>(piece.iov_base) + bytes;
    piece.iov_len -= bytes;
}

} // namespace

MemoryProof own_memory_proof() noexcept
{
    static const std::uint64_t word = [] {
        std::uint64_t random = 0;
        const bool drawn = getrandom(&random, sizeof random, GRND_NONBLOCK) == sizeof random;
        return drawn ? random : 0;
    }();
    return {getpid(), (std::uintptr_t)&word, word};
}

bool reads_memory_of(const MemoryProof& proof) noexcept
{
    std::uint64_t found = 0;
    const iovec to{&found, sizeof found};
    const iovec from{at(proof.address), sizeof found};
    return proof.word != 0 &&
           process_vm_readv(static_cast<pid_t>(proof.process), &to, 1, &from, 1, 0) == sizeof found &&
           found == proof.word;
}

bool is_readable(const void* address) noexcept
{
    constexpr std::uint64_t page_bytes = 4096;
    thread_local std::array<std::uint64_t, 64> readable_pages{};
    const std::uint64_t page = (std::uintptr_t)address / page_bytes + 1; // never 0, which says that there is none
    std::uint64_t& known = readable_pages[page % readable_pages.size()];
    if (known == page)
        return true;
    char found = 0;
    const iovec to{&found, 1};
    const iovec from{const_cast<void*>(address), 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
        return false;
    known = page;
    return true;
}

void let_processes_read() noexcept
{
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // refused where Yama is not there, and not needed
}

void MemoryReader::add(char* to, std::uint64_t from, std::size_t bytes)
{
    to_.push_back({to, bytes});
    from_.push_back({at(from), bytes});
}

bool MemoryReader::read(std::int64_t process) noexcept
{
    std::size_t done = 0; // pieces
    bool sound = true;
    while (sound && done < to_.size()) {
        const std::size_t count = std::min<std::size_t>(to_.size() - done, IOV_MAX);
        const ssize_t copied = process_vm_readv(static_cast<pid_t>(process), &to_[done], count, &from_[done], count, 0);
        sound = copied > 0;
        auto rest = static_cast<std::size_t>(std::max<ssize_t>(copied, 0));
        for (; done < to_.size() && rest >= to_[done].iov_len; ++done)
            rest -= to_[done].iov_len;
        if (rest != 0) {
            shorten(to_[done], rest);
            shorten(from_[done], rest);
        }
    }
    to_.clear();
    from_.clear();
    return sound;
}

} // namespace hopscotch::shim
