// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places in the program that mean the same in all processes, wherever these have loaded their objects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hopscotch::shim
{

struct SitePlace {
    std::int64_t object; // hash of the name of its file; 0: the program itself
    std::int64_t offset;
};

SitePlace place_of(const void* address);

/// The functions and lines that lead there, the innermost first, as describe() says them; of a place that this process
/// has not called from only the innermost. `stack`: as it was there, if this process has called.
std::vector<std::string> lines_of(const SitePlace& place, const std::vector<void*>* stack);

} // namespace hopscotch::shim
