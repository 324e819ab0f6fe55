// The version of Hopscotch, as meson.build has it.
#pragma once

namespace hopscotch::shim
{

inline constexpr char version[] = HOPSCOTCH_VERSION;

} // namespace hopscotch::shim
