// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes of MPI, put together by all of its constructors, and memory for their elements.
#include "test/shim/blocks/random_types.hpp"

#include "test/catch.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"

namespace
{

int below(std::mt19937& random, int limit)
{
    return static_cast<int>(random() % static_cast<unsigned>(limit));
}

MPI_Aint true_extent(MPI_Datatype type, MPI_Aint& begin)
{
    MPI_Aint extent = 0;
    MPI_Type_get_true_extent(type, &begin, &extent);
    return extent;
}

/// A basic type, or one made of it by a constructor; elements of it follow one another without overlap.
MPI_Datatype make(std::mt19937& random, int depth)
{
    if (depth == 0) {
        const MPI_Datatype basic[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_SHORT};
        MPI_Datatype copy = MPI_DATATYPE_NULL;
        MPI_Type_dup(basic[below(random, 4)], &copy);
        return copy;
    }
    MPI_Datatype inner = make(random, depth - 1);
    MPI_Aint begin = 0;
    const MPI_Aint bytes = std::max<MPI_Aint>(true_extent(inner, begin), 1);
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(inner, &bound, &extent);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int length = 1 + below(random, 3);
    const int count = 1 + below(random, 3);
    const int lengths[] = {length, 1, 2};
    switch (below(random, 8)) {
    case 0:
        MPI_Type_contiguous(count, inner, &made);
        break;
    case 1:
        MPI_Type_vector(count, length, length + below(random, 3), inner, &made);
        break;
    case 2:
        MPI_Type_create_hvector(count, 1, bytes + below(random, 9), inner, &made);
        break;
    case 3: {
        const int displacements[] = {below(random, 3), 8, 20}; // blocks of at most three elements each
        MPI_Type_indexed(3, lengths, displacements, inner, &made);
        break;
    }
    case 4: {
        const MPI_Aint displacements[] = {50 * extent + 3, 0, 20 * extent + 1}; // not in the order of addresses
        MPI_Type_create_hindexed(3, lengths, displacements, inner, &made);
        break;
    }
    case 5: {
        const MPI_Aint displacements[] = {0, 10 * extent + 64};
        const MPI_Datatype types[] = {inner, MPI_SHORT};
        MPI_Type_create_struct(2, lengths, displacements, types, &made);
        break;
    }
    case 6: {
        const int sizes[] = {count + 2, length + 1};
        const int parts[] = {count, length};
        const int starts[] = {below(random, 3), below(random, 2)};
        MPI_Type_create_subarray(2, sizes, parts, starts, below(random, 2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                                 inner, &made);
        break;
    }
    default:
        MPI_Type_create_resized(inner, begin, bytes + below(random, 9), &made);
    }
    MPI_Type_free(&inner);
    // Overlapping elements (of a type that reaches beyond its extent) are no types to receive with.
    const MPI_Aint reach = true_extent(made, begin);
    MPI_Type_get_extent(made, &bound, &extent);
    if (extent < reach) {
        MPI_Datatype apart = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(made, begin, reach, &apart);
        MPI_Type_free(&made);
        made = apart;
    }
    return made;
}

} // namespace

RandomType::RandomType(std::mt19937& random) : type_(make(random, below(random, 4)))
{
    MPI_Type_commit(&type_);
}

void for_random_types(unsigned types, const std::function<void(const RandomType&, std::mt19937&)>& try_out)
{
    for (unsigned number = 0; number < types; ++number) {
        INFO("seed " << seed() + number);
        std::mt19937 random(seed() + number);
        const RandomType type(random);
        try_out(type, random);
    }
}

ElementMemory::ElementMemory(MPI_Datatype type, int elements) : type_(type), elements_(elements)
{
    MPI_Aint begin = 0;
    const MPI_Aint reach = true_extent(type, begin);
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &bound, &extent);
    constexpr std::ptrdiff_t margin = 64;
    origin_ = margin - std::min<MPI_Aint>(begin, 0);
    bytes_.resize(
        static_cast<std::size_t>(origin_ + std::max<MPI_Aint>(begin, 0) + reach + elements * extent + margin));
    for (std::size_t i = 0; i < bytes_.size(); ++i)
        bytes_[i] = static_cast<char>(i * 37 + i / 256);
}

std::vector<char> ElementMemory::packed() const
{
    int room = 0;
    MPI_Pack_size(elements_, type_, MPI_COMM_WORLD, &room);
    std::vector<char> data(static_cast<std::size_t>(room));
    int end = 0;
    MPI_Pack(bytes_.data() + origin_, elements_, type_, data.data(), room, &end, MPI_COMM_WORLD);
    data.resize(static_cast<std::size_t>(end));
    return data;
}
