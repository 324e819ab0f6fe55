// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of a communicator agree while they set it up, by collectives.
#include "shim/graph/set_up_consensus.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <numeric>

namespace hopscotch::shim
{

namespace
{

void join_all(void* theirs, void* ours, int* count, MPI_Datatype*)
{
    for (int i = 0; i < *count; ++i)
        join(static_cast<Agreement*>(ours)[i], static_cast<const Agreement*>(theirs)[i]);
}

MPI_Op joining()
{
    static const MPI_Op op = [] {
        MPI_Op created = MPI_OP_NULL;
        check(next.Op_create(join_all, 1, &created));
        return created;
    }();
    return op;
}

/// One agreement as one element: a library may cut an array of numbers in pieces. Freed at once, since MPICH names
/// types left behind when the program ends.
class AgreementType
{
  public:
    AgreementType()
    {
        const int values = static_cast<int>(Field::count);
        const MPI_Aint begin = 0;
        check(next.Type_create_hindexed(1, &values, &begin, MPI_INT64_T, &type_));
        check(next.Type_commit(&type_));
    }
    ~AgreementType() { next.Type_free(&type_); }
    AgreementType(const AgreementType&) = delete;
    AgreementType& operator=(const AgreementType&) = delete;

    MPI_Datatype get() const noexcept { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

} // namespace

void SetUpConsensus::agree(Agreement& own) const
{
    const AgreementType type;
    check(next.Allreduce(MPI_IN_PLACE, &own, 1, type.get(), joining(), comm_));
}

void SetUpConsensus::common_bits(std::vector<std::uint64_t>& bits) const
{
    check(next.Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_BAND, comm_));
}

int SetUpConsensus::count(bool so) const
{
    int sum = so ? 1 : 0;
    check(next.Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm_));
    return sum;
}

void SetUpConsensus::broadcast(std::vector<int>& values, int root) const
{
    check(next.Bcast(values.data(), static_cast<int>(values.size()), MPI_INT, root, comm_));
}

std::vector<std::vector<int>> SetUpConsensus::lists(const std::vector<int>& own) const
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
