// Counts communicators that went away without a call, by the place in the program that makes them.
#pragma once

#include <cstdint>

namespace hopscotch::shim
{

/// So many one after another, and the next one is not set up before a call asks for it.
constexpr std::int64_t unused_before_deferring = 3;

/// A communicator made at this place goes away. Local.
void note_end(std::uint64_t place, bool used) noexcept;

/// How many of the last ones made there went away without a call. Local.
std::int64_t unused_in_a_row(std::uint64_t place);

} // namespace hopscotch::shim
