// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/base/process_memory.hpp"

#include "shim/base/log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
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

/// Leaves the rest of a piece after its first bytes have been copied.
void shorten(iovec& piece, std::size_t bytes)
{
    piece.iov_base = static_cast<char*>(piece.iov_base) + bytes;
    piece.iov_len -= bytes;
}

std::atomic<std::uint64_t> refused{0};
std::atomic<int> last_error{0};

void note_refusal(std::int64_t process, int error) noexcept
{
    last_error = error;
    if (refused.fetch_add(1) != 0)
        return;
    char line[200];
    std::snprintf(line, sizeof line,
                  "the system refuses to copy from the memory of process %lld (%s): messages carry what it lends",
                  static_cast<long long>(process), std::strerror(error));
    log(LogLevel::info, line);
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

void let_processes_read() noexcept
{
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // refused without Yama, where it is not needed
}

RefusedReads refused_reads() noexcept
{
    return {refused, last_error};
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
    if (!sound)
        note_refusal(process, errno);
    to_.clear();
    from_.clear();
    return sound;
}

} // namespace hopscotch::shim
