// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the two buffers of a call as blocks.
#pragma once

#include "shim/blocks/block_layout.hpp"

namespace hopscotch::shim
{

/// The send and the receive buffer of a call.
struct Layouts {
    BlockLayout send;
    BlockLayout receive;

    /// See BlockLayout::keep.
    void keep(KeptBlocks& kept)
    {
        send.keep(kept);
        receive.keep(kept);
    }
};

} // namespace hopscotch::shim
