// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Entry point: libFuzzer calls the target that scripts/develop/fuzz has chosen.
#include "test/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    HOPSCOTCH_FUZZ_TARGET(data, size);
    return 0;
}
