// What processes agree on by short lines is what they would agree on by all their numbers.
#include "test/catch.hpp"

#include "shim/agreement.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace hopscotch::shim;

namespace
{

/// As a process fills it in.
Agreement statement(std::mt19937& random, int rank)
{
    const auto number = [&random](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(0, most)(random);
    };
    Agreement own;
    own.set_range(Field::version_max, Field::version_min, 7);
    own.set_range(Field::settings_max, Field::settings_min, std::numeric_limits<std::int64_t>::max() - 1);
    own.set_range(Field::hints_max, Field::hints_min, -5);
    own.set_range(Field::algorithms_max, Field::algorithms_min, 0);
    const std::int64_t out_degree = number(3);
    own.set_range(Field::out_degree_max, Field::out_degree_min, out_degree);
    own.set_range(Field::in_degree_max, Field::in_degree_min, number(1000000000));
    own[Field::root] = encode_root(out_degree, rank);
    for (const Field flag : {Field::parallel_edges, Field::unequal_degrees, Field::unmatched_edges,
                             Field::group_missing, Field::device_memory, Field::board_declined, Field::passed_original})
        own[flag] = number(5) == 0 ? 1 : 0;
    own[Field::next_tag_block] = number(1000);
    own[Field::serial] = number(1000000);
    own[Field::call_site] = rank == 0 ? std::numeric_limits<std::int64_t>::max() - number(1000) : 0;
    own[Field::unused_before] = -number(20);
    return own;
}

Agreement maximum(const std::vector<Agreement>& all)
{
    Agreement result = all.front();
    for (const Agreement& one : all)
        std::transform(one.values, one.values + static_cast<std::size_t>(Field::count), result.values, result.values,
                       [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    return result;
}

bool equal(const Agreement& one, const Agreement& other)
{
    return std::equal(one.values, one.values + static_cast<std::size_t>(Field::count), other.values);
}

} // namespace

TEST_CASE("Lines say what the numbers say")
{
    std::mt19937 random(20261122);
    for (int round = 0; round < 500; ++round) {
        const int processes = 1 + round % 9;
        std::vector<Agreement> all;
        for (int rank = 0; rank < processes; ++rank)
            all.push_back(statement(random, rank));
        for (const Agreement& own : all) {
            Agreement agreed = own;
            for (int rank = 0; rank < processes; ++rank) {
                const AgreementLine line = line_of(all[static_cast<std::size_t>(rank)]);
                REQUIRE(line_of(own).agrees(line));
                add(agreed, line, rank);
            }
            CHECK(equal(agreed, maximum(all)));
        }
    }
}

TEST_CASE("Lines that do not say enough do not agree")
{
    std::mt19937 random(1);
    const Agreement usual = statement(random, 0);
    CHECK(line_of(usual).agrees(line_of(usual)));
    for (const Field field : {Field::version_max, Field::settings_max, Field::hints_max, Field::algorithms_max}) {
        Agreement other = usual;
        other[field] += 1;
        CHECK_FALSE(line_of(usual).agrees(line_of(other)));
    }
    for (const Field field : {Field::in_degree_max, Field::next_tag_block, Field::serial, Field::unused_before}) {
        Agreement large = usual;
        large[field] = std::int64_t{1} << 31;
        CHECK_FALSE(line_of(usual).agrees(line_of(large)));
        CHECK_FALSE(line_of(large).agrees(line_of(usual)));
        CHECK_FALSE(line_of(large).agrees(line_of(large)));
    }
    Agreement gone;
    std::fill(std::begin(gone.values), std::end(gone.values), std::numeric_limits<std::int64_t>::min());
    gone[Field::given_up] = 1;
    CHECK_FALSE(line_of(gone).agrees(line_of(gone)));
}

TEST_CASE("The root is the first process with most destinations")
{
    CHECK(decode_root(encode_root(26, 5)) == 5);
    CHECK(encode_root(26, 5) > encode_root(26, 6));
    CHECK(encode_root(27, 6) > encode_root(26, 5));
    CHECK(encode_root(0, 0) >> 32 == 0);
}
