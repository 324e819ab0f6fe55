// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/collective_consensus.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <chrono>
#include <numeric>
#include <thread>

namespace hopscotch::shim
{

void CollectiveConsensus::reduce(void* values, std::size_t count, MPI_Datatype type, MPI_Op op)
{
    if (!while_waiting_)
        return check(next.MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), type, op, comm_));
    MPI_Request request = MPI_REQUEST_NULL;
    check(next.MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), type, op, comm_, &request));
    for (int done = 0;;) {
        check(next.MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (done != 0)
            return;
        while_waiting_();
    }
}

bool CollectiveConsensus::all_have_done(bool done)
{
    constexpr double most_seconds = 60.0;
    Patience patience;
    CollectiveConsensus others(comm_, [&] { // on all processes: a blocking collective matches no nonblocking one
        if (done)
            return;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (patience.spent() > most_seconds)
            end_job("an MPI function has failed on this process alone, for which the others wait; the job ends",
                    "an MPI function failed");
    });
    return others.all(done);
}

void CollectiveConsensus::maxima(std::int64_t* values, std::size_t count)
{
    if (count <= most_over_faster_)
        return faster_->maxima(values, count);
    reduce(values, count, MPI_INT64_T, MPI_MAX);
}

void CollectiveConsensus::maxima(double* values, std::size_t count)
{
    reduce(values, count, MPI_DOUBLE, MPI_MAX);
}

void CollectiveConsensus::common_bits(std::uint64_t* words, std::size_t count)
{
    reduce(words, count, MPI_UINT64_T, MPI_BAND);
}

std::uint64_t CollectiveConsensus::common_bits(std::uint64_t word)
{
    common_bits(&word, 1);
    return word;
}

/// Adds the values as unsigned numbers. Signed ones could overflow, which is an error.
void CollectiveConsensus::sums(std::int64_t* values, std::size_t count)
{
    reduce(values, count, MPI_UINT64_T, MPI_SUM);
}

void CollectiveConsensus::broadcast(void* bytes, std::size_t count, int root)
{
    check(next.MPI_Bcast(bytes, static_cast<int>(count), MPI_BYTE, root, comm_));
}

std::vector<int> CollectiveConsensus::gathered(const std::vector<int>& own, int root)
{
    const int rank = rank_in(comm_);
    const int size = size_of(comm_);
    std::vector<int> all(rank == root ? own.size() * static_cast<std::size_t>(size) : 0);
    const int count = static_cast<int>(own.size());
    check(next.MPI_Gather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, root, comm_));
    return all;
}

std::vector<std::vector<int>> CollectiveConsensus::lists(const std::vector<int>& own)
{
    const int size = size_of(comm_);
    const int length = static_cast<int>(own.size());
    std::vector<int> lengths(static_cast<std::size_t>(size));
    check(next.MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_));
    std::vector<int> positions(lengths.size(), 0);
    std::partial_sum(lengths.begin(), lengths.end() - 1, positions.begin() + 1);
    std::vector<int> all(static_cast<std::size_t>(positions.back() + lengths.back()) + 1);
    check(
        next.MPI_Allgatherv(own.data(), length, MPI_INT, all.data(), lengths.data(), positions.data(), MPI_INT, comm_));
    std::vector<std::vector<int>> lists;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank)
        lists.emplace_back(all.begin() + positions[rank], all.begin() + positions[rank] + lengths[rank]);
    return lists;
}

} // namespace hopscotch::shim
