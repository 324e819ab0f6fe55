// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A hash says whether lists differ; only then the lists themselves travel, which one reduction compares with rank 0's.
#include "shim/papers/hop_other_list.hpp"

#include "shim/base/hash.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstdint>

namespace hopscotch::shim
{

namespace
{

/// What a number of neighboring ranks know, as ints: these fields, then the list of the first of them.
enum Field { list_length, first_rank, other_rank, fields };

const int none = -1; // other_rank where all of them have the same list

bool same_list(const int* a, const int* b)
{
    return a[list_length] == b[list_length] && std::equal(a + fields, a + fields + a[list_length], b + fields);
}

/// Of lower and higher ranks into one; MPI has the lower ones in `lower`.
void join(const int* lower, int* result, int ints)
{
    const int other = lower[other_rank] != none   ? lower[other_rank]
                      : !same_list(lower, result) ? result[first_rank]
                                                  : result[other_rank];
    std::copy_n(lower, ints, result);
    result[other_rank] = other;
}

void join_all(void* lower, void* result, int* count, MPI_Datatype* type)
{
    MPI_Aint from = 0;
    MPI_Aint bytes = 0;
    next.Type_get_extent(*type, &from, &bytes);
    const int ints = static_cast<int>(bytes / static_cast<MPI_Aint>(sizeof(int)));
    for (int i = 0; i < *count; ++i)
        join(static_cast<const int*>(lower) + i * ints, static_cast<int*>(result) + i * ints, ints);
}

MPI_Op joining()
{
    static const MPI_Op op = [] {
        MPI_Op created = MPI_OP_NULL;
        check(next.Op_create(join_all, 0, &created)); // in the order of ranks
        return created;
    }();
    return op;
}

/// All ints of one process as one element, which no library cuts in pieces.
void join_everywhere(MPI_Comm comm, std::vector<int>& known)
{
    const int ints = static_cast<int>(known.size());
    const MPI_Aint begin = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(next.Type_create_hindexed(1, &ints, &begin, MPI_INT, &type));
    int code = next.Type_commit(&type);
    if (code == MPI_SUCCESS)
        code = next.Allreduce(MPI_IN_PLACE, known.data(), 1, type, joining(), comm);
    next.Type_free(&type);
    check(code);
}

std::int64_t hash_of(const std::vector<int>& list)
{
    std::uint64_t hash = hash_begin ^ list.size();
    for (const int entry : list)
        hash = hash_with(hash, static_cast<std::uint32_t>(entry));
    return comparable(hash);
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
    const std::int64_t hash = hash_of(list);
    std::int64_t range[3] = {hash, -hash, static_cast<std::int64_t>(list.size())};
    check(next.Allreduce(MPI_IN_PLACE, range, 3, MPI_INT64_T, MPI_MAX, comm));
    if (range[0] == -range[1])
        return std::nullopt;
    int rank = 0;
    check(next.Comm_rank(comm, &rank));
    std::vector<int> known(static_cast<std::size_t>(fields + range[2]));
    known[list_length] = static_cast<int>(list.size());
    known[first_rank] = rank;
    known[other_rank] = none;
    std::copy(list.begin(), list.end(), known.begin() + fields);
    join_everywhere(comm, known);
    return OtherList{known[other_rank], {known.begin() + fields, known.begin() + fields + known[list_length]}};
}

} // namespace hopscotch::shim
