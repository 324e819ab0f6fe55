// Collectives by which the processes of a communicator set it up.
#include "shim/together.hpp"

#include "shim/mpi_error.hpp"

#include <iterator>
#include <numeric>

namespace hopscotch::shim
{

void Together::agree(Agreement& own) const
{
    check(
        next.Allreduce(MPI_IN_PLACE, own.values, static_cast<int>(std::size(own.values)), MPI_INT64_T, MPI_MAX, comm_));
}

void Together::common_bits(std::vector<std::uint64_t>& bits) const
{
    check(next.Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_BAND, comm_));
}

int Together::count(bool so) const
{
    int sum = so ? 1 : 0;
    check(next.Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm_));
    return sum;
}

void Together::broadcast(std::vector<int>& values, int root) const
{
    check(next.Bcast(values.data(), static_cast<int>(values.size()), MPI_INT, root, comm_));
}

std::vector<std::vector<int>> Together::lists(const std::vector<int>& own) const
{
    int size = 0;
    check(next.Comm_size(comm_, &size));
    const int length = static_cast<int>(own.size());
    std::vector<int> lengths(static_cast<std::size_t>(size));
    check(next.Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_));
    std::vector<int> positions(lengths.size(), 0);
    std::partial_sum(lengths.begin(), lengths.end() - 1, positions.begin() + 1);
    std::vector<int> all(static_cast<std::size_t>(positions.back() + lengths.back()) + 1);
    check(next.Allgatherv(own.data(), length, MPI_INT, all.data(), lengths.data(), positions.data(), MPI_INT, comm_));
    std::vector<std::vector<int>> lists;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank)
        lists.emplace_back(all.begin() + positions[rank], all.begin() + positions[rank] + lengths[rank]);
    return lists;
}

} // namespace hopscotch::shim
