// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/numbered_calls.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

namespace
{

template <class Call>
void append(std::deque<Call>& calls, const Call& call, std::size_t most)
{
    calls.push_back(call);
    if (calls.size() > most)
        calls.pop_front();
}

} // namespace

void NumberedCalls::remember(const NumberedCall& call)
{
    append(recent_, call, 16);
}

void NumberedCalls::hear(int rank, const NumberedCall& theirs)
{
    append(heard_, {rank, theirs}, 1024);
}

std::optional<Mismatch> NumberedCalls::mismatch(const NumberedCall& waiting) const
{
    const auto differ = [](const NumberedCall& one, const NumberedCall& other) {
        return one.same_call(other) && one.algorithm != other.algorithm;
    };
    for (const auto& [rank, theirs] : heard_) {
        if (differ(waiting, theirs))
            return Mismatch{rank, theirs, waiting};
        for (const NumberedCall& call : recent_)
            if (differ(call, theirs))
                return Mismatch{rank, theirs, call};
    }
    return std::nullopt;
}

} // namespace hopscotch::schedules
