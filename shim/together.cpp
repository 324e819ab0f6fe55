// Collectives of processes that set a communicator up: by the board of these processes, or by messages.
#include "shim/together.hpp"

#include "shim/mpi_error.hpp"

#include <algorithm>
#include <numeric>

namespace hopscotch::shim
{

void Together::maximum(std::int64_t* values, std::size_t count) const
{
    if (!fits(count * sizeof *values)) {
        check(next.Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_INT64_T, MPI_MAX, comm_));
        return;
    }
    board_->show(values, count * sizeof *values, comm_);
    for (int rank = 0; rank < board_->size(); ++rank) {
        const auto* const shown = static_cast<const std::int64_t*>(board_->shown(rank));
        for (std::size_t i = 0; i < count; ++i)
            values[i] = std::max(values[i], shown[i]);
    }
}

void Together::common_bits(std::vector<std::uint64_t>& bits) const
{
    const std::size_t bytes = bits.size() * sizeof bits[0];
    if (!fits(bytes)) {
        check(next.Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_BAND, comm_));
        return;
    }
    board_->show(bits.data(), bytes, comm_);
    for (int rank = 0; rank < board_->size(); ++rank) {
        const auto* const shown = static_cast<const std::uint64_t*>(board_->shown(rank));
        for (std::size_t i = 0; i < bits.size(); ++i)
            bits[i] &= shown[i];
    }
}

int Together::count(bool so) const
{
    int sum = so ? 1 : 0;
    if (board_ == nullptr) {
        check(next.Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm_));
        return sum;
    }
    board_->show(&sum, sizeof sum, comm_);
    sum = 0;
    for (int rank = 0; rank < board_->size(); ++rank)
        sum += *static_cast<const int*>(board_->shown(rank));
    return sum;
}

void Together::broadcast(std::vector<int>& values, int root) const
{
    const std::size_t bytes = values.size() * sizeof values[0];
    if (!fits(bytes)) {
        check(next.Bcast(values.data(), static_cast<int>(values.size()), MPI_INT, root, comm_));
        return;
    }
    board_->show(values.data(), bytes, comm_);
    const auto* const shown = static_cast<const int*>(board_->shown(root));
    values.assign(shown, shown + values.size());
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
