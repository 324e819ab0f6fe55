// Collectives of processes that set a communicator up: by the board of these processes, or by messages.
#include "shim/together.hpp"

#include "shim/mpi_error.hpp"

#include <algorithm>
#include <numeric>

namespace hopscotch::shim
{

void Together::agree(Agreement& own) const
{
    if (board_ == nullptr || !agree_in_lines(own))
        check(next.Allreduce(MPI_IN_PLACE, own.values, static_cast<int>(std::size(own.values)), MPI_INT64_T, MPI_MAX,
                             comm_));
}

/// False on all processes where lines do not say enough.
bool Together::agree_in_lines(Agreement& own) const
{
    const AgreementLine line = line_of(own);
    board_->show(&line, sizeof line, comm_);
    const auto shown = [this](int rank) -> const AgreementLine& {
        return *static_cast<const AgreementLine*>(board_->shown(rank));
    };
    Agreement agreed = own;
    for (int rank = 0; rank < board_->size(); ++rank) {
        if (rank == board_->rank())
            continue;
        if (!line.agrees(shown(rank)))
            return false;
        add(agreed, shown(rank), rank);
    }
    own = agreed;
    return true;
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
