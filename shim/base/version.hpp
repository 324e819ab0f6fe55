// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives the version of Hopscotch, as meson.build has it.
#pragma once

namespace hopscotch::shim
{

inline constexpr char version[] = HOPSCOTCH_VERSION;

} // namespace hopscotch::shim
