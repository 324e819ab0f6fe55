// What a schedule costs: rounds, volume, the block size up to which combining pays, predicted time.
#include "schedules/cost.hpp"

#include <limits>

namespace hopscotch::schedules
{

int rounds(const Stencil& stencil)
{
    int result = 0;
    for (int k = 0; k < stencil.dimensions(); ++k)
        result += static_cast<int>(distinct_shifts(stencil, k).size());
    return result;
}

int alltoall_volume(const Stencil& stencil) noexcept
{
    int result = 0;
    for (int i = 0; i < stencil.size(); ++i)
        result += hops(stencil, i);
    return result;
}

int direct_volume(const Stencil& stencil) noexcept
{
    int result = 0;
    for (int i = 0; i < stencil.size(); ++i)
        result += hops(stencil, i) > 0 ? 1 : 0;
    return result;
}

double cutoff_ratio(const Stencil& stencil)
{
    const int direct = direct_volume(stencil);
    const int saved_messages = direct - rounds(stencil);
    const int added_blocks = alltoall_volume(stencil) - direct;
    if (saved_messages <= 0)
        return 0;
    if (added_blocks == 0)
        return std::numeric_limits<double>::infinity();
    return static_cast<double>(saved_messages) / added_blocks;
}

double cutoff_bytes(const Stencil& stencil, const LinearCost& cost)
{
    const double ratio = cutoff_ratio(stencil);
    if (ratio <= 0 || cost.alpha_seconds <= 0)
        return 0;
    if (cost.beta_seconds_per_byte <= 0)
        return std::numeric_limits<double>::infinity();
    return ratio * (cost.alpha_seconds / cost.beta_seconds_per_byte);
}

double predicted_seconds(int messages, double blocks, double block_bytes, const LinearCost& cost) noexcept
{
    return messages * cost.alpha_seconds + blocks * block_bytes * cost.beta_seconds_per_byte;
}

} // namespace hopscotch::schedules
