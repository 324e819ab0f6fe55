// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Types inside others are read once, without those that hold no data, and up to a limit.
#include "test/catch.hpp"

#include "shim/blocks/type_description.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"

#include <cstdint>
#include <utility>

using namespace hopscotch::shim;

namespace
{

/// A structure of two members of one type, which it frees. `second`: their number in the second member.
MPI_Datatype pair_of(MPI_Datatype inner, int second)
{
    const int lengths[] = {1, second};
    const MPI_Aint at[] = {0, extent_of(inner)};
    const MPI_Datatype types[] = {inner, inner};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, at, types, &made);
    MPI_Type_free(&inner);
    return made;
}

MPI_Datatype nested(int levels, int second)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_dup(MPI_INT, &type);
    for (int i = 0; i < levels; ++i)
        type = pair_of(type, second);
    return type;
}

/// Structures that have the one inside them twice, with doubles between. Frees the innermost one.
MPI_Datatype interleaved(MPI_Datatype type, int levels)
{
    for (int i = 0; i < levels; ++i) {
        const int lengths[] = {1, 1, 1};
        const MPI_Aint at[] = {0, extent_of(type), extent_of(type) + 8};
        const MPI_Datatype types[] = {type, MPI_DOUBLE, type};
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(3, lengths, at, types, &made);
        MPI_Type_free(&type);
        type = made;
    }
    return type;
}

/// Single bytes, every other one.
MPI_Datatype scattered(int bytes)
{
    const std::vector<int> lengths(static_cast<std::size_t>(bytes), 1);
    std::vector<MPI_Aint> at(lengths.size());
    for (std::size_t i = 0; i < at.size(); ++i)
        at[i] = static_cast<MPI_Aint>(2 * i);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(bytes, lengths.data(), at.data(), MPI_CHAR, &made);
    return made;
}

/// The number of types in the description; 0: there is none.
std::size_t described_types(MPI_Datatype type)
{
    const auto types = description_of(type);
    MPI_Type_free(&type);
    return types.has_value() ? types->size() : 0;
}

/// True if the library returns the handles that a type was made with.
bool returns_used_handles()
{
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Datatype outer = MPI_DATATYPE_NULL;
    MPI_Datatype read = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_contiguous(2, inner, &outer);
    int number = 0;
    MPI_Aint unused = 0;
    MPI_Type_get_contents(outer, 1, 0, 1, &number, &unused, &read);
    const bool same = read == inner;
    for (MPI_Datatype* const type : {&read, &outer, &inner})
        MPI_Type_free(type);
    return same;
}

/// While it lives the MPI library seems to have types of many levels, each an int in the end. With one of a thousand
/// levels made MPI_Pack of MPICH 4.0.2 leaves out bytes of other types from then on.
struct SeemingTypes : ReplacedFunctions {
    static constexpr std::uintptr_t first = 0x10000;

    static MPI_Datatype of_levels(std::uintptr_t levels)
    {
        return levels == 0 ? MPI_INT : (MPI_Datatype)(first + levels);
    }

    SeemingTypes()
    {
        next.MPI_Type_get_envelope_c = nullptr;
        next.MPI_Type_get_contents_c = nullptr;
        next.MPI_Type_get_envelope = [](MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
            if (type == MPI_INT)
                return library.MPI_Type_get_envelope(type, integers, addresses, types, combiner);
            *integers = *types = 1;
            *addresses = 0;
            *combiner = MPI_COMBINER_CONTIGUOUS;
            return MPI_SUCCESS;
        };
        next.MPI_Type_get_contents = [](MPI_Datatype type, int, int, int, int* integers, MPI_Aint*,
                                        MPI_Datatype* types) {
            *integers = 1;
            *types = of_levels(number_of(type) - first - 1);
            return MPI_SUCCESS;
        };
        next.MPI_Type_size_x = [](MPI_Datatype, MPI_Count* size) { return *size = sizeof(int), MPI_SUCCESS; };
        next.MPI_Type_get_extent = [](MPI_Datatype, MPI_Aint* lower, MPI_Aint* extent) {
            return *lower = 0, *extent = sizeof(int), MPI_SUCCESS;
        };
        next.MPI_Type_free = [](MPI_Datatype*) { return MPI_SUCCESS; };
    }
};

} // namespace

TEST_CASE("A type that others use many times is read once, and without members of count 0")
{
    const bool once = returns_used_handles();
    MPI_Datatype ints = MPI_DATATYPE_NULL;
    MPI_Datatype nothing = MPI_DATATYPE_NULL;
    MPI_Type_dup(MPI_INT, &ints);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    CHECK(described_types(nested(10, 1)) == (once ? 12 : 2 + 2 * ((1 << 10) - 1) + 0u));
    CHECK(described_types(nested(10, 0)) == 12);
    CHECK(described_types(nested(40, 0)) == 42);
    if (once)
        CHECK(described_types(nested(25, 1)) == 27);
    else
        CHECK(described_types(nested(25, 1)) == 0);
    const std::size_t twenty = described_types(interleaved(ints, 20));
    const std::size_t with_nothing = described_types(interleaved(nothing, 1));
    CHECK((!once || (twenty == 23 && with_nothing == 3)));
}

TEST_CASE("Types of too many levels, and those with gaps that only the library knows, are not described")
{
    CHECK(described_types(nested(300, 0)) == 302);
    {
        const SeemingTypes types;
        const auto known = description_of(SeemingTypes::of_levels(1 << 14));
        CHECK((known.has_value() && known->size() == (1 << 14) + 1));
        CHECK_FALSE(description_of(SeemingTypes::of_levels((1 << 14) + 1)).has_value());
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_SHORT_INT, &type);
    CHECK(described_types(type) == 0);
    CHECK(description_of(MPI_INT)->size() == 1);
}

TEST_CASE("Types of too many arguments are not described")
{
    if (!returns_used_handles())
        return; // each type inside counts as several
    CHECK(described_types(scattered((1 << 19) - 1)) == 2);
    CHECK(described_types(scattered(1 << 19)) == 0);
#if MPI_VERSION >= 4
    const std::vector<MPI_Count> counts(1 << 19, 1);
    std::vector<MPI_Count> at(counts.size());
    std::iota(at.begin(), at.end(), 0);
    MPI_Datatype large = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_c(1 << 19, counts.data(), at.data(), MPI_CHAR, &large);
    CHECK(described_types(large) == 0);
#endif
}
