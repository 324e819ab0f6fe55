// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares lists by a hash; only if it differs rank 0's list travels to all.
#include "shim/hop/hop_other_list.hpp"

#include "schedules/selection/agreement.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/inquiries.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace hopscotch::shim
{

namespace
{

std::int64_t hash_of(const std::vector<int>& list)
{
    std::uint64_t hash = schedules::hash_begin ^ list.size();
    for (const int entry : list)
        hash = schedules::hash_with(hash, static_cast<std::uint32_t>(entry));
    return schedules::comparable(hash);
}

} // namespace

std::string OtherList::text(const std::vector<int>& list) const
{
    const std::string who = "rank " + std::to_string(rank);
    const auto [here, there] = std::mismatch(list.begin(), list.end(), reference.begin(), reference.end());
    if (here == list.end() || there == reference.end())
        return who + " has " + std::to_string(list.size()) + " entries, rank 0 has " + std::to_string(reference.size());
    return who + ": entry " + std::to_string(here - list.begin()) + " is " + std::to_string(*here) +
           ", on rank 0 it is " + std::to_string(*there);
}

std::optional<OtherList> find_other_list(MPI_Comm comm, const std::vector<int>& list)
{
    CollectiveConsensus consensus(comm);
    if (consensus.all_equal(hash_of(list)))
        return std::nullopt;
    const int rank = rank_in(comm);
    OtherList other;
    const auto own_length = static_cast<std::int64_t>(list.size());
    other.reference = list;
    other.reference.resize(static_cast<std::size_t>(consensus.maximum(rank == 0 ? own_length : 0)));
    consensus.broadcast(other.reference.data(), other.reference.size() * sizeof(int), 0);
    other.rank = static_cast<int>(consensus.minimum(list != other.reference ? rank : INT_MAX));
    return other;
}

} // namespace hopscotch::shim
