// What the processes of a new communicator learn of each other in one collective.
#include "shim/agreement.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <limits>

namespace hopscotch::shim
{

namespace
{

constexpr std::array flags{Field::parallel_edges, Field::unequal_degrees, Field::unmatched_edges, Field::group_missing,
                           Field::device_memory,  Field::board_declined,  Field::passed_original};

/// Agreed upon by all processes as a rule.
constexpr std::array common{Field::version_max, Field::settings_max, Field::hints_max, Field::algorithms_max};

struct Number {
    Field field;
    std::int32_t AgreementLine::*in_line;
};
constexpr std::array numbers{
    Number{Field::out_degree_max, &AgreementLine::out_degree}, Number{Field::in_degree_max, &AgreementLine::in_degree},
    Number{Field::next_tag_block, &AgreementLine::next_tag_block}, Number{Field::serial, &AgreementLine::serial},
    Number{Field::unused_before, &AgreementLine::unused_before}};

bool fits(std::int64_t value) noexcept
{
    return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

} // namespace

std::int64_t encode_root(std::int64_t degree, int rank) noexcept
{
    return (degree << 32) | static_cast<std::int64_t>(INT_MAX - rank);
}

int decode_root(std::int64_t code) noexcept
{
    return INT_MAX - static_cast<int>(code & 0xffffffff);
}

AgreementLine line_of(const Agreement& own) noexcept
{
    AgreementLine line;
    line.whole = own[Field::given_up] == 0 ? 1 : 0;
    for (const Number& number : numbers) {
        line.*number.in_line = static_cast<std::int32_t>(own[number.field]);
        line.whole &= fits(own[number.field]) ? 1 : 0;
    }
    for (const Field field : common)
        line.common = (line.common ^ static_cast<std::uint64_t>(own[field])) * 0x9e3779b97f4a7c15u;
    for (std::size_t i = 0; i < flags.size(); ++i)
        line.flags |= static_cast<std::uint32_t>(own[flags[i]] != 0 ? 1 : 0) << i;
    line.call_site = own[Field::call_site];
    return line;
}

bool AgreementLine::agrees(const AgreementLine& other) const noexcept
{
    return whole != 0 && other.whole != 0 && common == other.common;
}

void add(Agreement& agreed, const AgreementLine& line, int rank) noexcept
{
    const auto raise = [&agreed](Field field, std::int64_t value) { agreed[field] = std::max(agreed[field], value); };
    for (const Number& number : numbers)
        raise(number.field, line.*number.in_line);
    raise(Field::out_degree_min, -std::int64_t{line.out_degree});
    raise(Field::in_degree_min, -std::int64_t{line.in_degree});
    raise(Field::root, encode_root(line.out_degree, rank));
    raise(Field::call_site, line.call_site);
    for (std::size_t i = 0; i < flags.size(); ++i)
        agreed[flags[i]] |= line.flags >> i & 1u;
}

} // namespace hopscotch::shim
