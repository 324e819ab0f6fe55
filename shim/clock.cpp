// Time stamps cheap enough for every call: the processor's counter where there is one.
#include "shim/clock.hpp"

#include <ctime>

namespace hopscotch::shim
{

namespace
{

std::uint64_t first_ticks = 0;
double first_seconds = 0.0;

double system_seconds() noexcept
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

void start_clock() noexcept
{
    first_seconds = system_seconds();
    first_ticks = ticks();
}

double elapsed_seconds() noexcept
{
    return system_seconds() - first_seconds;
}

double seconds(std::uint64_t elapsed) noexcept
{
    const std::uint64_t passed_ticks = ticks() - first_ticks;
    return passed_ticks == 0 ? 0.0
                             : static_cast<double>(elapsed) * (elapsed_seconds() / static_cast<double>(passed_ticks));
}

} // namespace hopscotch::shim
