// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hands places in shared memory from the process that writes them to those that read them and back, turn by turn.
#include "shim/memory/turn.hpp"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hopscotch::shim
{

// The stamp is written before the sleepers are counted, and a sleeper is counted before it looks at the stamp for the
// last time. In the one order of these four operations either the publisher sees the sleeper or the sleeper the stamp.
void Stamp::publish(SequenceNumber turn, const Sleepers& sleepers) noexcept
{
    word_.store(word_of(turn), std::memory_order_seq_cst);
    if (sleepers.count_.load(std::memory_order_seq_cst) != 0)
        syscall(SYS_futex, &word_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Sleepers::sleep_until(Stamp& stamp, SequenceNumber turn) noexcept
{
    constexpr timespec most{0, 1000000};
    count_.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t seen = stamp.word_.load(std::memory_order_seq_cst);
    if (seen != word_of(turn)) // the kernel compares again with the value that was seen
        syscall(SYS_futex, &stamp.word_, FUTEX_WAIT, seen, &most, nullptr, 0);
    count_.fetch_sub(1, std::memory_order_relaxed); // one too many costs a call of the kernel, nothing else
}

} // namespace hopscotch::shim
