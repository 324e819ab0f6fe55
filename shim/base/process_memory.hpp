// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies from the memory of another process of this machine, if the system allows it (process_vm_readv).
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/uio.h>
#include <vector>

namespace hopscotch::shim
{

/// A random word of a process, and its address: a process that reads the word there reads the memory of that process.
/// In a PID namespace of its own a process may have the number of another one here.
struct MemoryProof {
    std::int64_t process = 0;
    std::uint64_t address = 0;
    std::uint64_t word = 0;
};

/// The proof of this process. Local.
MemoryProof own_memory_proof() noexcept;

/// True if this process can read that one's memory. Local: one call of the system.
bool reads_memory_of(const MemoryProof& proof) noexcept;

/// Lets all processes of the same user read this one's memory if the system allows it to ancestors only (Yama). Local;
/// for the life of the process.
void let_processes_read() noexcept;

/// Reads that the system has refused this process, and the reason of the last refusal (errno).
struct RefusedReads {
    std::uint64_t count = 0;
    int error = 0;
};
RefusedReads refused_reads() noexcept;

/// Pieces of another process's memory and their destinations, copied by few calls of the system.
class MemoryReader
{
  public:
    /// `bytes`: not 0. Throws: std::bad_alloc.
    void add(char* to, std::uint64_t from, std::size_t bytes);

    /// Copies all pieces, and forgets them. False if the system refuses a piece, which is counted: it may be memory of
    /// a driver, and one of the processes may have given up its rights. The first refusal is logged. Local.
    bool read(std::int64_t process) noexcept;

  private:
    std::vector<iovec> to_;
    std::vector<iovec> from_; // with the same lengths
};

} // namespace hopscotch::shim
